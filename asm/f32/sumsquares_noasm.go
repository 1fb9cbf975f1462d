//go:build noasm || !(amd64 || arm64)

package f32

func sumSquares(x []float32) float64 {
	if len(x) > blockLen {
		return sumSquaresHalves(x)
	}
	return sumSquaresGo(x)
}
