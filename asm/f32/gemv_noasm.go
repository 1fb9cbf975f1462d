//go:build noasm || !amd64

package f32

import "github.com/numateam/numateam/asm"

func gemvRows(m, n int, alpha float32, a *float32, lda int, x *float32, beta float32, y *float32) {
	gemvRowsGo(m, n, alpha, a, lda, x, beta, y)
}

func ger(m, n int, alpha float32, x []float32, incX int, y, a []float32, lda int) {
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
