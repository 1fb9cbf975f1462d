package f32

import (
	"testing"

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
