//go:build noasm || !(amd64 || arm64)

package f32

func sumSquares(x []float32) float64 {
	if len(x) > blockLen {
		h := half(len(x))
		return sumSquares(x[:h]) + sumSquares(x[h:])
	}
	return sumSquaresGo(x)
}
