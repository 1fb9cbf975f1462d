package f64_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/numateam/numateam/asm/asmtest"
	"github.com/numateam/numateam/asm/f64"
)

// A matrix lies at the end of its arena, or at an offset from its beginning: rows of
// n elements that are ld apart.
type matrix struct {
	arena *asmtest.Arena[float64]
	x     []float64
}

func newMatrix(t *testing.T, r *rand.Rand, rows, n, ld int) *matrix {
	size := (rows-1)*ld + n
	m := &matrix{arena: asmtest.NewArena[float64](t, size+20)}
	m.x = m.arena.Tail(size)
	if r.IntN(2) == 0 {
		m.x = m.arena.Head(size, r.IntN(18))
	}
	asmtest.Random(r, m.x)
	m.arena.Fence(m.x)
	return m
}

// check compares m with what it ought to be, and looks for writes around it.
func (m *matrix) check(t *testing.T, want []float64, what string) {
	t.Helper()
	if k := asmtest.Differ(m.x, want); k >= 0 {
		t.Fatalf("%s: %v at %d, want %v", what, m.x[k], k, want[k])
	}
	if !m.arena.Intact() {
		t.Fatalf("%s: wrote outside", what)
	}
}

func clone(x []float64) []float64 { return append([]float64(nil), x...) }

var betas = []float64{0, 1, -0.7, special(0), special(4)} // NaN and -0 too

func special(i int) float64 { return asmtest.Specials[float64]()[i] }

// plainGemm is C = alpha*A*B + beta*C, one chain over k for each element.
func plainGemm(m, n, k int, alpha float64, a []float64, ars, acs int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	for i := range m {
		for j := range n {
			var s float64
			if beta != 0 {
				s = beta * c[i*ldc+j]
			}
			for l := range k {
				v := alpha * a[i*ars+l*acs]
				s += float64(v * b[l*ldb+j])
			}
			c[i*ldc+j] = s
		}
	}
}

func TestGemmTiles(t *testing.T) {
	asmtest.EachISA(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		rows, cols := f64.GemmShape()
		if rows > f64.GemmLanes || cols%8 != 0 {
			t.Fatalf("tile of %dx%d", rows, cols)
		}
		for _, k := range []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 31, 64, 255, 4099} {
			for _, beta := range betas {
				for _, tiles := range []int{1, 2, 5} {
					ldb, ldc := cols+r.IntN(3), tiles*cols+r.IntN(3)
					// Panels, or rows of a matrix.
					ars, acs := 1, f64.GemmLanes
					if r.IntN(2) == 0 {
						ars, acs = k+r.IntN(3), 1
					}
					bp := ldb * k
					if r.IntN(2) == 0 {
						ldb, bp = tiles*cols+r.IntN(3), cols
					}
					a := newMatrix(t, r, 1, (rows-1)*ars+(k-1)*acs+1, 0)
					b := newMatrix(t, r, 1, (tiles-1)*bp+(k-1)*ldb+cols, 0)
					c := newMatrix(t, r, rows, tiles*cols, ldc)
					want := clone(c.x)
					for i := range tiles {
						plainGemm(rows, cols, k, 1, a.x, ars, acs, b.x[i*bp:], ldb, beta, want[i*cols:], ldc)
					}
					f64.GemmTiles(tiles, k, a.x, ars, acs, b.x, bp, ldb, beta, c.x, ldc)
					c.check(t, want, fmt.Sprintf("%d tiles, k = %d, beta = %v", tiles, k, beta))
				}
			}
		}
	})
}

func TestGemmPack(t *testing.T) {
	asmtest.EachISA(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(3, 4))
		for _, k := range []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 30, 257, 8193} {
			for _, alpha := range []float64{1, -0.3, 0} {
				for _, w := range []int{8, 16, 32} {
					ld := k + r.IntN(20)
					src := newMatrix(t, r, f64.GemmLanes, max(k, 1), max(ld, 1))
					dst := newMatrix(t, r, max(k, 1), f64.GemmLanes, w)
					want := clone(dst.x)
					for l := range k {
						for i := range f64.GemmLanes {
							want[l*w+i] = alpha * src.x[i*ld+l]
						}
					}
					f64.GemmPackRows(dst.x, w, alpha, src.x, ld, k)
					dst.check(t, want, fmt.Sprintf("rows: k = %d, w = %d", k, w))

					ld = w + r.IntN(20)
					src = newMatrix(t, r, max(k, 1), w, ld)
					dst = newMatrix(t, r, max(k, 1), w, w)
					want = clone(dst.x)
					for l := range k {
						for j := range w {
							want[l*w+j] = alpha * src.x[l*ld+j]
						}
					}
					f64.GemmPackCols(dst.x, w, alpha, src.x, ld, k)
					dst.check(t, want, fmt.Sprintf("columns: k = %d, w = %d", k, w))
				}
			}
		}
	})
}

