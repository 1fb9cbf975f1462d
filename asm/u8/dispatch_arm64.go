//go:build !noasm

package u8

import "github.com/numateam/numateam/asm"

//go:noescape
func blurRowNEON(dst, above, middle, src *uint8, n, ahead int)

//go:noinline
func blurRowStream(dst, above, middle, src []uint8, ahead int) {
	if n := len(dst); n >= 16 && asm.Active() == asm.NEON {
		blurRowNEON(&dst[0], &above[0], &middle[0], &src[0], n, ahead)
	} else {
		blurRowGo(dst, above, middle, src)
	}
}

func blurRow(dst, above, middle, src []uint8) {
	blurRowStream(dst, above, middle, src, 0)
}
