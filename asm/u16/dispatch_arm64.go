//go:build !noasm

package u16

import "github.com/numateam/numateam/asm"

//go:noescape
func blurRowNEON(dst, above, middle, src *uint16, n, ahead int)

//go:noinline
func blurRowStream(dst, above, middle, src []uint16, ahead int) {
	if n := len(dst); n >= 8 && asm.Active() == asm.NEON {
		blurRowNEON(&dst[0], &above[0], &middle[0], &src[0], n, ahead)
	} else {
		blurRowGo(dst, above, middle, src)
	}
}

func blurRow(dst, above, middle, src []uint16) {
	blurRowStream(dst, above, middle, src, 0)
}
