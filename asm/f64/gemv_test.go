package f64_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/numateam/numateam/asm"
	"github.com/numateam/numateam/asm/asmtest"
	"github.com/numateam/numateam/asm/f64"
)

func TestGemvRowsAreDots(t *testing.T) {
	asmtest.EachISA(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(7, 8))
		run := func(m, n int) {
			alpha := []float64{1, -0.6, 0}[r.IntN(3)]
			beta := betas[r.IntN(len(betas))]
			lda := n + r.IntN(5)
			a := newMatrix(t, r, m, n, lda)
			x := newMatrix(t, r, 1, n, n)
			y := newMatrix(t, r, 1, m, m)
			want := clone(y.x)
			for i, v := range want {
				want[i] = float64(alpha * f64.Dot(a.x[i*lda:][:n], x.x))
				if beta != 0 {
					want[i] += float64(beta * v)
				}
			}
			f64.GemvRows(m, n, alpha, a.x, lda, x.x, beta, y.x)
			y.check(t, want, fmt.Sprintf("%dx%d, alpha = %v, beta = %v", m, n, alpha, beta))
		}
		for n := range 140 {
			for m := range 18 {
				run(m+1, n+1)
			}
		}
		for _, n := range []int{255, 256, 257, 1000, 4095, 4096, 4097, 10000} {
			for _, m := range []int{1, 7, 8, 9, 24, 31, 300} {
				run(m, n)
			}
		}
		run(5000, 17)
	})
}

func TestGer(t *testing.T) {
	asmtest.EachISA(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(9, 10))
		run := func(m, n int) {
			alpha := []float64{1, -0.6, special(0)}[r.IntN(3)]
			lda, incX := n+r.IntN(5), 1+r.IntN(3)
			x := newMatrix(t, r, m, 1, incX)
			y := newMatrix(t, r, 1, n, n)
			a := newMatrix(t, r, m, n, lda)
			want := clone(a.x)
			for i := range m {
				v := alpha * x.x[i*incX]
				for j, u := range y.x {
					want[i*lda+j] += float64(v * u)
				}
			}
			f64.Ger(m, n, alpha, x.x, incX, y.x, a.x, lda)
			a.check(t, want, fmt.Sprintf("%dx%d, alpha = %v", m, n, alpha))
		}
		for n := range 140 {
			for _, m := range []int{1, 2, 3, 7, 16} {
				run(m, n+1)
			}
		}
		run(3000, 50)
		run(3, 100_000)
	})
}

func BenchmarkGemvRows(b *testing.B) {
	for _, isa := range asm.Available() {
		for _, n := range []int{16, 100, 1000} {
			b.Run(fmt.Sprintf("isa=%v/n=%d", isa, n), func(b *testing.B) {
				defer asm.Use(isa)()
				a, x, y := make([]float64, n*n), make([]float64, n), make([]float64, n)
				for b.Loop() {
					f64.GemvRows(n, n, 1, a, n, x, 0, y)
				}
			})
		}
	}
}
