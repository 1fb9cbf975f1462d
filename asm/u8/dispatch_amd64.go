//go:build !noasm

package u8

import "github.com/numateam/numateam/asm"

// The forms need a row of at least one vector: n >= 16 and 32. A shorter row takes the one
// with shorter vectors. The stream forms take dst aligned to cache lines, and whole ones.

//go:noescape
func blurRowSSE2(dst, above, middle, src *uint8, n int)

//go:noescape
func blurRowStreamSSE2(dst, above, middle, src *uint8, n, ahead int)

//go:noescape
func blurRowAVX2(dst, above, middle, src *uint8, n int)

//go:noescape
func blurRowStreamAVX2(dst, above, middle, src *uint8, n, ahead int)

//go:noinline
func blurRow(dst, above, middle, src []uint8) {
	switch n, isa := len(dst), asm.Active(); {
	case n >= 32 && isa >= asm.AVX2:
		blurRowAVX2(&dst[0], &above[0], &middle[0], &src[0], n)
	case n >= 16 && isa >= asm.SSE2:
		blurRowSSE2(&dst[0], &above[0], &middle[0], &src[0], n)
	default:
		blurRowGo(dst, above, middle, src)
	}
}

//go:noinline
func blurRowStream(dst, above, middle, src []uint8, ahead int) {
	switch n, isa := len(dst), asm.Active(); {
	case isa >= asm.AVX2:
		blurRowStreamAVX2(&dst[0], &above[0], &middle[0], &src[0], n, ahead)
	case isa >= asm.SSE2:
		blurRowStreamSSE2(&dst[0], &above[0], &middle[0], &src[0], n, ahead)
	default:
		blurRowGo(dst, above, middle, src)
	}
}
