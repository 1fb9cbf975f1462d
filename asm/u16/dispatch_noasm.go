//go:build noasm || !(amd64 || arm64)

package u16

func blurRow(dst, above, middle, src []uint16) {
	blurRowGo(dst, above, middle, src)
}

func blurRowStream(dst, above, middle, src []uint16, ahead int) {
	blurRowGo(dst, above, middle, src)
}
