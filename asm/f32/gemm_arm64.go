//go:build !noasm

package f32

import "github.com/numateam/numateam/asm"

//go:noescape
func gemmTilesNEON(tiles, k int, a *float32, ars, acs int, b *float32, bp, ldb int, beta float32, c *float32, ldc int)

//go:noescape
func gemmPackColsNEON(dst *float32, w int, alpha float32, src *float32, ld, k int)

//go:noescape
func gemmRowsNEON(m, n, k int, alpha float32, a *float32, ars, acs int, b *float32, ldb int, beta float32, c *float32, ldc int)

func gemmShape() (rows, cols int) {
	if asm.Active() == asm.NEON {
		return 6, 16
	}
	return goRows, goCols
}

//go:noinline
func gemmTiles(tiles, k int, a []float32, ars, acs int, b []float32, bp, ldb int, beta float32, c []float32, ldc int) {
	if asm.Active() == asm.NEON {
		gemmTilesNEON(tiles, k, &a[0], ars, acs, &b[0], bp, ldb, beta, &c[0], ldc)
	} else {
		gemmTilesGo(tiles, k, a, ars, acs, b, bp, ldb, beta, c, ldc)
	}
}

// Transposing takes one load and one store per element in any case, so that plain Go is
// good enough for it.
//
//go:noinline
func gemmPackRows(dst []float32, w int, alpha float32, src []float32, ld, k int) {
	gemmPackRowsGo(dst, w, alpha, src, ld, k)
}

//go:noinline
func gemmPackCols(dst []float32, w int, alpha float32, src []float32, ld, k int) {
	if asm.Active() == asm.NEON {
		gemmPackColsNEON(&dst[0], w, alpha, &src[0], ld, k)
	} else {
		gemmPackColsGo(dst, w, alpha, src, ld, k)
	}
}

//go:noinline
func gemmRows(m, n, k int, alpha float32, a []float32, ars, acs int, b []float32, ldb int, beta float32, c []float32, ldc int) {
	if asm.Active() == asm.NEON {
		gemmRowsNEON(m, n, k, alpha, &a[0], ars, acs, &b[0], ldb, beta, &c[0], ldc)
	} else {
		gemmRowsGo(m, n, k, alpha, a, ars, acs, b, ldb, beta, c, ldc)
	}
}
