package f32

// Dot returns the sum of x[i]*y[i]. Traffic: 2 loads per element.
func Dot(x, y []float32) float32 {
	if len(x) != len(y) {
		panic(lengths)
	}
	return dot(x, y)
}

// Sum returns the sum of x[i]. Traffic: 1 load per element.
func Sum(x []float32) float32 { return sum(x) }

// Asum returns the sum of |x[i]|. Traffic: 1 load per element.
func Asum(x []float32) float32 { return asum(x) }

// What's longer than a block is the sum of two parts.

func dotHalves(x, y []float32) float32 {
	h := half(len(x))
	return dot(x[:h], y[:h]) + dot(x[h:], y[h:])
}

func sumHalves(x []float32) float32 {
	h := half(len(x))
	return sum(x[:h]) + sum(x[h:])
}

func asumHalves(x []float32) float32 {
	h := half(len(x))
	return asum(x[:h]) + asum(x[h:])
}
