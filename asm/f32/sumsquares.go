package f32

// SumSquares returns the sum of x[i]*x[i], squared and added in float64, where no square
// of a float32 is too large or too small. Its shape is that of a float64 reduction: 16
// lanes. Traffic: 1 load per element.
func SumSquares(x []float32) float64 { return sumSquares(x) }

// What's longer than a block is the sum of two parts.
func sumSquaresHalves(x []float32) float64 {
	h := half(len(x))
	return sumSquares(x[:h]) + sumSquares(x[h:])
}

func sumSquaresGo(x []float32) float64 {
	var l [16]float64
	for len(x) > 0 {
		n := min(len(l), len(x))
		for j, v := range x[:n] {
			l[j] += float64(float64(v) * float64(v))
		}
		x = x[n:]
	}
	for h := len(l) / 2; h > 0; h /= 2 {
		for j := range h {
			l[j] += l[j+h]
		}
	}
	return l[0]
}
