package kernels

import (
	"math"
	"sync"

	"github.com/numateam/numateam/asm/f32"
	"github.com/numateam/numateam/asm/f64"
	"github.com/numateam/numateam/team"
)

// The routines of level 1. Vectors with unit stride run on the team. Every other call
// that gonum would return from or panic in is handed to gonum's own routine, and so are
// strided copies and swaps, and most strided scalings (strided.go), whose results can't differ.
// What adds products is done here for strided vectors too: gonum's compiled loops round those
// differently from one kind of CPU to the next.
//
// Each routine begins with the way of short vectors with unit stride, where a call more or a
// check twice would show: 1 ns of 6.

// The numbers of elements up to which plain loops are the fastest.
const (
	fewDot   = 4 // and axpy, and gemv's matrix
	fewScal  = 8 // and asum
	fewIamax = 12
	fewSwap  = 32 // and rot, and strided scal
)

// foldFew adds the lanes of a sum of 8 elements at most, in the order that all sums have.
func foldFew[T scalar](l *[8]T) T {
	return ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7]))
}

// short reports whether n elements of x lie side by side, and are too few for a team.
func short[T scalar](n int, x []T, incX int) bool {
	return incX == 1 && uint(n-1) < serial && n <= len(x)
}

// Daxpy computes y += alpha*x; nothing if alpha is 0.
func (b BLAS) Daxpy(n int, alpha float64, x []float64, incX int, y []float64, incY int) {
	if short(n, x, incX) && short(n, y, incY) && alpha != 0 {
		x, y := x[:n], y[:n]
		if !overlaps(x, y) {
			if n > fewDot {
				f64.Axpy(alpha, x, y)
				return
			}
			for i, v := range x {
				y[i] += float64(alpha * v)
			}
			return
		}
	}
	if !two(n, x, incX, y, incY) || alpha == 0 {
		b.Implementation.Daxpy(n, alpha, x, incX, y, incY)
		return
	}
	axpy(b.team(), n, alpha, x, incX, y, incY)
}

// Saxpy computes y += alpha*x; nothing if alpha is 0.
func (b BLAS) Saxpy(n int, alpha float32, x []float32, incX int, y []float32, incY int) {
	if short(n, x, incX) && short(n, y, incY) && alpha != 0 {
		x, y := x[:n], y[:n]
		if !overlaps(x, y) {
			if n > fewDot {
				f32.Axpy(alpha, x, y)
				return
			}
			for i, v := range x {
				y[i] += float32(alpha * v)
			}
			return
		}
	}
	if !two(n, x, incX, y, incY) || alpha == 0 {
		b.Implementation.Saxpy(n, alpha, x, incX, y, incY)
		return
	}
	axpy(b.team(), n, alpha, x, incX, y, incY)
}

// axpy takes one element after the other where operands overlap in part: gonum's assembly reads
// some ahead, and its compiled loop doesn't.
func axpy[T scalar](t *team.Team, n int, alpha T, x []T, incX int, y []T, incY int) {
	if incX == 1 && incY == 1 && !overlaps(y[:n], x[:n]) {
		Axpy(t, alpha, x[:n], y[:n])
		return
	}
	ix, iy := start(n, incX), start(n, incY)
	for range n {
		y[iy] += T(alpha * x[ix])
		ix += incX
		iy += incY
	}
}

// Ddot returns the sum of x[i]*y[i].
func (b BLAS) Ddot(n int, x []float64, incX int, y []float64, incY int) float64 {
	if short(n, x, incX) && short(n, y, incY) {
		x, y := x[:n], y[:n]
		if n > fewDot {
			return f64.Dot(x, y)
		}
		var l [8]float64
		for i, v := range x {
			l[i] += float64(v * y[i])
		}
		return foldFew(&l)
	}
	if !two(n, x, incX, y, incY) {
		return b.Implementation.Ddot(n, x, incX, y, incY)
	}
	return dot(b.team(), n, x, incX, y, incY)
}

