//go:build !noasm

package f32

import (
	"unsafe"

	"github.com/numateam/numateam/asm"
)

// What the exported functions call: it hands blocks of at most asm.Block elements to
// the form of the loop for the active instruction set. An exported function is no more
// than its checks, so that it's inlined and a call costs one frame.

//go:noinline
func scale(dst []float32, a float32, src []float32) {
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
	if len(x) > blockLen {
		return dotHalves(x, y)
	}
	if asm.Active() != asm.NEON {
		return dotGo(x, y)
	}
	var r float32
	dotNEON(&r, unsafe.SliceData(x), unsafe.SliceData(y), len(x))
	return r
}

//go:noinline
func sum(x []float32) float32 {
	if len(x) > blockLen {
		return sumHalves(x)
	}
	if asm.Active() != asm.NEON {
		return sumGo(x)
	}
	var r float32
	sumNEON(&r, unsafe.SliceData(x), len(x))
	return r
}

//go:noinline
func asum(x []float32) float32 {
	if len(x) > blockLen {
		return asumHalves(x)
	}
	if asm.Active() != asm.NEON {
		return asumGo(x)
	}
	var r float32
	asumNEON(&r, unsafe.SliceData(x), len(x))
	return r
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
func dotNEON(r, x, y *float32, n int)

//go:noescape
func sumNEON(r, x *float32, n int)

//go:noescape
func asumNEON(r, x *float32, n int)
