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
	switch {
	case asm.Active() == asm.AVX512:
		scaleAVX512(dst, a, src)
	case asm.Active() == asm.AVX2:
		scaleAVX2(dst, a, src)
	case asm.Active() == asm.SSE2:
		scaleSSE2(dst, a, src)
	default:
		scaleGo(dst, a, src)
	}
}

//go:noinline
func add(dst, a, b []float64) {
	for len(dst) > asm.Block {
		add(dst[:asm.Block], a[:asm.Block], b[:asm.Block])
		dst, a, b = dst[asm.Block:], a[asm.Block:], b[asm.Block:]
	}
	switch {
	case asm.Active() == asm.AVX512:
		addAVX512(dst, a, b)
	case asm.Active() == asm.AVX2:
		addAVX2(dst, a, b)
	case asm.Active() == asm.SSE2:
		addSSE2(dst, a, b)
	default:
		addGo(dst, a, b)
	}
}

//go:noinline
func triad(dst, a []float64, s float64, b []float64) {
	for len(dst) > asm.Block {
		triad(dst[:asm.Block], a[:asm.Block], s, b[:asm.Block])
		dst, a, b = dst[asm.Block:], a[asm.Block:], b[asm.Block:]
	}
	switch {
	case asm.Active() == asm.AVX512:
		triadAVX512(dst, a, s, b)
	case asm.Active() == asm.AVX2:
		triadAVX2(dst, a, s, b)
	case asm.Active() == asm.SSE2:
		triadSSE2(dst, a, s, b)
	default:
		triadGo(dst, a, s, b)
	}
}

//go:noinline
func axpy(a float64, x, y []float64) {
	if len(x) > asm.Block {
		axpyBlocks(a, x, y)
		return
	}
	switch {
	case asm.Active() == asm.AVX512:
		axpyAVX512(a, x, y)
	case asm.Active() == asm.AVX2:
		axpyAVX2(a, x, y)
	case asm.Active() == asm.SSE2:
		axpySSE2(a, x, y)
	default:
		axpyGo(a, x, y)
	}
}

// AVX-512 takes the loop of AVX2 here: see AxpyStream.
//
//go:noinline
func axpyStream(a float64, x, y []float64) {
	if asm.Active() != asm.AVX512 {
		axpy(a, x, y)
		return
	}
	for len(x) > asm.Block {
		axpyAVX2(a, x[:asm.Block], y[:asm.Block])
		x, y = x[asm.Block:], y[asm.Block:]
	}
	axpyAVX2(a, x, y)
}

// AVX-512 takes the loop of AVX2 here: see ScaleStream.
//
//go:noinline
func scaleInPlace(x []float64, a float64) {
	if asm.Active() != asm.AVX512 {
		scale(x, a, x)
		return
	}
	for len(x) > asm.Block {
		scaleAVX2(x[:asm.Block], a, x[:asm.Block])
		x = x[asm.Block:]
	}
	scaleAVX2(x, a, x)
}

//go:noinline
func scaleStream(dst []float64, a float64, src []float64) {
	switch asm.Active() {
	case asm.AVX512:
		scaleStreamAVX512(dst, a, src)
	case asm.AVX2:
		scaleStreamAVX2(dst, a, src)
	case asm.SSE2:
		scaleStreamSSE2(dst, a, src)
	default:
		scaleGo(dst, a, src)
	}
}

//go:noinline
func addStream(dst, a, b []float64) {
	switch asm.Active() {
	case asm.AVX512:
		addStreamAVX512(dst, a, b)
	case asm.AVX2:
		addStreamAVX2(dst, a, b)
	case asm.SSE2:
		addStreamSSE2(dst, a, b)
	default:
		addGo(dst, a, b)
	}
}

//go:noinline
func triadStream(dst, a []float64, s float64, b []float64) {
	switch asm.Active() {
	case asm.AVX512:
		triadStreamAVX512(dst, a, s, b)
	case asm.AVX2:
		triadStreamAVX2(dst, a, s, b)
	case asm.SSE2:
		triadStreamSSE2(dst, a, s, b)
	default:
		triadGo(dst, a, s, b)
	}
}

