package kernels

import (
	"unsafe"

	"gonum.org/v1/gonum/blas"

	"github.com/numateam/numateam/asm"
	"github.com/numateam/numateam/asm/f32"
	"github.com/numateam/numateam/asm/f64"
	"github.com/numateam/numateam/team"
)

// Dgemv computes y = alpha*op(A)*x + beta*y for an m x n matrix A. A row of A times x is
// a Dot; a column of A times x is a chain that starts from beta*y, as in gemm.
func (b BLAS) Dgemv(tA blas.Transpose, m, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64, y []float64, incY int) {
	if incX == 1 && incY == 1 && alpha != 0 && small(m, n, a, lda) {
		switch {
		case tA == blas.NoTrans && n <= len(x) && m <= len(y):
			if m*n <= fewDot {
				gemvFew(m, n, alpha, a, lda, x, beta, y)
			} else {
				f64.GemvRows(m, n, alpha, a, lda, x, beta, y)
			}
			return
		case (tA == blas.Trans || tA == blas.ConjTrans) && m <= len(x) && n <= len(y):
			f64.GemmRows(1, n, m, alpha, x, 0, 1, a, lda, beta, y, 0)
			return
		}
	}
	gemv(b.team(), tA, m, n, alpha, a, lda, x, incX, beta, y, incY)
}

// Sgemv computes y = alpha*op(A)*x + beta*y for an m x n matrix A. A row of A times x is
// a Dot; a column of A times x is a chain that starts from beta*y, as in gemm.
func (b BLAS) Sgemv(tA blas.Transpose, m, n int, alpha float32, a []float32, lda int, x []float32, incX int, beta float32, y []float32, incY int) {
	if incX == 1 && incY == 1 && alpha != 0 && small(m, n, a, lda) {
		switch {
		case tA == blas.NoTrans && n <= len(x) && m <= len(y):
			if m*n <= fewDot {
				gemvFew(m, n, alpha, a, lda, x, beta, y)
			} else {
				f32.GemvRows(m, n, alpha, a, lda, x, beta, y)
			}
			return
		case (tA == blas.Trans || tA == blas.ConjTrans) && m <= len(x) && n <= len(y):
			f32.GemmRows(1, n, m, alpha, x, 0, 1, a, lda, beta, y, 0)
			return
		}
	}
	gemv(b.team(), tA, m, n, alpha, a, lda, x, incX, beta, y, incY)
}

// small reports whether an m x n matrix is there, and too small for a team. What overflows here,
// with a stride like 1<<60, the assembly's own checks find out.
func small[T scalar](m, n int, a []T, lda int) bool {
	return m > 0 && n > 0 && n <= lda && lda*(m-1)+n <= len(a) && m*n <= gemvAlone
}

// gemvAlone is the greatest number of elements of A that gemv works on without its team.
const gemvAlone = 4 * grain

func gemv[T scalar](t *team.Team, tA blas.Transpose, m, n int, alpha T, a []T, lda int, x []T, incX int, beta T, y []T, incY int) {
	trans := transposed(tA)
	checkLevel2(m, n, lda, incX, incY)
	if m == 0 || n == 0 {
		return
	}
	lenX, lenY := n, m
	if trans {
		lenX, lenY = m, n
	}
	checkVectors(lenX, x, incX, lenY, y, incY)
	if len(a) < asm.Extent(m, lda, n) {
		panic(shortA)
	}
	serially := m*n <= gemvAlone
	if trans && serially && alpha != 0 && incX > 0 && incY == 1 {
		gemmRows(1, n, m, alpha, x, 0, incX, a, lda, beta, y, 0)
		return
	}
	uy := contiguous(lenY, y, incY)
	defer uy.free()
	if alpha == 0 {
		scaleRows(1, lenY, beta, uy.x, lenY)
		uy.writeBack(y, incY)
		return
	}
	ux := contiguous(lenX, x, incX)
	defer ux.free()
	j := blasJob[T]{alpha: alpha, beta: beta, x: ux.x, y: uy.x, a: a, m: m, n: n, lda: lda}
	switch {
	case trans && serially:
		gemvColumns(&j, 0, n)
	case trans:
		j.launch(t, doGemvColumns, matrixGrain(m), team.Over(j.y), n)
	case serially:
		gemvRows(&j, 0, m)
	default:
		j.launch(t, doGemvRows, matrixGrain(n), j.overRows(), m)
	}
	uy.writeBack(y, incY)
}

// gemvFew is gemv for a matrix of few elements.
func gemvFew[T scalar](m, n int, alpha T, a []T, lda int, x []T, beta T, y []T) {
	x = x[:n]
	for i := range y[:m] {
		var l [8]T
		for k, v := range a[i*lda:][:n] {
			l[k] += T(v * x[k])
		}
		v := T(alpha * foldFew(&l))
		if beta != 0 {
			v += T(beta * y[i])
		}
		y[i] = v
	}
}

// gemvRows computes elements [lo, hi) of y = alpha*A*x + beta*y.
func gemvRows[T scalar](j *blasJob[T], lo, hi int) {
	a, y := j.a[lo*j.lda:], j.y[lo:hi]
	if is32[T]() {
		f32.GemvRows(hi-lo, j.n, float32(j.alpha), as[float32](a), j.lda, as[float32](j.x), float32(j.beta), as[float32](y))
	} else {
		f64.GemvRows(hi-lo, j.n, float64(j.alpha), as[float64](a), j.lda, as[float64](j.x), float64(j.beta), as[float64](y))
	}
}

