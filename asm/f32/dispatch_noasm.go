//go:build noasm || !(amd64 || arm64)

package f32

import "github.com/numateam/numateam/asm"

// What the exported functions call: here always the plain loops.

func scale(dst []float32, a float32, src []float32)        { scaleGo(dst, a, src) }
func add(dst, a, b []float32)                              { addGo(dst, a, b) }
func triad(dst, a []float32, s float32, b []float32)       { triadGo(dst, a, s, b) }
func axpy(a float32, x, y []float32)                       { axpyGo(a, x, y) }
func axpyStream(a float32, x, y []float32)                 { axpyGo(a, x, y) }
func scaleInPlace(x []float32, a float32)                  { scaleGo(x, a, x) }
func scaleStream(dst []float32, a float32, src []float32)  { scaleGo(dst, a, src) }
func addStream(dst, a, b []float32)                        { addGo(dst, a, b) }
func triadStream(dst, a []float32, s float32, b []float32) { triadGo(dst, a, s, b) }

func dot(x, y []float32) float32 {
	if len(x) > asm.Block {
		h := half(len(x))
		return dot(x[:h], y[:h]) + dot(x[h:], y[h:])
	}
	var r results
	dotGo(&r, x, y)
	return r.fold(len(x))
}

func sum(x []float32) float32 {
	if len(x) > asm.Block {
		h := half(len(x))
		return sum(x[:h]) + sum(x[h:])
	}
	var r results
	sumGo(&r, x)
	return r.fold(len(x))
}

func asum(x []float32) float32 {
	if len(x) > asm.Block {
		h := half(len(x))
		return asum(x[:h]) + asum(x[h:])
	}
	var r results
	asumGo(&r, x)
	return r.fold(len(x))
}