func TestGemmRows(t *testing.T) {
	asmtest.EachISA(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(5, 6))
		run := func(m, n, k int) {
			for _, transposed := range []bool{false, true} {
				beta := betas[r.IntN(len(betas))]
				alpha := []float64{1, -0.6}[r.IntN(2)]
				arows, acols := m, k
				if transposed {
					arows, acols = k, m
				}
				lda, ldb, ldc := acols+r.IntN(5), n+r.IntN(5), n+r.IntN(5)
				ars, acs := lda, 1
				if transposed {
					ars, acs = 1, lda
				}
				a := newMatrix(t, r, arows, acols, lda)
				b := newMatrix(t, r, k, n, ldb)
				c := newMatrix(t, r, m, n, ldc)
				want := clone(c.x)
				plainGemm(m, n, k, alpha, a.x, ars, acs, b.x, ldb, beta, want, ldc)
				f64.GemmRows(m, n, k, alpha, a.x, ars, acs, b.x, ldb, beta, c.x, ldc)
				c.check(t, want, fmt.Sprintf("%dx%dx%d, alpha = %v, beta = %v, transposed %v", m, n, k, alpha, beta, transposed))
			}
		}
		for n := 1; n < 71; n++ {
			for _, m := range []int{1, 2, 3, 7} {
				run(m, n, 1+r.IntN(20))
			}
		}
		run(1, 5000, 19)
		run(3, 2049, 33)
		run(70, 70, 70)
	})
}

// A short slice is found out before anything is written.
func TestGemmShort(t *testing.T) {
	rows, cols := f64.GemmShape()
	a, b, c := make([]float64, 2*rows), make([]float64, 2*cols), make([]float64, rows*cols)
	twice := make([]float64, 2*rows*cols)
	pack := make([]float64, 2*f64.GemmLanes)
	for name, f := range map[string]func(){
		"tile: a":       func() { f64.GemmTiles(1, 2, a[1:], 1, rows, b, 0, cols, 0, c, cols) },
		"tile: b":       func() { f64.GemmTiles(1, 2, a, 1, rows, b[1:], 0, cols, 0, c, cols) },
		"tile: c":       func() { f64.GemmTiles(1, 2, a, 1, rows, b, 0, cols, 0, c[1:], cols) },
		"tiles: b":      func() { f64.GemmTiles(2, 1, a, 1, rows, b[1:], cols, cols, 0, twice, 2*cols) },
		"tiles: c":      func() { f64.GemmTiles(2, 1, a, 1, rows, b, cols, cols, 0, twice[1:], 2*cols) },
		"rows: a":       func() { f64.GemmRows(2, 2, 2, 1, a[:3], 2, 1, b, 2, 0, c, 2) },
		"rows: b":       func() { f64.GemmRows(2, 2, 2, 1, a, 2, 1, b[:3], 2, 0, c, 2) },
		"rows: c":       func() { f64.GemmRows(2, 2, 2, 1, a, 2, 1, b, 2, 0, c[:3], 2) },
		"rows: far":     func() { f64.GemmRows(3, 2, 2, 1, a, 2, 1, b, 2, 0, c, math.MaxInt/2+1) },
		"tile: back":    func() { f64.GemmTiles(1, 2, a, 1, rows, b, 0, -1, 0, c, cols) },
		"gemv: far":     func() { f64.GemvRows(3, 2, 1, a, math.MaxInt/2+1, b, 0, c) },
		"ger: far":      func() { f64.Ger(9, 1, 1, twice, math.MaxInt/8+2, b, c, 2) },
		"gemv: lda":     func() { f64.GemvRows(2, 2, 1, a, 1, b, 0, c) },
		"gemv: a":       func() { f64.GemvRows(2, 2, 1, a[:3], 2, b, 0, c) },
		"gemv: x":       func() { f64.GemvRows(2, 2, 1, a, 2, b[:1], 0, c) },
		"gemv: y":       func() { f64.GemvRows(2, 2, 1, a, 2, b, 0, c[:1]) },
		"ger: stride":   func() { f64.Ger(2, 2, 1, a, 0, b, c, 2) },
		"ger: lda":      func() { f64.Ger(2, 2, 1, a, 1, b, c, 1) },
		"ger: x":        func() { f64.Ger(2, 2, 1, a[:2], 2, b, c, 2) },
		"ger: y":        func() { f64.Ger(2, 2, 1, a, 1, b[:1], c, 2) },
		"ger: a":        func() { f64.Ger(2, 2, 1, a, 1, b, c[:3], 2) },
		"pack rows":     func() { f64.GemmPackRows(pack, 8, 1, pack[1:], 2, 2) },
		"pack cols":     func() { f64.GemmPackCols(pack[:15], 8, 1, pack, 8, 2) },
		"pack odd cols": func() { f64.GemmPackCols(pack, 7, 1, pack, 8, 2) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}
