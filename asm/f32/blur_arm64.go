//go:build !noasm

package f32

import "github.com/numateam/numateam/asm"

//go:noescape
func blurRowNEON(dst, above, middle, src *float32, n, ahead int)

//go:noinline
func blurRowStream(dst, above, middle, src []float32, ahead int) {
	if n := len(dst); n >= 4 && asm.Active() == asm.NEON {
		blurRowNEON(&dst[0], &above[0], &middle[0], &src[0], n, ahead)
	} else {
		blurRowGo(dst, above, middle, src)
	}
}

func blurRow(dst, above, middle, src []float32) {
	blurRowStream(dst, above, middle, src, 0)
}
