//go:build noasm || !(amd64 || arm64)

package f32

func gemmShape() (rows, cols int) { return goRows, goCols }

func gemmTiles(tiles, k int, a []float32, ars, acs int, b []float32, bp, ldb int, beta float32, c []float32, ldc int) {
	gemmTilesGo(tiles, k, a, ars, acs, b, bp, ldb, beta, c, ldc)
}

func gemmPackRows(dst []float32, w int, alpha float32, src []float32, ld, k int) {
	gemmPackRowsGo(dst, w, alpha, src, ld, k)
}

func gemmPackCols(dst []float32, w int, alpha float32, src []float32, ld, k int) {
	gemmPackColsGo(dst, w, alpha, src, ld, k)
}

func gemmRows(m, n, k int, alpha float32, a []float32, ars, acs int, b []float32, ldb int, beta float32, c []float32, ldc int) {
	gemmRowsGo(m, n, k, alpha, a, ars, acs, b, ldb, beta, c, ldc)
}
