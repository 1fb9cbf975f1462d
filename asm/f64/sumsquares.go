package f64

// SumSquaresOf returns the sum of the squares of s*x[i]. Traffic: 1 load per element.
func SumSquaresOf(s float64, x []float64) float64 {
	if len(x) > blockLen {
		h := half(len(x))
		return SumSquaresOf(s, x[:h]) + SumSquaresOf(s, x[h:])
	}
	var block [blockLen]float64
	scaled := block[:len(x)]
	Scale(scaled, s, x)
	return Dot(scaled, scaled)
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
