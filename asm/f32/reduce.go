package f32

import "github.com/numateam/numateam/asm"

// Dot returns the sum of x[i]*y[i]. Traffic: 2 loads per element.
func Dot(x, y []float32) float32 {
	if len(x) != len(y) {
		panic(lengths)
	}
	if len(x) > asm.Block {
		h := half(len(x))
		return Dot(x[:h], y[:h]) + Dot(x[h:], y[h:])
	}
	var r results
	dot(&r, x, y)
	return r.fold(len(x))
}

// Sum returns the sum of x[i]. Traffic: 1 load per element.
func Sum(x []float32) float32 {
	if len(x) > asm.Block {
		h := half(len(x))
		return Sum(x[:h]) + Sum(x[h:])
	}
	var r results
	sum(&r, x)
	return r.fold(len(x))
}

// Asum returns the sum of |x[i]|. Traffic: 1 load per element.
func Asum(x []float32) float32 {
	if len(x) > asm.Block {
		h := half(len(x))
		return Asum(x[:h]) + Asum(x[h:])
	}
	var r results
	asum(&r, x)
	return r.fold(len(x))
}
