package kernels

import (
	"gonum.org/v1/gonum/blas"

	"github.com/numateam/numateam/asm"
	"github.com/numateam/numateam/team"
)

// Dgemm computes C = alpha*op(A)*op(B) + beta*C for an m x n matrix C, op being the
// identity or the transpose and k the number of columns of op(A).
func (b BLAS) Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b2 []float64, ldb int, beta float64, c []float64, ldc int) {
	gemm(b.team(), tA, tB, m, n, k, alpha, a, lda, b2, ldb, beta, c, ldc)
}

// Sgemm computes C = alpha*op(A)*op(B) + beta*C for an m x n matrix C, op being the
// identity or the transpose and k the number of columns of op(A).
func (b BLAS) Sgemm(tA, tB blas.Transpose, m, n, k int, alpha float32, a []float32, lda int, b2 []float32, ldb int, beta float32, c []float32, ldc int) {
	gemm(b.team(), tA, tB, m, n, k, alpha, a, lda, b2, ldb, beta, c, ldc)
}

func gemm[T scalar](t *team.Team, tA, tB blas.Transpose, m, n, k int, alpha T, a []T, lda int, b []T, ldb int, beta T, c []T, ldc int) {
	aTrans, bTrans := transposed(tA), transposed(tB)
	checkSizes(m, n, k)
	aRows, aCols := swapIf(aTrans, m, k)
	bRows, bCols := swapIf(bTrans, k, n)
	checkStrides(lda, aCols, ldb, bCols, ldc, n)
	if m == 0 || n == 0 {
		return
	}
	checkMatrix(a, aRows, aCols, lda, shortA)
	checkMatrix(b, bRows, bCols, ldb, shortB)
	checkMatrix(c, m, n, ldc, shortC)
	if alpha == 0 || k == 0 {
		scaleRows(m, n, beta, c, ldc)
		return
	}
	if max(m, n, k) <= gemmTiny {
		ars, acs := swapIf(aTrans, lda, 1)
		brs, bcs := swapIf(bTrans, ldb, 1)
		for i := range m {
			for j := range n {
				var s T
				if beta != 0 {
					s = beta * c[i*ldc+j]
				}
				x, y := i*ars, j*bcs
				for range k {
					s += T(T(alpha*a[x]) * b[y])
					x += acs
					y += brs
				}
				c[i*ldc+j] = s
			}
		}
		return
	}
	multiply(t, whole, m, n, k, alpha, rowsOf(a, lda, aTrans), colsOf(b, ldb, bTrans), beta, c, ldc)
}

// multiply computes C = alpha*A*B + beta*C, k at least 1: at once where the matrices are
// small, else by product.run.
func multiply[T scalar](t *team.Team, part part, m, n, k int, alpha T, a, b operand[T], beta T, c []T, ldc int) {
	if max(m, n, k) <= gemmSmall && part == whole && a.kind <= byStep && b.kind <= byStep {
		multiplySmall(m, n, k, alpha, a, b, beta, c, ldc)
		return
	}
	product[T]{m: m, n: n, k: k, alpha: alpha, beta: beta, a: a, b: b, c: c, ldc: ldc, part: part}.run(t)
}

const (
	gemmSmall = 16 // sizes up to which nothing is packed
	gemmTiny  = 3  // sizes up to which a plain loop is the fastest
)

// multiplySmall computes small products where the operands are. A transposed B is turned
// first.
func multiplySmall[T scalar](m, n, k int, alpha T, a, b operand[T], beta T, c []T, ldc int) {
	ars, acs := a.strides()
	if b.kind == byStep {
		gemmRows(m, n, k, alpha, a.x, ars, acs, b.x, b.ld, beta, c, ldc)
		return
	}
	var turned [gemmSmall * gemmSmall]T
	turn(turned[:], n, b.x, b.ld, n, k)
	gemmRows(m, n, k, alpha, a.x, ars, acs, turned[:], n, beta, c, ldc)
}

// Dsyrk computes C = alpha*A*A' + beta*C, or alpha*A'*A + beta*C if tA is set, in one
// triangle of the n x n matrix C.
func (b BLAS) Dsyrk(ul blas.Uplo, tA blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64, c []float64, ldc int) {
	syrk(b.team(), ul, tA, n, k, alpha, a, lda, beta, c, ldc)
}

// Ssyrk computes C = alpha*A*A' + beta*C, or alpha*A'*A + beta*C if tA is set, in one
// triangle of the n x n matrix C.
func (b BLAS) Ssyrk(ul blas.Uplo, tA blas.Transpose, n, k int, alpha float32, a []float32, lda int, beta float32, c []float32, ldc int) {
	syrk(b.team(), ul, tA, n, k, alpha, a, lda, beta, c, ldc)
}