//go:noinline
func dot(x, y []float64) float64 {
	if len(x) > blockLen {
		return dotHalves(x, y)
	}
	var r float64
	switch {
	case asm.Active() == asm.AVX512:
		dotAVX512(&r, unsafe.SliceData(x), unsafe.SliceData(y), len(x))
	case asm.Active() == asm.AVX2:
		dotAVX2(&r, unsafe.SliceData(x), unsafe.SliceData(y), len(x))
	case asm.Active() == asm.SSE2:
		dotSSE2(&r, unsafe.SliceData(x), unsafe.SliceData(y), len(x))
	default:
		r = dotGo(x, y)
	}
	return r
}

//go:noinline
func sum(x []float64) float64 {
	if len(x) > blockLen {
		return sumHalves(x)
	}
	var r float64
	switch {
	case asm.Active() == asm.AVX512:
		sumAVX512(&r, unsafe.SliceData(x), len(x))
	case asm.Active() == asm.AVX2:
		sumAVX2(&r, unsafe.SliceData(x), len(x))
	case asm.Active() == asm.SSE2:
		sumSSE2(&r, unsafe.SliceData(x), len(x))
	default:
		r = sumGo(x)
	}
	return r
}

//go:noinline
func asum(x []float64) float64 {
	if len(x) > blockLen {
		return asumHalves(x)
	}
	var r float64
	switch {
	case asm.Active() == asm.AVX512:
		asumAVX512(&r, unsafe.SliceData(x), len(x))
	case asm.Active() == asm.AVX2:
		asumAVX2(&r, unsafe.SliceData(x), len(x))
	case asm.Active() == asm.SSE2:
		asumSSE2(&r, unsafe.SliceData(x), len(x))
	default:
		r = asumGo(x)
	}
	return r
}

// stream_*_amd64.s

//go:noescape
func scaleAVX512(dst []float64, a float64, src []float64)

//go:noescape
func scaleAVX2(dst []float64, a float64, src []float64)

//go:noescape
func scaleSSE2(dst []float64, a float64, src []float64)

//go:noescape
func scaleStreamAVX512(dst []float64, a float64, src []float64)

//go:noescape
func scaleStreamAVX2(dst []float64, a float64, src []float64)

//go:noescape
func scaleStreamSSE2(dst []float64, a float64, src []float64)

//go:noescape
func addAVX512(dst, a, b []float64)

//go:noescape
func addAVX2(dst, a, b []float64)

//go:noescape
func addSSE2(dst, a, b []float64)

//go:noescape
func addStreamAVX512(dst, a, b []float64)

//go:noescape
func addStreamAVX2(dst, a, b []float64)

//go:noescape
func addStreamSSE2(dst, a, b []float64)

//go:noescape
func triadAVX512(dst, a []float64, s float64, b []float64)

//go:noescape
func triadAVX2(dst, a []float64, s float64, b []float64)

//go:noescape
func triadSSE2(dst, a []float64, s float64, b []float64)

//go:noescape
func triadStreamAVX512(dst, a []float64, s float64, b []float64)

//go:noescape
func triadStreamAVX2(dst, a []float64, s float64, b []float64)

//go:noescape
func triadStreamSSE2(dst, a []float64, s float64, b []float64)

//go:noescape
func axpyAVX512(a float64, x, y []float64)

//go:noescape
func axpyAVX2(a float64, x, y []float64)

//go:noescape
func axpySSE2(a float64, x, y []float64)

// reduce_*_amd64.s

//go:noescape
func dotAVX512(r, x, y *float64, n int)

//go:noescape
func dotAVX2(r, x, y *float64, n int)

//go:noescape
func dotSSE2(r, x, y *float64, n int)

//go:noescape
func sumAVX512(r, x *float64, n int)

//go:noescape
func sumAVX2(r, x *float64, n int)

//go:noescape
func sumSSE2(r, x *float64, n int)

//go:noescape
func asumAVX512(r, x *float64, n int)

//go:noescape
func asumAVX2(r, x *float64, n int)

//go:noescape
func asumSSE2(r, x *float64, n int)
