//go:build noasm || !(amd64 || arm64)

package f32

func blurRow(dst, above, middle, src []float32) {
	blurRowGo(dst, above, middle, src)
}

func blurRowStream(dst, above, middle, src []float32, ahead int) {
	blurRowGo(dst, above, middle, src)
}