func syrk[T scalar](t *team.Team, ul blas.Uplo, tA blas.Transpose, n, k int, alpha T, a []T, lda int, beta T, c []T, ldc int) {
	part := triangle(ul)
	trans := transposed(tA)
	switch {
	case n < 0:
		panic(nLT0)
	case k < 0:
		panic(kLT0)
	}
	rows, cols := swapIf(trans, n, k)
	switch {
	case lda < max(1, cols):
		panic(badLdA)
	case ldc < max(1, n):
		panic(badLdC)
	}
	if n == 0 {
		return
	}
	checkMatrix(a, rows, cols, lda, shortA)
	checkMatrix(c, n, n, ldc, shortC)
	if alpha == 0 || k == 0 {
		for i := range n {
			from, to := part.columns(i, 0, n)
			scaleRows(1, to-from, beta, c[i*ldc+from:], ldc)
		}
		return
	}
	multiply(t, part, n, n, k, alpha, rowsOf(a, lda, trans), colsOf(a, lda, !trans), beta, c, ldc)
}

// Dsymm computes C = alpha*A*B + beta*C, or alpha*B*A + beta*C if s is Right, for an m x n
// matrix C and a symmetric A, of which one triangle is read.
func (b BLAS) Dsymm(s blas.Side, ul blas.Uplo, m, n int, alpha float64, a []float64, lda int, b2 []float64, ldb int, beta float64, c []float64, ldc int) {
	symm(b.team(), s, ul, m, n, alpha, a, lda, b2, ldb, beta, c, ldc)
}

// Ssymm computes C = alpha*A*B + beta*C, or alpha*B*A + beta*C if s is Right, for an m x n
// matrix C and a symmetric A, of which one triangle is read.
func (b BLAS) Ssymm(s blas.Side, ul blas.Uplo, m, n int, alpha float32, a []float32, lda int, b2 []float32, ldb int, beta float32, c []float32, ldc int) {
	symm(b.team(), s, ul, m, n, alpha, a, lda, b2, ldb, beta, c, ldc)
}

func symm[T scalar](t *team.Team, s blas.Side, ul blas.Uplo, m, n int, alpha T, a []T, lda int, b []T, ldb int, beta T, c []T, ldc int) {
	left := isLeft(s)
	symmetric := operand[T]{a, lda, symLow}
	if triangle(ul) == upper {
		symmetric.kind = symHigh
	}
	checkSizes(m, n, 0)
	k := n
	if left {
		k = m
	}
	checkStrides(lda, k, ldb, n, ldc, n)
	if m == 0 || n == 0 {
		return
	}
	checkMatrix(a, k, k, lda, shortA)
	checkMatrix(b, m, n, ldb, shortB)
	checkMatrix(c, m, n, ldc, shortC)
	switch {
	case alpha == 0:
		scaleRows(m, n, beta, c, ldc)
	case left:
		multiply(t, whole, m, n, k, alpha, symmetric, colsOf(b, ldb, false), beta, c, ldc)
	default:
		multiply(t, whole, m, n, k, alpha, rowsOf(b, ldb, false), symmetric, beta, c, ldc)
	}
}

// scaleRows sets c *= beta, or to 0 where beta is 0.
func scaleRows[T scalar](m, n int, beta T, c []T, ldc int) {
	for i := range m {
		row := c[i*ldc:][:n]
		switch beta {
		case 0:
			clear(row)
		case 1:
		default:
			for j := range row {
				row[j] *= beta
			}
		}
	}
}

// rowsOf returns op(A) with its rows for lanes, and colsOf op(B) with its columns.
func rowsOf[T scalar](a []T, lda int, trans bool) operand[T] {
	if trans {
		return operand[T]{a, lda, byStep}
	}
	return operand[T]{a, lda, byLane}
}

func colsOf[T scalar](b []T, ldb int, trans bool) operand[T] { return rowsOf(b, ldb, !trans) }

// swapIf returns a and b, in the other order if swap is set.
func swapIf(swap bool, a, b int) (int, int) {
	if swap {
		return b, a
	}
	return a, b
}

// The checks of level 3, in gonum's order.

func transposed(t blas.Transpose) bool {
	switch t {
	case blas.NoTrans:
		return false
	case blas.Trans, blas.ConjTrans:
		return true
	}
	panic(badTranspose)
}

func triangle(ul blas.Uplo) part {
	switch ul {
	case blas.Lower:
		return lower
	case blas.Upper:
		return upper
	}
	panic(badUplo)
}

func isLeft(s blas.Side) bool {
	switch s {
	case blas.Left:
		return true
	case blas.Right:
		return false
	}
	panic(badSide)
}

func checkSizes(m, n, k int) {
	switch {
	case m < 0:
		panic(mLT0)
	case n < 0:
		panic(nLT0)
	case k < 0:
		panic(kLT0)
	}
}

func checkStrides(lda, aCols, ldb, bCols, ldc, cCols int) {
	switch {
	case lda < max(1, aCols):
		panic(badLdA)
	case ldb < max(1, bCols):
		panic(badLdB)
	case ldc < max(1, cCols):
		panic(badLdC)
	}
}

func checkMatrix[T scalar](x []T, rows, cols, ld int, short string) {
	if rows > 0 && len(x) < asm.Extent(rows, ld, cols) {
		panic(short)
	}
}