// Sdot returns the sum of x[i]*y[i].
func (b BLAS) Sdot(n int, x []float32, incX int, y []float32, incY int) float32 {
	if short(n, x, incX) && short(n, y, incY) {
		x, y := x[:n], y[:n]
		if n > fewDot {
			return f32.Dot(x, y)
		}
		var l [8]float32
		for i, v := range x {
			l[i] += float32(v * y[i])
		}
		return foldFew(&l)
	}
	if !two(n, x, incX, y, incY) {
		return b.Implementation.Sdot(n, x, incX, y, incY)
	}
	return dot(b.team(), n, x, incX, y, incY)
}

func dot[T scalar](t *team.Team, n int, x []T, incX int, y []T, incY int) T {
	if incX == 1 && incY == 1 {
		return Dot(t, x[:n], y[:n])
	}
	ux, uy := contiguous(n, x, incX), contiguous(n, y, incY)
	defer ux.free()
	defer uy.free()
	return Dot(t, ux.x, uy.x)
}

// Dnrm2 returns the Euclidean norm of x, and 0 if incX is negative.
func (b BLAS) Dnrm2(n int, x []float64, incX int) float64 {
	if short(n, x, incX) {
		if n == 1 {
			return math.Abs(x[0])
		}
		if sum := f64.Dot(x[:n], x[:n]); exact(sum) {
			return math.Sqrt(sum)
		}
	}
	if !one(n, x, incX) {
		return b.Implementation.Dnrm2(n, x, incX)
	}
	return norm(b.team(), n, x, incX)
}

// Snrm2 returns the Euclidean norm of x, and 0 if incX is negative.
func (b BLAS) Snrm2(n int, x []float32, incX int) float32 {
	if short(n, x, incX) {
		if n == 1 {
			return abs(x[0])
		}
		return float32(math.Sqrt(f32.SumSquares(x[:n])))
	}
	if !one(n, x, incX) {
		return b.Implementation.Snrm2(n, x, incX)
	}
	return norm(b.team(), n, x, incX)
}

func norm[T scalar](t *team.Team, n int, x []T, incX int) T {
	u := contiguous(n, x, incX)
	defer u.free()
	return Nrm2(t, u.x)
}

// Dasum returns the sum of |x[i]|, and 0 if incX is negative.
func (b BLAS) Dasum(n int, x []float64, incX int) float64 {
	if short(n, x, incX) {
		x := x[:n]
		if n > fewScal {
			return f64.Asum(x)
		}
		var l [8]float64
		for i, v := range x {
			l[i] = math.Abs(v)
		}
		return foldFew(&l)
	}
	if !one(n, x, incX) {
		return b.Implementation.Dasum(n, x, incX)
	}
	return asum(b.team(), n, x, incX)
}

// Sasum returns the sum of |x[i]|, and 0 if incX is negative.
func (b BLAS) Sasum(n int, x []float32, incX int) float32 {
	if short(n, x, incX) {
		x := x[:n]
		if n > fewScal {
			return f32.Asum(x)
		}
		var l [8]float32
		for i, v := range x {
			l[i] = abs(v)
		}
		return foldFew(&l)
	}
	if !one(n, x, incX) {
		return b.Implementation.Sasum(n, x, incX)
	}
	return asum(b.team(), n, x, incX)
}

func asum[T scalar](t *team.Team, n int, x []T, incX int) T {
	u := contiguous(n, x, incX)
	defer u.free()
	return Asum(t, u.x)
}

// Dscal computes x *= alpha, and sets x to 0 if alpha is 0; nothing if incX is negative.
func (b BLAS) Dscal(n int, alpha float64, x []float64, incX int) {
	if short(n, x, incX) && alpha != 0 {
		if x := x[:n]; n > fewScal {
			f64.Scale(x, alpha, x)
		} else {
			for i := range x {
				x[i] *= alpha
			}
		}
		return
	}
	if !scal(b.team(), n, alpha, x, incX) {
		b.Implementation.Dscal(n, alpha, x, incX)
	}
}

// Sscal computes x *= alpha, and sets x to 0 if alpha is 0; nothing if incX is negative.
func (b BLAS) Sscal(n int, alpha float32, x []float32, incX int) {
	if short(n, x, incX) && alpha != 0 {
		if x := x[:n]; n > fewScal {
			f32.Scale(x, alpha, x)
		} else {
			for i := range x {
				x[i] *= alpha
			}
		}
		return
	}
	if !scal(b.team(), n, alpha, x, incX) {
		b.Implementation.Sscal(n, alpha, x, incX)
	}
}

