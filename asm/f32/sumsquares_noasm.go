//go:build noasm || !(amd64 || arm64)

package f32

func sumSquares(r *wideResults, x []float32) { sumSquaresGo(r, x) }
