//go:build !noasm

package f64

import (
	"unsafe"

	"github.com/numateam/numateam/asm"
)

// What the exported functions call: it hands blocks of at most asm.Block elements to
// the form of the loop for the active instruction set. An exported function is no more
// than its checks, so that it's inlined and a call costs one frame.

//go:noinline
func scale(dst []float64, a float64, src []float64) {
	if len(dst) > asm.Block {
		scaleBlocks(dst, a, src)
		return
	}
	if asm.Active() == asm.NEON {
		scaleNEON(dst, a, src)
	} else {
		scaleGo(dst, a, src)
	}
}

//go:noinline
func add(dst, a, b []float64) {
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
func triad(dst, a []float64, s float64, b []float64) {
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
func axpy(a float64, x, y []float64) {
	if len(x) > asm.Block {
		axpyBlocks(a, x, y)
		return
	}
	if asm.Active() == asm.NEON {
		axpyNEON(a, x, y)
	} else {
		axpyGo(a, x, y)
	}
}

func axpyStream(a float64, x, y []float64) { axpy(a, x, y) }

func scaleInPlace(x []float64, a float64) { scale(x, a, x) }

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
func dot(x, y []float64) float64 {
	if len(x) > blockLen {
		return dotHalves(x, y)
	}
	if asm.Active() != asm.NEON {
		return dotGo(x, y)
	}
	var r float64
	dotNEON(&r, unsafe.SliceData(x), unsafe.SliceData(y), len(x))
	return r
}

//go:noinline
func sum(x []float64) float64 {
	if len(x) > blockLen {
		return sumHalves(x)
	}
	if asm.Active() != asm.NEON {
		return sumGo(x)
	}
	var r float64
	sumNEON(&r, unsafe.SliceData(x), len(x))
	return r
}

//go:noinline
func asum(x []float64) float64 {
	if len(x) > blockLen {
		return asumHalves(x)
	}
	if asm.Active() != asm.NEON {
		return asumGo(x)
	}
	var r float64
	asumNEON(&r, unsafe.SliceData(x), len(x))
	return r
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
func dotNEON(r, x, y *float64, n int)

//go:noescape
func sumNEON(r, x *float64, n int)

//go:noescape
func asumNEON(r, x *float64, n int)