// scal reports whether it has done the work: few elements, and most strided ones, are gonum's.
func scal[T scalar](t *team.Team, n int, alpha T, x []T, incX int) bool {
	switch {
	case n <= fewSwap || !one(n, x, incX):
		return false
	case incX == 1 && alpha == 0:
		Fill(t, x[:n], 0)
	case incX == 1:
		Scale(t, x[:n], alpha, x[:n])
	case alpha != 0 && meet[T](incX):
		scalColumn(n, alpha, x, incX)
	default:
		return false
	}
	return true
}

// Dcopy copies x to y.
func (b BLAS) Dcopy(n int, x []float64, incX int, y []float64, incY int) {
	if short(n, x, incX) && short(n, y, incY) {
		copy(y[:n], x[:n])
		return
	}
	if incX != 1 || incY != 1 || !two(n, x, incX, y, incY) {
		b.Implementation.Dcopy(n, x, incX, y, incY)
		return
	}
	Copy(b.team(), y[:n], x[:n])
}

// Scopy copies x to y.
func (b BLAS) Scopy(n int, x []float32, incX int, y []float32, incY int) {
	if short(n, x, incX) && short(n, y, incY) {
		copy(y[:n], x[:n])
		return
	}
	if incX != 1 || incY != 1 || !two(n, x, incX, y, incY) {
		b.Implementation.Scopy(n, x, incX, y, incY)
		return
	}
	Copy(b.team(), y[:n], x[:n])
}

// Dswap exchanges x and y.
func (b BLAS) Dswap(n int, x []float64, incX int, y []float64, incY int) {
	if short(n, x, incX) && short(n, y, incY) {
		x, y := x[:n], y[:n]
		if n > fewSwap && !overlaps(x, y) {
			f64.Swap(x, y)
			return
		}
		for i, v := range x {
			x[i], y[i] = y[i], v
		}
		return
	}
	if incX != 1 || incY != 1 || !two(n, x, incX, y, incY) || overlaps(x[:n], y[:n]) {
		b.Implementation.Dswap(n, x, incX, y, incY)
		return
	}
	swap(b.team(), x[:n], y[:n])
}

// Sswap exchanges x and y.
func (b BLAS) Sswap(n int, x []float32, incX int, y []float32, incY int) {
	if short(n, x, incX) && short(n, y, incY) {
		x, y := x[:n], y[:n]
		if n > fewSwap && !overlaps(x, y) {
			f32.Swap(x, y)
			return
		}
		for i, v := range x {
			x[i], y[i] = y[i], v
		}
		return
	}
	if incX != 1 || incY != 1 || !two(n, x, incX, y, incY) || overlaps(x[:n], y[:n]) {
		b.Implementation.Sswap(n, x, incX, y, incY)
		return
	}
	swap(b.team(), x[:n], y[:n])
}

func swap[T scalar](t *team.Team, x, y []T) {
	j := blasJob[T]{x: x, y: y}
	j.launch(t, doSwap, grain, team.Over(y), len(x))
}

func swapPart[T scalar](j *blasJob[T], lo, hi int) {
	x, y := j.x[lo:hi], j.y[lo:hi]
	if is32[T]() {
		f32.Swap(as[float32](x), as[float32](y))
	} else {
		f64.Swap(as[float64](x), as[float64](y))
	}
}

// Drot computes x, y = c*x + s*y, c*y - s*x.
func (b BLAS) Drot(n int, x []float64, incX int, y []float64, incY int, c, s float64) {
	if short(n, x, incX) && short(n, y, incY) {
		x, y := x[:n], y[:n]
		if n > fewSwap && !overlaps(x, y) {
			f64.Rot(x, y, c, s)
			return
		}
		for i, v := range x {
			x[i], y[i] = float64(c*v)+float64(s*y[i]), float64(c*y[i])-float64(s*v)
		}
		return
	}
	if !two(n, x, incX, y, incY) {
		b.Implementation.Drot(n, x, incX, y, incY, c, s)
		return
	}
	rot(b.team(), n, x, incX, y, incY, c, s)
}

