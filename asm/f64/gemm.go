package f64

import "github.com/numateam/numateam/asm"

// GemmLanes is the number of rows that GemmPackRows takes at once.
const GemmLanes = 8

// gemmSteps is the greatest number of steps of k, over all tiles, in one call of
// assembly: some ten microseconds.
const gemmSteps = 4 << 10

const shortGemm = "f64: slice too short for the matrix"

// GemmShape returns the size of the tile that GemmTiles works on: at most GemmLanes
// rows, and a multiple of 8 columns. It depends on the instruction set alone.
func GemmShape() (rows, cols int) { return gemmShape() }

// GemmTiles adds the products of rows of A and columns of B to tiles of C that lie side
// by side, each of GemmShape rows and columns: for each tile t, i < rows and j < cols
//
//	s := beta * c[i*ldc+t*cols+j] // 0 if beta == 0, whatever c holds
//	for l := range k {
//		s += float64(a[i*ars+l*acs] * b[t*bp+l*ldb+j])
//	}
//	c[i*ldc+t*cols+j] = s
//
// Each product is rounded before it's added, and the additions run in order, so that
// the result doesn't depend on the tile's size. Strides are at least 0. C mustn't
// overlap with A and B. k == 0 panics.
func GemmTiles(tiles, k int, a []float64, ars, acs int, b []float64, bp, ldb int, beta float64, c []float64, ldc int) {
	if tiles <= 0 {
		return
	}
	rows, cols := gemmShape()
	if k < 1 || len(a) < asm.Extent(rows, ars, asm.Extent(k, acs, 1)) ||
		len(b) < asm.Extent(tiles, bp, asm.Extent(k, ldb, cols)) || len(c) < asm.Extent(rows, ldc, asm.Extent(tiles, cols, cols)) {
		panic(shortGemm)
	}
	for k > gemmSteps {
		for t := range tiles {
			gemmTiles(1, gemmSteps, a, ars, acs, b[t*bp:], bp, ldb, beta, c[t*cols:], ldc)
		}
		k, a, b, beta = k-gemmSteps, a[gemmSteps*acs:], b[gemmSteps*ldb:], 1
	}
	for most := gemmSteps / k; tiles > most; tiles -= most {
		gemmTiles(most, k, a, ars, acs, b, bp, ldb, beta, c, ldc)
		b, c = b[most*bp:], c[most*cols:]
	}
	gemmTiles(tiles, k, a, ars, acs, b, bp, ldb, beta, c, ldc)
}

// GemmPackRows transposes GemmLanes rows of k elements: dst[l*w+i] = alpha *
// src[i*ld+l] for each l < k and i < GemmLanes. Traffic: 1 load, 1 store per element.
func GemmPackRows(dst []float64, w int, alpha float64, src []float64, ld, k int) {
	if k <= 0 {
		return
	}
	if len(dst) < asm.Extent(k, w, GemmLanes) || len(src) < asm.Extent(GemmLanes, ld, k) {
		panic(shortGemm)
	}
	const most = asm.Block / GemmLanes
	for k > most {
		gemmPackRows(dst, w, alpha, src, ld, most)
		k, dst, src = k-most, dst[most*w:], src[most:]
	}
	gemmPackRows(dst, w, alpha, src, ld, k)
}

// GemmPackCols copies k rows of w elements, w a multiple of 8: dst[l*w+j] = alpha *
// src[l*ld+j] for each l < k and j < w. Traffic: 1 load, 1 store per element.
func GemmPackCols(dst []float64, w int, alpha float64, src []float64, ld, k int) {
	if k <= 0 || w <= 0 {
		return
	}
	if w%8 != 0 || len(dst) < asm.Extent(k, w, w) || len(src) < asm.Extent(k, ld, w) {
		panic(shortGemm)
	}
	most := max(asm.Block/w, 1)
	for k > most {
		gemmPackCols(dst, w, alpha, src, ld, most)
		k, dst, src = k-most, dst[most*w:], src[most*ld:]
	}
	gemmPackCols(dst, w, alpha, src, ld, k)
}

// GemmRows multiplies without panels: for each i < m and j < n
//
//	s := beta * c[i*ldc+j] // 0 if beta == 0, whatever c holds
//	for l := range k {
//		s += float64(float64(alpha*a[i*ars+l*acs]) * b[l*ldb+j])
//	}
//	c[i*ldc+j] = s
//
// which is the same as GemmTiles with alpha * A. It's for small matrices
// and, with m = 1, for the product of a vector and a matrix. ars and acs are at least
// 0. C mustn't overlap with A and B.
func GemmRows(m, n, k int, alpha float64, a []float64, ars, acs int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	if m <= 0 || n <= 0 || k <= 0 {
		return
	}
	// The short way for gemv, which is m == 1.
	if len(a) < asm.Extent(k, acs, 1) || len(b) < asm.Extent(k, ldb, n) || len(c) < n ||
		m > 1 && (len(a) < asm.Extent(m, ars, asm.Extent(k, acs, 1)) || len(c) < asm.Extent(m, ldc, n)) {
		panic(shortGemm)
	}
	if m*n*k <= asm.Block {
		gemmRows(m, n, k, alpha, a, ars, acs, b, ldb, beta, c, ldc)
		return
	}
	// Eight rows of b at a time, in pieces that stay in the first cache with c's.
	const rows, cols = 8, 2048
	for i := range m {
		for j := 0; j < n; j += cols {
			beta := beta
			for l := 0; l < k; l += rows {
				gemmRows(1, min(cols, n-j), min(rows, k-l), alpha, a[i*ars+l*acs:], ars, acs, b[l*ldb+j:], ldb, beta, c[i*ldc+j:], ldc)
				beta = 1
			}
		}
	}
}
