//go:build noasm || !(amd64 || arm64)

package u8

func blurRow(dst, below, src, above, middle []uint8) {
	blurRowGo(dst, below, src, above, middle)
}

func blurRowStream(dst, below, src, above, middle []uint8, ahead int) {
	blurRowGo(dst, below, src, above, middle)
}