// gemvColumns computes elements [lo, hi) of y = alpha*A'*x + beta*y.
func gemvColumns[T scalar](j *blasJob[T], lo, hi int) {
	gemmRows(1, hi-lo, j.m, j.alpha, j.x, 0, 1, j.a[lo:], j.lda, j.beta, j.y[lo:], 0)
}

// Dger computes A += alpha*x*y' for an m x n matrix A.
func (b BLAS) Dger(m, n int, alpha float64, x []float64, incX int, y []float64, incY int, a []float64, lda int) {
	if n <= shortRow && incX > 0 && incY == 1 && alpha != 0 && small(m, n, a, lda) && (m-1)*incX < len(x) && n <= len(y) {
		f64.Ger(m, n, alpha, x, incX, y, a, lda)
		return
	}
	ger(b.team(), m, n, alpha, x, incX, y, incY, a, lda)
}

// Sger computes A += alpha*x*y' for an m x n matrix A.
func (b BLAS) Sger(m, n int, alpha float32, x []float32, incX int, y []float32, incY int, a []float32, lda int) {
	if n <= shortRow && incX > 0 && incY == 1 && alpha != 0 && small(m, n, a, lda) && (m-1)*incX < len(x) && n <= len(y) {
		f32.Ger(m, n, alpha, x, incX, y, a, lda)
		return
	}
	ger(b.team(), m, n, alpha, x, incX, y, incY, a, lda)
}

func ger[T scalar](t *team.Team, m, n int, alpha T, x []T, incX int, y []T, incY int, a []T, lda int) {
	checkLevel2(m, n, lda, incX, incY)
	if m == 0 || n == 0 {
		return
	}
	checkVectors(m, x, incX, n, y, incY)
	if len(a) < asm.Extent(m, lda, n) {
		panic(shortA)
	}
	if alpha == 0 {
		return
	}
	if incX < 0 {
		ux := contiguous(m, x, incX)
		defer ux.free()
		x, incX = ux.x, 1
	}
	uy := contiguous(n, y, incY)
	defer uy.free()
	j := blasJob[T]{alpha: alpha, x: x, incX: incX, y: uy.x, a: a, m: m, n: n, lda: lda}
	if m*n <= gerAlone {
		gerRows(&j, 0, m)
		return
	}
	j.launch(t, doGer, matrixGrain(n), j.overRows(), m)
}

// gerAlone is the greatest number of elements of A that ger works on without its team. LU calls it
// for each column of a panel, and reads and scales the next column alone in between: LU of order
// 2000 is a quarter faster on two workers than if they shared the panel.
const gerAlone = 4 * serial

// shortRow is the greatest number of elements in a row that isn't worth a call of its own.
const shortRow = 512

// gerRows computes rows [lo, hi) of A += alpha*x*y'.
func gerRows[T scalar](j *blasJob[T], lo, hi int) {
	if j.n > shortRow {
		for i := lo; i < hi; i++ {
			axpyOf(j.alpha*j.x[i*j.incX], j.y, j.a[i*j.lda:][:j.n])
		}
		return
	}
	x, a := j.x[lo*j.incX:], j.a[lo*j.lda:]
	if is32[T]() {
		f32.Ger(hi-lo, j.n, float32(j.alpha), as[float32](x), j.incX, as[float32](j.y), as[float32](a), j.lda)
	} else {
		f64.Ger(hi-lo, j.n, float64(j.alpha), as[float64](x), j.incX, as[float64](j.y), as[float64](a), j.lda)
	}
}

// overRows is the span of a launch whose index is a row of A.
func (j *blasJob[T]) overRows() team.Span {
	return team.Span{Base: unsafe.Pointer(&j.a[0]), Stride: uintptr(j.lda) * unsafe.Sizeof(j.alpha)}
}

// matrixGrain returns the grain of a launch whose index stands for depth elements of A: worth
// waking a worker for, and whole cache lines of y.
func matrixGrain(depth int) int {
	const line = 16
	return ceil(ceil(grain, depth), line) * line
}

// checkLevel2 checks what gemv and ger have in common.
func checkLevel2(m, n, lda, incX, incY int) {
	switch {
	case m < 0:
		panic(mLT0)
	case n < 0:
		panic(nLT0)
	case lda < max(1, n):
		panic(badLdA)
	case incX == 0:
		panic(zeroIncX)
	case incY == 0:
		panic(zeroIncY)
	}
}

func checkVectors[T scalar](lenX int, x []T, incX, lenY int, y []T, incY int) {
	switch {
	case len(x) < asm.Extent(lenX, max(incX, -incX), 1):
		panic(shortX)
	case len(y) < asm.Extent(lenY, max(incY, -incY), 1):
		panic(shortY)
	}
}

func axpyOf[T scalar](a T, x, y []T) {
	if is32[T]() {
		f32.Axpy(float32(a), as[float32](x), as[float32](y))
	} else {
		f64.Axpy(float64(a), as[float64](x), as[float64](y))
	}
}

func scaleOf[T scalar](x []T, a T) {
	if is32[T]() {
		f32.Scale(as[float32](x), float32(a), as[float32](x))
	} else {
		f64.Scale(as[float64](x), float64(a), as[float64](x))
	}
}
