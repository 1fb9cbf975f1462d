//go:build noasm || !(amd64 || arm64)

package u8

func blurRow(dst, above, middle, src []uint8) {
	blurRowGo(dst, above, middle, src)
}

func blurRowStream(dst, above, middle, src []uint8, ahead int) {
	blurRowGo(dst, above, middle, src)
}
