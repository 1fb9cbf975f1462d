//go:build !noasm

package f32

import "github.com/numateam/numateam/asm"

// What the exported functions call: it hands blocks of at most asm.Block elements to
// the form of the loop for the active instruction set. An exported function is no more
// than its checks, so that it's inlined and a call costs one frame.

//go:noinline
func scale(dst []float32, a float32, src []float32) {
	for len(dst) > asm.Block {
		scale(dst[:asm.Block], a, src[:asm.Block])
		dst, src = dst[asm.Block:], src[asm.Block:]
	}
	if asm.Active() == asm.NEON {
		scaleNEON(dst, a, src)
	} else {
		scaleGo(dst, a, src)
	}
}

//go:noinline
func add(dst, a, b []float32) {
	for len(dst) > asm.Block {
		add(dst[:asm.Block], a[:asm.Block], b[:asm.Block])
		dst, a, b = dst[asm.Block:], a[asm.Block:], b[asm.Block:]
	}
	if asm.Active() == asm.NEON {
		addNEON(dst, a, b)
	} else {
		addGo(dst, a, b)
	}
}

//go:noinline
func triad(dst, a []float32, s float32, b []float32) {
	for len(dst) > asm.Block {
		triad(dst[:asm.Block], a[:asm.Block], s, b[:asm.Block])
		dst, a, b = dst[asm.Block:], a[asm.Block:], b[asm.Block:]
	}
	if asm.Active() == asm.NEON {
		triadNEON(dst, a, s, b)
	} else {
		triadGo(dst, a, s, b)
	}
}

//go:noinline
func axpy(a float32, x, y []float32) {
	for len(x) > asm.Block {
		axpy(a, x[:asm.Block], y[:asm.Block])
		x, y = x[asm.Block:], y[asm.Block:]
	}
	if asm.Active() == asm.NEON {
		axpyNEON(a, x, y)
	} else {
		axpyGo(a, x, y)
	}
}

func axpyStream(a float32, x, y []float32) { axpy(a, x, y) }

func scaleInPlace(x []float32, a float32) { scale(x, a, x) }

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
func dot(x, y []float32) float32 {
	if len(x) > asm.Block {
		h := half(len(x))
		return dot(x[:h], y[:h]) + dot(x[h:], y[h:])
	}
	var r results
	if asm.Active() == asm.NEON {
		dotNEON(&r, x, y)
	} else {
		dotGo(&r, x, y)
	}
	return r.fold(len(x))
}

//go:noinline
func sum(x []float32) float32 {
	if len(x) > asm.Block {
		h := half(len(x))
		return sum(x[:h]) + sum(x[h:])
	}
	var r results
	if asm.Active() == asm.NEON {
		sumNEON(&r, x)
	} else {
		sumGo(&r, x)
	}
	return r.fold(len(x))
}

//go:noinline
func asum(x []float32) float32 {
	if len(x) > asm.Block {
		h := half(len(x))
		return asum(x[:h]) + asum(x[h:])
	}
	var r results
	if asm.Active() == asm.NEON {
		asumNEON(&r, x)
	} else {
		asumGo(&r, x)
	}
	return r.fold(len(x))
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
