//go:build !noasm

package f64

import "github.com/numateam/numateam/asm"

// What the exported functions call, once for each block: the form of the loop for the
// active instruction set.

//go:noinline
func scale(dst []float64, a float64, src []float64) {
	if asm.Active() == asm.NEON {
		scaleNEON(dst, a, src)
	} else {
		scaleGo(dst, a, src)
	}
}

//go:noinline
func add(dst, a, b []float64) {
	if asm.Active() == asm.NEON {
		addNEON(dst, a, b)
	} else {
		addGo(dst, a, b)
	}
}

//go:noinline
func triad(dst, a []float64, s float64, b []float64) {
	if asm.Active() == asm.NEON {
		triadNEON(dst, a, s, b)
	} else {
		triadGo(dst, a, s, b)
	}
}

//go:noinline
func axpy(a float64, x, y []float64) {
	if asm.Active() == asm.NEON {
		axpyNEON(a, x, y)
	} else {
		axpyGo(a, x, y)
	}
}

//go:noinline
func scaleStream(dst []float64, a float64, src []float64) {
	if asm.Active() == asm.NEON {
		scaleStreamNEON(dst, a, src)
	} else {
		scaleGo(dst, a, src)
	}
}

//go:noinline
func addStream(dst, a, b []float64) {
	if asm.Active() == asm.NEON {
		addStreamNEON(dst, a, b)
	} else {
		addGo(dst, a, b)
	}
}

//go:noinline
func triadStream(dst, a []float64, s float64, b []float64) {
	if asm.Active() == asm.NEON {
		triadStreamNEON(dst, a, s, b)
	} else {
		triadGo(dst, a, s, b)
	}
}

//go:noinline
func dot(r *results, x, y []float64) {
	if asm.Active() == asm.NEON {
		dotNEON(r, x, y)
	} else {
		dotGo(r, x, y)
	}
}

//go:noinline
func sum(r *results, x []float64) {
	if asm.Active() == asm.NEON {
		sumNEON(r, x)
	} else {
		sumGo(r, x)
	}
}

//go:noinline
func asum(r *results, x []float64) {
	if asm.Active() == asm.NEON {
		asumNEON(r, x)
	} else {
		asumGo(r, x)
	}
}

// stream_neon_arm64.s and reduce_neon_arm64.s

//go:noescape
func scaleNEON(dst []float64, a float64, src []float64)

//go:noescape
func addNEON(dst, a, b []float64)

//go:noescape
func triadNEON(dst, a []float64, s float64, b []float64)

//go:noescape
func axpyNEON(a float64, x, y []float64)

//go:noescape
func scaleStreamNEON(dst []float64, a float64, src []float64)

//go:noescape
func addStreamNEON(dst, a, b []float64)

//go:noescape
func triadStreamNEON(dst, a []float64, s float64, b []float64)

//go:noescape
func dotNEON(r *results, x, y []float64)

//go:noescape
func sumNEON(r *results, x []float64)

//go:noescape
func asumNEON(r *results, x []float64)
