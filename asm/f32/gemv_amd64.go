//go:build !noasm

package f32

import (
	"unsafe"

	"github.com/numateam/numateam/asm"
)

//go:noescape
func gemvRowsAVX512(m, n int, alpha float32, a *float32, lda int, x *float32, beta float32, y *float32)

//go:noescape
func gemvRowsAVX2(m, n int, alpha float32, a *float32, lda int, x *float32, beta float32, y *float32)

//go:noescape
func gemvRowsSSE2(m, n int, alpha float32, a *float32, lda int, x *float32, beta float32, y *float32)

//go:noescape
func gerAVX512(m, n int, alpha float32, x *float32, incX int, y, a *float32, lda int)

//go:noescape
func gerAVX2(m, n int, alpha float32, x *float32, incX int, y, a *float32, lda int)

//go:noescape
func gerSSE2(m, n int, alpha float32, x *float32, incX int, y, a *float32, lda int)

// gemvTurn is how many rows AVX-512 takes at once, and AVX2 in two turns. Rows of more than gemvLong
// elements are given to them in whole turns only; what's left goes one by one.
const gemvTurn, gemvLong = 8, 256

//go:noinline
func gemvRows(m, n int, alpha float32, a *float32, lda int, x *float32, beta float32, y *float32) {
	switch {
	case asm.Active() < asm.SSE2 || n > blockLen:
		gemvRowsGo(m, n, alpha, a, lda, x, beta, y)
	case n > gemvLong || m*n > asm.Block:
		gemvParts(m, n, alpha, a, lda, x, beta, y)
	case asm.Active() >= asm.AVX512:
		gemvRowsAVX512(m, n, alpha, a, lda, x, beta, y)
	case asm.Active() >= asm.AVX2:
		gemvRowsAVX2(m, n, alpha, a, lda, x, beta, y)
	default:
		gemvRowsSSE2(m, n, alpha, a, lda, x, beta, y)
	}
}

// gemvParts does what's too much for one call, and the rows behind the last turn one by one.
func gemvParts(m, n int, alpha float32, a *float32, lda int, x *float32, beta float32, y *float32) {
	rows, r := unsafe.Slice(a, (m-1)*lda+n), unsafe.Slice(y, m)
	most := asm.Block / n &^ (gemvTurn - 1)
	for i := 0; i < m; i += most {
		part := min(most, m-i)
		turns := part
		if n > gemvLong {
			turns &^= gemvTurn - 1
		}
		switch {
		case turns == 0:
		case asm.Active() >= asm.AVX512:
			gemvRowsAVX512(turns, n, alpha, &rows[i*lda], lda, x, beta, &r[i])
		case asm.Active() >= asm.AVX2:
			gemvRowsAVX2(turns, n, alpha, &rows[i*lda], lda, x, beta, &r[i])
		default:
			gemvRowsSSE2(turns, n, alpha, &rows[i*lda], lda, x, beta, &r[i])
		}
		if turns < part {
			gemvRowsGo(part-turns, n, alpha, &rows[(i+turns)*lda], lda, x, beta, &r[i+turns])
		}
	}
}

//go:noinline
func ger(m, n int, alpha float32, x []float32, incX int, y, a []float32, lda int) {
	if m <= 0 || n <= 0 {
		return
	}
	if incX < 1 || lda < n || len(x) < asm.Extent(m, incX, 1) || len(y) < n || len(a) < asm.Extent(m, lda, n) {
		panic(shortGemm)
	}
	switch {
	case m*n > asm.Block:
		gerBlocks(m, n, alpha, x, incX, y, a, lda)
	case asm.Active() >= asm.AVX512:
		gerAVX512(m, n, alpha, &x[0], incX, &y[0], &a[0], lda)
	case asm.Active() >= asm.AVX2:
		gerAVX2(m, n, alpha, &x[0], incX, &y[0], &a[0], lda)
	case asm.Active() >= asm.SSE2:
		gerSSE2(m, n, alpha, &x[0], incX, &y[0], &a[0], lda)
	default:
		gemmRows(m, n, 1, alpha, x, incX, 0, y, 0, 1, a, lda)
	}
}
