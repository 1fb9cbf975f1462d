//go:build !noasm

package f32

import "github.com/numateam/numateam/asm"

//go:noinline
func sumSquares(r *wideResults, x []float32) {
	switch asm.Active() {
	case asm.AVX512:
		sumSquaresAVX512(r, x)
	case asm.AVX2:
		sumSquaresAVX2(r, x)
	case asm.SSE2:
		sumSquaresSSE2(r, x)
	default:
		sumSquaresGo(r, x)
	}
}

//go:noescape
func sumSquaresAVX512(r *wideResults, x []float32)

//go:noescape
func sumSquaresAVX2(r *wideResults, x []float32)

//go:noescape
func sumSquaresSSE2(r *wideResults, x []float32)
