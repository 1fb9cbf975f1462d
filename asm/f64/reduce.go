package f64

// Dot returns the sum of x[i]*y[i]. Traffic: 2 loads per element.
func Dot(x, y []float64) float64 {
	if len(x) != len(y) {
		panic(lengths)
	}
	return dot(x, y)
}

// Sum returns the sum of x[i]. Traffic: 1 load per element.
func Sum(x []float64) float64 { return sum(x) }

// Asum returns the sum of |x[i]|. Traffic: 1 load per element.
func Asum(x []float64) float64 { return asum(x) }
