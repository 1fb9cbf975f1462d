//go:build noasm || !(amd64 || arm64)

package u16

func blurRow(dst, below, src, above, middle []uint16) {
	blurRowGo(dst, below, src, above, middle)
}

func blurRowStream(dst, below, src, above, middle []uint16, ahead int) {
	blurRowGo(dst, below, src, above, middle)
}
