package kernels

import (
	"gonum.org/v1/gonum/blas"

	"github.com/numateam/numateam/team"
)

// Dgemm computes C = alpha*op(A)*op(B) + beta*C, op being the identity or the transpose,
// for an m x n matrix C, with k columns of op(A).
func (b BLAS) Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b2 []float64, ldb int, beta float64, c []float64, ldc int) {
	gemm(b.team(), tA, tB, m, n, k, alpha, a, lda, b2, ldb, beta, c, ldc)
}

// Sgemm is Dgemm for float32.
func (b BLAS) Sgemm(tA, tB blas.Transpose, m, n, k int, alpha float32, a []float32, lda int, b2 []float32, ldb int, beta float32, c []float32, ldc int) {
	gemm(b.team(), tA, tB, m, n, k, alpha, a, lda, b2, ldb, beta, c, ldc)
}

func gemm[T real](t *team.Team, tA, tB blas.Transpose, m, n, k int, alpha T, a []T, lda int, b []T, ldb int, beta T, c []T, ldc int) {
	aTrans, bTrans := transposed(tA), transposed(tB)
	switch {
	case m < 0:
		panic(mLT0)
	case n < 0:
		panic(nLT0)
	case k < 0:
		panic(kLT0)
	}
	aRows, aCols := swapIf(aTrans, m, k)
	bRows, bCols := swapIf(bTrans, k, n)
	switch {
	case lda < max(1, aCols):
		panic(badLdA)
	case ldb < max(1, bCols):
		panic(badLdB)
	case ldc < max(1, n):
		panic(badLdC)
	}
	if m == 0 || n == 0 {
		return
	}
	switch {
	case len(a) < (aRows-1)*lda+aCols:
		panic(shortA)
	case len(b) < (bRows-1)*ldb+bCols:
		panic(shortB)
	case len(c) < (m-1)*ldc+n:
		panic(shortC)
	}
	if alpha == 0 || k == 0 {
		scaleRows(m, n, beta, c, ldc)
		return
	}
	p := product[T]{
		m: m, n: n, k: k, alpha: alpha, beta: beta,
		a: operand[T]{a, lda, byLane}, b: operand[T]{b, ldb, byStep},
		c: c, ldc: ldc,
	}
	if aTrans {
		p.a.kind = byStep
	}
	if bTrans {
		p.b.kind = byLane
	}
	p.run(t)
}

// scaleRows sets c *= beta, or to 0 where beta is 0.
func scaleRows[T real](m, n int, beta T, c []T, ldc int) {
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

// transposed reports whether t asks for the transpose, and panics if t is none of
// blas's values.
func transposed(t blas.Transpose) bool {
	switch t {
	case blas.NoTrans:
		return false
	case blas.Trans, blas.ConjTrans:
		return true
	}
	panic(badTranspose)
}

// swapIf returns a and b, in the other order if swap is set.
func swapIf(swap bool, a, b int) (int, int) {
	if swap {
		return b, a
	}
	return a, b
}
