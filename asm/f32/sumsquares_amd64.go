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
	var r float64
	switch {
	case asm.Active() == asm.AVX512:
		sumSquaresAVX512(&r, unsafe.SliceData(x), len(x))
	case asm.Active() == asm.AVX2:
		sumSquaresAVX2(&r, unsafe.SliceData(x), len(x))
	case asm.Active() == asm.SSE2:
		sumSquaresSSE2(&r, unsafe.SliceData(x), len(x))
	default:
		r = sumSquaresGo(x)
	}
	return r
}

//go:noescape
func sumSquaresAVX512(r *float64, x *float32, n int)

//go:noescape
func sumSquaresAVX2(r *float64, x *float32, n int)

//go:noescape
func sumSquaresSSE2(r *float64, x *float32, n int)
