//go:build noasm || !(amd64 || arm64)

package f32

func blurRow(dst, below, src, above, middle []float32) {
	blurRowGo(dst, below, src, above, middle)
}

func blurRowStream(dst, below, src, above, middle []float32, ahead int) {
	blurRowGo(dst, below, src, above, middle)
}
