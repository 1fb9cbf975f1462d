package kernels

import (
	"sync"

	"gonum.org/v1/gonum/blas"

	"github.com/numateam/numateam/team"
)

// The triangular routines of level 3 split A in halves, and the halves in halves, down to
// triangleBase rows: the square between two halves is a product for gemm, and what's
// left on the diagonal is done row by row. Columns of B are independent of each other
// where A is on the left, and rows where it's on the right: the team divides those, and
// each part goes through the whole of A on one thread.

// triangleBase is the greatest order of a triangle that isn't split.
const triangleBase = 16

// Dtrsm solves op(A)*X = alpha*B, or X*op(A) = alpha*B if s is Right, for a triangular A, and
// writes X, m x n, over B.
func (b BLAS) Dtrsm(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, b2 []float64, ldb int) {
	triangular(b.team(), solve, s, ul, tA, d, m, n, alpha, a, lda, b2, ldb)
}

// Strsm solves op(A)*X = alpha*B, or X*op(A) = alpha*B if s is Right, for a triangular A, and
// writes X, m x n, over B.
func (b BLAS) Strsm(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float32, a []float32, lda int, b2 []float32, ldb int) {
	triangular(b.team(), solve, s, ul, tA, d, m, n, alpha, a, lda, b2, ldb)
}

// Dtrmm computes B = alpha*op(A)*B, or alpha*B*op(A) if s is Right, for a triangular A and
// an m x n matrix B.
func (b BLAS) Dtrmm(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, b2 []float64, ldb int) {
	triangular(b.team(), apply, s, ul, tA, d, m, n, alpha, a, lda, b2, ldb)
}

// Strmm computes B = alpha*op(A)*B, or alpha*B*op(A) if s is Right, for a triangular A and
// an m x n matrix B.
func (b BLAS) Strmm(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float32, a []float32, lda int, b2 []float32, ldb int) {
	triangular(b.team(), apply, s, ul, tA, d, m, n, alpha, a, lda, b2, ldb)
}

// A triangleOp is what's done with a triangle: solve with it, or multiply by it.
type triangleOp uint8

const (
	solve triangleOp = iota
	apply
)

// A triangleJob is the record of a launch. With A on the left, rows of B depend on each
// other by the rows of op(A); on the right, its columns do by the columns of op(A):
// those are the lanes of a, and the steps are what a lane depends on.
type triangleJob[T scalar] struct {
	op      triangleOp
	left    bool
	forward bool // a lane depends on those before it
	unit    bool
	alpha   T
	a       operand[T]
	order   int // of A
	b       []T
	ldb     int
	body    func(lo, hi int)
}

var (
	triangleJobs32 = sync.Pool{New: newTriangleJob[float32]}
	triangleJobs64 = sync.Pool{New: newTriangleJob[float64]}
)

func newTriangleJob[T scalar]() any {
	j := new(triangleJob[T])
	j.body = func(lo, hi int) { j.halves(0, j.order, lo, hi, j.alpha) }
	return j
}

func triangular[T scalar](t *team.Team, op triangleOp, s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha T, a []T, lda int, b []T, ldb int) {
	left := isLeft(s)
	stored := triangle(ul)
	trans := transposed(tA)
	if d != blas.NonUnit && d != blas.Unit {
		panic(badDiag)
	}
	checkSizes(m, n, 0)
	across, order := swapIf(left, m, n)
	checkStrides(lda, order, ldb, n, 1, 1)
	if m == 0 || n == 0 {
		return
	}
	checkMatrix(a, order, order, lda, shortA)
	checkMatrix(b, m, n, ldb, shortB)
	if alpha == 0 {
		scaleRows(m, n, 0, b, ldb)
		return
	}
	pool := &triangleJobs64
	if is32[T]() {
		pool = &triangleJobs32
	}
	j := pool.Get().(*triangleJob[T])
	body := j.body
	*j = triangleJob[T]{op: op, left: left, unit: d == blas.Unit, alpha: alpha, order: order, b: b, ldb: ldb, body: body}
	if left {
		j.a = rowsOf(a, lda, trans)
	} else {
		j.a = colsOf(a, lda, trans)
	}
	j.forward = (stored == lower) == (j.a.kind == byLane)
	if order*order/2*across < gemmAlone {
		t = nil
	}
	// Each part packs A anew, so it ought to be wide.
	t.Launch(team.Launch{Grain: max(64, ceil(across, 2*t.Size()*32)*32)}, across, body)
	*j = triangleJob[T]{body: body}
	pool.Put(j)
}

