package f32

import (
	"github.com/numateam/numateam/asm"
	"github.com/numateam/numateam/asm/f64"
)

// SumSquares returns the sum of x[i]*x[i], squared and added in float64, where no square
// of a float32 is too large or too small. Its shape is that of a float64 reduction: 16
// lanes. Traffic: 1 load per element.
func SumSquares(x []float32) float64 {
	if len(x) > asm.Block {
		h := half(len(x))
		return SumSquares(x[:h]) + SumSquares(x[h:])
	}
	var r wideResults
	sumSquares(&r, x)
	return f64.Fold(r[:(len(x)+blockLen-1)/blockLen])
}

// wideResults takes the sums of the blocks that one call of sumSquares covers.
type wideResults [asm.Block / blockLen]float64

func sumSquaresGo(r *wideResults, x []float32) {
	for i := 0; len(x) > 0; i++ {
		var l [16]float64
		n := min(len(x), blockLen)
		for k := 0; k < n; k += len(l) {
			for j, v := range x[k:min(k+len(l), n)] {
				l[j] += float64(float64(v) * float64(v))
			}
		}
		for h := len(l) / 2; h > 0; h /= 2 {
			for j := range h {
				l[j] += l[j+h]
			}
		}
		r[i] = l[0]
		x = x[n:]
	}
}
