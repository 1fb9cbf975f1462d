//go:build !noasm

package f32

import "github.com/numateam/numateam/asm"

//go:noescape
func gemmTileAVX2(k int, a, b, c *float32, ldc int, beta float32)

//go:noescape
func gemmTileAVX512(k int, a, b, c *float32, ldc int, beta float32)

//go:noescape
func gemmPackRowsAVX2(dst *float32, w int, src *float32, ld, k int, alpha float32)

//go:noescape
func gemmPackColsAVX2(dst, src *float32, ld, k, w int, alpha float32)

//go:noescape
func gemmRowsAVX2(m, n, k int, a *float32, ars, acs int, b *float32, ldb int, c *float32, ldc int, alpha, beta float32)

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
func gemmTile(k int, a, b []float32, beta float32, c []float32, ldc int) {
	switch {
	case asm.Active() >= asm.AVX512:
		gemmTileAVX512(k, &a[0], &b[0], &c[0], ldc, beta)
	case asm.Active() >= asm.AVX2:
		gemmTileAVX2(k, &a[0], &b[0], &c[0], ldc, beta)
	default:
		gemmTileGo(k, a, b, beta, c, ldc)
	}
}

//go:noinline
func gemmPackRows(dst []float32, w int, alpha float32, src []float32, ld, k int) {
	if asm.Active() >= asm.AVX2 {
		gemmPackRowsAVX2(&dst[0], w, &src[0], ld, k, alpha)
	} else {
		gemmPackRowsGo(dst, w, alpha, src, ld, k)
	}
}

//go:noinline
func gemmPackCols(dst []float32, w int, alpha float32, src []float32, ld, k int) {
	if asm.Active() >= asm.AVX2 {
		gemmPackColsAVX2(&dst[0], &src[0], ld, k, w, alpha)
	} else {
		gemmPackColsGo(dst, w, alpha, src, ld, k)
	}
}

//go:noinline
func gemmRows(m, n, k int, alpha float32, a []float32, ars, acs int, b []float32, ldb int, beta float32, c []float32, ldc int) {
	if asm.Active() >= asm.AVX2 {
		gemmRowsAVX2(m, n, k, &a[0], ars, acs, &b[0], ldb, &c[0], ldc, alpha, beta)
	} else {
		gemmRowsGo(m, n, k, alpha, a, ars, acs, b, ldb, beta, c, ldc)
	}
}
