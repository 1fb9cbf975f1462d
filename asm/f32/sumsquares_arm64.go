//go:build !noasm

package f32

import (
	"unsafe"

	"github.com/numateam/numateam/asm"
)

//go:noinline
func sumSquares(x []float32) float64 {
	if len(x) > blockLen {
		return sumSquaresHalves(x)
	}
	if asm.Active() != asm.NEON {
		return sumSquaresGo(x)
	}
	var r float64
	sumSquaresNEON(&r, unsafe.SliceData(x), len(x))
	return r
}

//go:noescape
func sumSquaresNEON(r *float64, x *float32, n int)
