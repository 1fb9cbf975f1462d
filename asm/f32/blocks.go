package f32

import "github.com/numateam/numateam/asm"

// What's longer than a block, of the loops that BLAS calls for a few elements: there a loop in the
// dispatcher would show.

func scaleBlocks(dst []float32, a float32, src []float32) {
	for len(dst) > 0 {
		n := min(len(dst), asm.Block)
		scale(dst[:n], a, src[:n])
		dst, src = dst[n:], src[n:]
	}
}

func axpyBlocks(a float32, x, y []float32) {
	for len(x) > 0 {
		n := min(len(x), asm.Block)
		axpy(a, x[:n], y[:n])
		x, y = x[n:], y[n:]
	}
}
