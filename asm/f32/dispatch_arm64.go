//go:build !noasm

package f32

import "github.com/numateam/numateam/asm"

// What the exported functions call, once for each block: the form of the loop for the
// active instruction set.

//go:noinline
func scale(dst []float32, a float32, src []float32) {
	if asm.Active() == asm.NEON {
		scaleNEON(dst, a, src)
	} else {
		scaleGo(dst, a, src)
	}
}

//go:noinline
func add(dst, a, b []float32) {
	if asm.Active() == asm.NEON {
		addNEON(dst, a, b)
	} else {
		addGo(dst, a, b)
	}
}

//go:noinline
func triad(dst, a []float32, s float32, b []float32) {
	if asm.Active() == asm.NEON {
		triadNEON(dst, a, s, b)
	} else {
		triadGo(dst, a, s, b)
	}
}

//go:noinline
func axpy(a float32, x, y []float32) {
	if asm.Active() == asm.NEON {
		axpyNEON(a, x, y)
	} else {
		axpyGo(a, x, y)
	}
}

//go:noinline
func scaleStream(dst []float32, a float32, src []float32) {
	if asm.Active() == asm.NEON {
		scaleStreamNEON(dst, a, src)
	} else {
		scaleGo(dst, a, src)
	}
}

//go:noinline
func addStream(dst, a, b []float32) {
	if asm.Active() == asm.NEON {
		addStreamNEON(dst, a, b)
	} else {
		addGo(dst, a, b)
	}
}

//go:noinline
func triadStream(dst, a []float32, s float32, b []float32) {
	if asm.Active() == asm.NEON {
		triadStreamNEON(dst, a, s, b)
	} else {
		triadGo(dst, a, s, b)
	}
}

//go:noinline
func dot(r *results, x, y []float32) {
	if asm.Active() == asm.NEON {
		dotNEON(r, x, y)
	} else {
		dotGo(r, x, y)
	}
}

//go:noinline
func sum(r *results, x []float32) {
	if asm.Active() == asm.NEON {
		sumNEON(r, x)
	} else {
		sumGo(r, x)
	}
}

//go:noinline
func asum(r *results, x []float32) {
	if asm.Active() == asm.NEON {
		asumNEON(r, x)
	} else {
		asumGo(r, x)
	}
}

// stream_neon_arm64.s and reduce_neon_arm64.s

//go:noescape
func scaleNEON(dst []float32, a float32, src []float32)

//go:noescape
func addNEON(dst, a, b []float32)

//go:noescape
func triadNEON(dst, a []float32, s float32, b []float32)

//go:noescape
func axpyNEON(a float32, x, y []float32)

//go:noescape
func scaleStreamNEON(dst []float32, a float32, src []float32)

//go:noescape
func addStreamNEON(dst, a, b []float32)

//go:noescape
func triadStreamNEON(dst, a []float32, s float32, b []float32)

//go:noescape
func dotNEON(r *results, x, y []float32)

//go:noescape
func sumNEON(r *results, x []float32)

//go:noescape
func asumNEON(r *results, x []float32)