// halves works on lanes [from, to), for the part [lo, hi) of what's across them.
func (j *triangleJob[T]) halves(from, to, lo, hi int, alpha T) {
	if to-from <= triangleBase {
		j.base(from, to, lo, hi, alpha)
		return
	}
	mid := from + ceil((to-from)/2, triangleBase)*triangleBase
	// The half that depends on nothing else, and the one that depends on it.
	free, bound := [2]int{from, mid}, [2]int{mid, to}
	if !j.forward {
		free, bound = bound, free
	}
	if j.op == solve {
		j.halves(free[0], free[1], lo, hi, alpha)
		j.multiply(bound, free, lo, hi, -1, alpha)
		j.halves(bound[0], bound[1], lo, hi, 1)
	} else {
		j.halves(bound[0], bound[1], lo, hi, alpha)
		j.multiply(bound, free, lo, hi, alpha, 1)
		j.halves(free[0], free[1], lo, hi, alpha)
	}
}

// multiply adds alpha times the square of A between two halves, times the free half of
// B, to beta times the bound half.
func (j *triangleJob[T]) multiply(bound, free [2]int, lo, hi int, alpha, beta T) {
	square := j.a.from(bound[0], free[0])
	lanes, steps := bound[1]-bound[0], free[1]-free[0]
	if j.left {
		b := colsOf(j.b[free[0]*j.ldb+lo:], j.ldb, false)
		multiply(nil, whole, lanes, hi-lo, steps, alpha, square, b, beta, j.b[bound[0]*j.ldb+lo:], j.ldb)
	} else {
		b := rowsOf(j.b[lo*j.ldb+free[0]:], j.ldb, false)
		multiply(nil, whole, hi-lo, lanes, steps, alpha, b, square, beta, j.b[lo*j.ldb+bound[0]:], j.ldb)
	}
}

// base works on the lanes of an undivided triangle, in strips that stay in the first
// cache. With A on the right, a strip is turned, so that lanes are rows.
func (j *triangleJob[T]) base(from, to, lo, hi int, alpha T) {
	const strip = 256
	if j.left {
		for ; lo < hi; lo += strip {
			j.lanes(from, to, j.b[from*j.ldb+lo:], j.ldb, min(strip, hi-lo), alpha)
		}
		return
	}
	turned := contiguous[T](triangleBase*strip, nil, 0)
	defer turned.free()
	for ; lo < hi; lo += strip {
		w := min(strip, hi-lo)
		b := j.b[lo*j.ldb+from:]
		turn(turned.x, w, b, j.ldb, w, to-from)
		j.lanes(from, to, turned.x, w, w, alpha)
		turn(b, j.ldb, turned.x, w, to-from, w)
	}
}

// lanes works on the lanes [from, to) one by one. They're rows of b, w wide.
func (j *triangleJob[T]) lanes(from, to int, b []T, ldb, w int, alpha T) {
	for n := range to - from {
		i := from + n
		if j.forward != (j.op == solve) {
			i = to - 1 - n
		}
		free := from // what i depends on: [free, free+steps)
		steps := i - from
		if !j.forward {
			free, steps = i+1, to-i-1
		}
		row := b[(i-from)*ldb:][:w]
		diagonal := T(1)
		if !j.unit {
			diagonal = j.a.at(i, i)
		}
		if j.op == solve {
			j.addLanes(row, i, free, steps, -1, b, free-from, ldb, alpha)
			if !j.unit {
				scaleOf(row, 1/diagonal)
			}
		} else {
			scaleOf(row, alpha*diagonal)
			j.addLanes(row, i, free, steps, alpha, b, free-from, ldb, 1)
		}
	}
}

// addLanes adds alpha times lanes [free, free+steps), which are the rows of b from at on,
// to beta*row as lane i depends on them.
func (j *triangleJob[T]) addLanes(row []T, i, free, steps int, alpha T, b []T, at, ldb int, beta T) {
	if steps == 0 {
		if beta != 1 {
			scaleOf(row, beta)
		}
		return
	}
	a := j.a.from(i, free)
	_, acs := a.strides()
	gemmRows(1, len(row), steps, alpha, a.x, 0, acs, b[at*ldb:], ldb, beta, row, 0)
}

// turn sets dst[c*ldd+r] = src[r*lds+c] for all r < rows and c < cols.
func turn[T scalar](dst []T, ldd int, src []T, lds, rows, cols int) {
	r := 0
	for ; r+gemmLanes <= rows; r += gemmLanes {
		gemmPackRows(dst[r:], ldd, 1, src[r*lds:], lds, cols)
	}
	for ; r < rows; r++ {
		for c, v := range src[r*lds:][:cols] {
			dst[c*ldd+r] = v
		}
	}
}
