package f32

import (
	"unsafe"

	"github.com/numateam/numateam/asm"
)

// GemvRows multiplies rows of n elements, lda apart, with a vector: for each i < m
//
//	v := float32(alpha * Dot(a[i*lda:][:n], x[:n]))
//	if beta != 0 {
//		v += float32(beta * y[i])
//	}
//	y[i] = v
//
// It panics before anything is written if a slice is too short, or lda less than n. y mustn't
// overlap with a and x. Traffic: 1 load per element of a.
func GemvRows(m, n int, alpha float32, a []float32, lda int, x []float32, beta float32, y []float32) {
	if m <= 0 || n <= 0 {
		return
	}
	if lda < n || len(a) < asm.Extent(m, lda, n) || len(x) < n || len(y) < m {
		panic(shortGemm)
	}
	gemvRows(m, n, alpha, unsafe.SliceData(a), lda, unsafe.SliceData(x), beta, unsafe.SliceData(y))
}

// Ger adds the outer product of two vectors to rows of n elements, lda apart: for each i < m and
// j < n
//
//	a[i*lda+j] += float32(float32(alpha*x[i*incX]) * y[j])
//
// It's for n that are small; longer rows are an Axpy each. It panics before anything is written if
// a slice is too short, incX less than 1, or lda less than n. a mustn't overlap with x and y.
// Traffic: 1 load, 1 store per element of a.
func Ger(m, n int, alpha float32, x []float32, incX int, y, a []float32, lda int) {
	ger(m, n, alpha, x, incX, y, a, lda)
}

// gerBlocks does what's too much for one call: some rows in each, or less than a row.
func gerBlocks(m, n int, alpha float32, x []float32, incX int, y, a []float32, lda int) {
	if n > asm.Block {
		for i := range m {
			axpy(float32(alpha*x[i*incX]), y[:n], a[i*lda:][:n])
		}
		return
	}
	for most := asm.Block / n; m > 0; m -= most {
		rows := min(most, m)
		ger(rows, n, alpha, x, incX, y, a, lda)
		if rows < m {
			x, a = x[rows*incX:], a[rows*lda:]
		}
	}
}

// gemvRowsGo takes a row at a time.
func gemvRowsGo(m, n int, alpha float32, a *float32, lda int, x *float32, beta float32, y *float32) {
	rows, u, r := unsafe.Slice(a, (m-1)*lda+n), unsafe.Slice(x, n), unsafe.Slice(y, m)
	for i := range r {
		v := float32(alpha * dot(rows[i*lda:][:n], u))
		if beta != 0 {
			v += float32(beta * r[i])
		}
		r[i] = v
	}
}
