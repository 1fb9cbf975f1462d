//go:build noasm || !amd64

package f64

import "github.com/numateam/numateam/asm"

func gemvRows(m, n int, alpha float64, a *float64, lda int, x *float64, beta float64, y *float64) {
	gemvRowsGo(m, n, alpha, a, lda, x, beta, y)
}

func ger(m, n int, alpha float64, x []float64, incX int, y, a []float64, lda int) {
	if m <= 0 || n <= 0 {
		return
	}
	if incX < 1 || lda < n || len(x) < asm.Extent(m, incX, 1) || len(y) < n || len(a) < asm.Extent(m, lda, n) {
		panic(shortGemm)
	}
	if m*n > asm.Block {
		gerBlocks(m, n, alpha, x, incX, y, a, lda)
		return
	}
	gemmRows(m, n, 1, alpha, x, incX, 0, y, 0, 1, a, lda)
}
