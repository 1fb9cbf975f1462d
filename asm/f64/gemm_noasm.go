//go:build noasm || !(amd64 || arm64)

package f64

func gemmShape() (rows, cols int) { return goRows, goCols }

func gemmTiles(tiles, k int, a []float64, ars, acs int, b []float64, bp, ldb int, beta float64, c []float64, ldc int) {
	gemmTilesGo(tiles, k, a, ars, acs, b, bp, ldb, beta, c, ldc)
}

func gemmPackRows(dst []float64, w int, alpha float64, src []float64, ld, k int) {
	gemmPackRowsGo(dst, w, alpha, src, ld, k)
}

func gemmPackCols(dst []float64, w int, alpha float64, src []float64, ld, k int) {
	gemmPackColsGo(dst, w, alpha, src, ld, k)
}

func gemmRows(m, n, k int, alpha float64, a []float64, ars, acs int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	gemmRowsGo(m, n, k, alpha, a, ars, acs, b, ldb, beta, c, ldc)
}
