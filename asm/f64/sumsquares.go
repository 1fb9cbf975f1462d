package f64

import "github.com/numateam/numateam/asm"

// SumSquaresOf returns the sum of the squares of s*x[i]. Traffic: 1 load per element.
func SumSquaresOf(s float64, x []float64) float64 {
	if len(x) > asm.Block {
		h := half(len(x))
		return SumSquaresOf(s, x[:h]) + SumSquaresOf(s, x[h:])
	}
	var r results
	var scaled [blockLen]float64
	for i := 0; i*blockLen < len(x); i++ {
		block := x[i*blockLen : min((i+1)*blockLen, len(x))]
		Scale(scaled[:len(block)], s, block)
		r[i] = Dot(scaled[:len(block)], scaled[:len(block)])
	}
	return r.fold(len(x))
}

// Largest returns the largest |x[i]|, or 0 if there are none. x must not hold a NaN.
// Traffic: 1 load per element.
func Largest(x []float64) float64 {
	m := 0.0
	for _, v := range x {
		m = max(m, v, -v)
	}
	return m
}
