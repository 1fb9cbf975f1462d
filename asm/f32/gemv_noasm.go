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
	checkGer(m, n, x, incX, y, a, lda)
	if m > 1 && m*n > asm.Block {
		gerBlocks(m, n, alpha, x, incX, y, a, lda)
		return
	}
	gemmRows(m, n, 1, alpha, x, incX, 0, y, 0, 1, a, lda)
}