// Srot computes x, y = c*x + s*y, c*y - s*x.
func (b BLAS) Srot(n int, x []float32, incX int, y []float32, incY int, c, s float32) {
	if short(n, x, incX) && short(n, y, incY) {
		x, y := x[:n], y[:n]
		if n > fewSwap && !overlaps(x, y) {
			f32.Rot(x, y, c, s)
			return
		}
		for i, v := range x {
			x[i], y[i] = float32(c*v)+float32(s*y[i]), float32(c*y[i])-float32(s*v)
		}
		return
	}
	if !two(n, x, incX, y, incY) {
		b.Implementation.Srot(n, x, incX, y, incY, c, s)
		return
	}
	rot(b.team(), n, x, incX, y, incY, c, s)
}

func rot[T scalar](t *team.Team, n int, x []T, incX int, y []T, incY int, c, s T) {
	if incX == 1 && incY == 1 && !overlaps(x[:n], y[:n]) {
		j := blasJob[T]{x: x[:n], y: y[:n], alpha: c, beta: s}
		j.launch(t, doRot, grain, team.Over(j.y), n)
		return
	}
	ix, iy := start(n, incX), start(n, incY)
	for range n {
		x[ix], y[iy] = T(c*x[ix])+T(s*y[iy]), T(c*y[iy])-T(s*x[ix])
		ix += incX
		iy += incY
	}
}

func rotPart[T scalar](j *blasJob[T], lo, hi int) {
	x, y, c, s := j.x[lo:hi], j.y[lo:hi], j.alpha, j.beta
	if is32[T]() {
		f32.Rot(as[float32](x), as[float32](y), float32(c), float32(s))
	} else {
		f64.Rot(as[float64](x), as[float64](y), float64(c), float64(s))
	}
}

// Idamax returns the index of the first element with the largest absolute value, and -1 if
// n is 0 or incX negative. A NaN is never the largest, unless it's the first.
func (b BLAS) Idamax(n int, x []float64, incX int) int {
	if short(n, x, incX) {
		x := x[:n]
		if n > fewIamax && x[0] == x[0] {
			return f64.Iamax(x)
		}
		at, largest := 0, math.Abs(x[0])
		for i, v := range x {
			if v := math.Abs(v); v > largest {
				at, largest = i, v
			}
		}
		return at
	}
	if incX != 1 || !one(n, x, incX) {
		return b.Implementation.Idamax(n, x, incX)
	}
	return iamax(b.team(), x[:n])
}

// Isamax returns the index of the first element with the largest absolute value, and -1 if
// n is 0 or incX negative. A NaN is never the largest, unless it's the first.
func (b BLAS) Isamax(n int, x []float32, incX int) int {
	if short(n, x, incX) {
		x := x[:n]
		if n > fewIamax && x[0] == x[0] {
			return f32.Iamax(x)
		}
		at, largest := 0, abs(x[0])
		for i, v := range x {
			if v := abs(v); v > largest {
				at, largest = i, v
			}
		}
		return at
	}
	if incX != 1 || !one(n, x, incX) {
		return b.Implementation.Isamax(n, x, incX)
	}
	return iamax(b.team(), x[:n])
}

// iamax looks for the largest of each grain elements on the team, and then for the first place of
// the largest of those.
func iamax[T scalar](t *team.Team, x []T) int {
	if x[0] != x[0] {
		return 0
	}
	largest := contiguous[T](ceil(len(x), grain), nil, 0)
	defer largest.free()
	blasJob[T]{x: x, y: largest.x}.launch(t, doAmax, grain, team.Over(x), len(x))
	from := 0
	for i, v := range largest.x {
		if v > largest.x[from/grain] {
			from = i * grain
		}
	}
	x = x[from:min(from+grain, len(x))]
	if is32[T]() {
		return from + f32.Iamax(as[float32](x))
	}
	return from + f64.Iamax(as[float64](x))
}

// amaxPart sets y[i] to the largest absolute value in block i of x, -1 if all are NaN.
func amaxPart[T scalar](j *blasJob[T], lo, hi int) {
	for ; lo < hi; lo += grain {
		j.y[lo/grain] = amaxOf(j.x[lo:min(lo+grain, hi)])
	}
}

