package f32

import (
	"fmt"
	"testing"

	"github.com/numateam/numateam/asm"
	"github.com/numateam/numateam/asm/asmtest"
	"github.com/numateam/numateam/asm/f64"
)

func TestSumSquaresIsThatOfFloat64(t *testing.T) {
	asmtest.Test(t, turn, loop{Name: "sum of squares", Operands: 1,
		Run: func(x [][]float32) float64 { return SumSquares(x[0]) },
		Ref: func(x [][]float32) float64 {
			wide := make([]float64, len(x[0]))
			for i, v := range x[0] {
				wide[i] = float64(v)
			}
			return f64.Dot(wide, wide)
		}})
}

func BenchmarkSumSquares(b *testing.B) {
	for _, isa := range asm.Available() {
		for _, n := range []int{1000, 100_000} {
			x := asmtest.At[float32](n, 64)
			b.Run(fmt.Sprintf("isa=%v/n=%d", isa, n), func(b *testing.B) {
				defer asm.Use(isa)()
				b.SetBytes(int64(4 * n))
				for b.Loop() {
					SumSquares(x)
				}
			})
		}
	}
}
