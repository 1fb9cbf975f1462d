//go:build !noasm

package u8

import "github.com/numateam/numateam/asm"

//go:noescape
func blurRowNEON(dst, below, src, above, middle *uint8, n, ahead int)

//go:noinline
func blurRowStream(dst, below, src, above, middle []uint8, ahead int) {
	if n := len(dst); n >= 16 && asm.Active() == asm.NEON {
		blurRowNEON(&dst[0], &below[0], &src[0], &above[0], &middle[0], n, ahead)
	} else {
		blurRowGo(dst, below, src, above, middle)
	}
}

func blurRow(dst, below, src, above, middle []uint8) {
	blurRowStream(dst, below, src, above, middle, 0)
}
