//go:build !noasm

package f32

import "github.com/numateam/numateam/asm"

//go:noescape
func gemmTilesAVX2(tiles, k int, a *float32, ars, acs int, b *float32, bp, ldb int, beta float32, c *float32, ldc int)

//go:noescape
func gemmTilesAVX512(tiles, k int, a *float32, ars, acs int, b *float32, bp, ldb int, beta float32, c *float32, ldc int)

//go:noescape
func gemmPackRowsAVX2(dst *float32, w int, alpha float32, src *float32, ld, k int)

//go:noescape
func gemmPackColsAVX2(dst *float32, w int, alpha float32, src *float32, ld, k int)

//go:noescape
func gemmRowsAVX512(m, n, k int, alpha float32, a *float32, ars, acs int, b *float32, ldb int, beta float32, c *float32, ldc int)

//go:noescape
func gemmRowsAVX2(m, n, k int, alpha float32, a *float32, ars, acs int, b *float32, ldb int, beta float32, c *float32, ldc int)

func gemmShape() (rows, cols int) {
	switch {
	case asm.Active() >= asm.AVX512:
		return 8, 32
	case asm.Active() >= asm.AVX2:
		return 6, 16
	}
	return goRows, goCols
}

//go:noinline
func gemmTiles(tiles, k int, a []float32, ars, acs int, b []float32, bp, ldb int, beta float32, c []float32, ldc int) {
	switch {
	case asm.Active() >= asm.AVX512:
		gemmTilesAVX512(tiles, k, &a[0], ars, acs, &b[0], bp, ldb, beta, &c[0], ldc)
	case asm.Active() >= asm.AVX2:
		gemmTilesAVX2(tiles, k, &a[0], ars, acs, &b[0], bp, ldb, beta, &c[0], ldc)
	default:
		gemmTilesGo(tiles, k, a, ars, acs, b, bp, ldb, beta, c, ldc)
	}
}

//go:noinline
func gemmPackRows(dst []float32, w int, alpha float32, src []float32, ld, k int) {
	if asm.Active() >= asm.AVX2 {
		gemmPackRowsAVX2(&dst[0], w, alpha, &src[0], ld, k)
	} else {
		gemmPackRowsGo(dst, w, alpha, src, ld, k)
	}
}

//go:noinline
func gemmPackCols(dst []float32, w int, alpha float32, src []float32, ld, k int) {
	if asm.Active() >= asm.AVX2 {
		gemmPackColsAVX2(&dst[0], w, alpha, &src[0], ld, k)
	} else {
		gemmPackColsGo(dst, w, alpha, src, ld, k)
	}
}

//go:noinline
func gemmRows(m, n, k int, alpha float32, a []float32, ars, acs int, b []float32, ldb int, beta float32, c []float32, ldc int) {
	switch {
	case asm.Active() >= asm.AVX512 && n >= 16: // a vector and more
		gemmRowsAVX512(m, n, k, alpha, &a[0], ars, acs, &b[0], ldb, beta, &c[0], ldc)
	case asm.Active() >= asm.AVX2:
		gemmRowsAVX2(m, n, k, alpha, &a[0], ars, acs, &b[0], ldb, beta, &c[0], ldc)
	default:
		gemmRowsGo(m, n, k, alpha, a, ars, acs, b, ldb, beta, c, ldc)
	}
}
