//go:build !noasm

package f32

import "github.com/numateam/numateam/asm"

//go:noinline
func sumSquares(r *wideResults, x []float32) {
	if asm.Active() == asm.NEON {
		sumSquaresNEON(r, x)
	} else {
		sumSquaresGo(r, x)
	}
}

//go:noescape
func sumSquaresNEON(r *wideResults, x []float32)