func amaxOf[T scalar](x []T) T {
	if is32[T]() {
		return T(f32.Amax(as[float32](x)))
	}
	return T(f64.Amax(as[float64](x)))
}

func abs[T scalar](v T) T { return T(math.Abs(float64(v))) }

// A blasOp names the loop of a blasJob. (A generic function as a value would be a closure,
// and allocated.)
type blasOp uint8

const (
	doSwap blasOp = iota
	doRot
	doAmax
	doGemvRows
	doGemvColumns
	doGer
)

// A blasJob is the record of a launch of levels 1 and 2: its loop and operands.
type blasJob[T scalar] struct {
	op          blasOp
	alpha, beta T
	x, y, a     []T
	m, n, lda   int
	incX        int // of ger
	body        func(lo, hi int)
}

var (
	blasJobs32 = sync.Pool{New: newBlasJob[float32]}
	blasJobs64 = sync.Pool{New: newBlasJob[float64]}
)

func newBlasJob[T scalar]() any {
	j := new(blasJob[T])
	j.body = func(lo, hi int) {
		switch j.op {
		case doSwap:
			swapPart(j, lo, hi)
		case doRot:
			rotPart(j, lo, hi)
		case doAmax:
			amaxPart(j, lo, hi)
		case doGemvRows:
			gemvRows(j, lo, hi)
		case doGemvColumns:
			gemvColumns(j, lo, hi)
		case doGer:
			gerRows(j, lo, hi)
		}
	}
	return j
}

// launch calls the loop for parts of [0, n).
func (j blasJob[T]) launch(t *team.Team, op blasOp, grain int, over team.Span, n int) {
	pool := &blasJobs64
	if is32[T]() {
		pool = &blasJobs32
	}
	r := pool.Get().(*blasJob[T])
	j.op, j.body = op, r.body
	*r = j
	t.Launch(team.Launch{Grain: grain, Over: over}, n, r.body)
	*r = blasJob[T]{body: j.body}
	pool.Put(r)
}

// one and two report whether a routine has something to do, and may do it here: n is
// positive, increments are neither zero nor, for a single vector, negative, and the
// vectors are long enough.
func one[T scalar](n int, x []T, incX int) bool {
	return n > 0 && incX > 0 && (n-1)*incX < len(x)
}

func two[T scalar](n int, x []T, incX int, y []T, incY int) bool {
	return n > 0 && incX != 0 && incY != 0 && (n-1)*max(incX, -incX) < len(x) && (n-1)*max(incY, -incY) < len(y)
}

// start returns the index of a vector's first element.
func start(n, inc int) int {
	if inc < 0 {
		return (1 - n) * inc
	}
	return 0
}

// A vector is n elements side by side: the operand itself, or a copy of a strided one.
type vector[T scalar] struct {
	x    []T
	copy *[]T
}

var vectors32, vectors64 = sync.Pool{New: func() any { return new([]float32) }}, sync.Pool{New: func() any { return new([]float64) }}

func vectors[T scalar]() *sync.Pool {
	if is32[T]() {
		return &vectors32
	}
	return &vectors64
}

// contiguous returns the n elements of x side by side. With a nil x it returns room for
// them.
func contiguous[T scalar](n int, x []T, inc int) vector[T] {
	if inc == 1 {
		return vector[T]{x: x[:n]}
	}
	c := vectors[T]().Get().(*[]T)
	if len(*c) < n {
		*c = make([]T, n)
	}
	v := vector[T]{x: (*c)[:n], copy: c}
	if x != nil {
		ix := start(n, inc)
		for i := range v.x {
			v.x[i] = x[ix]
			ix += inc
		}
	}
	return v
}

// writeBack copies the elements to a strided vector again.
func (v vector[T]) writeBack(x []T, inc int) {
	if v.copy == nil {
		return
	}
	ix := start(len(v.x), inc)
	for _, e := range v.x {
		x[ix] = e
		ix += inc
	}
}

// free gives the copy's memory back.
func (v vector[T]) free() {
	if v.copy != nil {
		vectors[T]().Put(v.copy)
	}
}
