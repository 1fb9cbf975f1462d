package kernels

import (
	"unsafe"

	"github.com/numateam/numateam/asm/f32"
	"github.com/numateam/numateam/asm/f64"
)

const (
	gemmLanes   = f64.GemmLanes
	gemmMaxCols = 32 // columns of the widest tile
)

// scalar is the element of a matrix.
type scalar interface{ float32 | float64 }

// An operand is a matrix as the packing sees it: lanes, which are A's rows or B's
// columns, by steps of k. Element (lane, step) is x[lane*ld+step], or x[step*ld+lane].
type operand[T scalar] struct {
	x    []T
	ld   int
	kind operandKind
}

type operandKind uint8

const (
	byLane  operandKind = iota // x[lane*ld+step]
	byStep                     // x[step*ld+lane]
	symLow                     // symmetric: x[lane*ld+step] where lane >= step, else x[step*ld+lane]
	symHigh                    // symmetric: x[lane*ld+step] where lane <= step, else x[step*ld+lane]
)

// at returns an element.
func (o *operand[T]) at(lane, step int) T {
	if o.kind == byStep || o.kind == symLow && lane < step || o.kind == symHigh && lane > step {
		lane, step = step, lane
	}
	return o.x[lane*o.ld+step]
}

// from returns the operand that begins at an element. It's not for symmetric ones.
func (o operand[T]) from(lane, step int) operand[T] {
	ls, ss := o.strides()
	return operand[T]{o.x[lane*ls+step*ss:], o.ld, o.kind}
}

// strides returns the distances between lanes and between steps.
func (o operand[T]) strides() (lane, step int) {
	if o.kind == byStep {
		return 1, o.ld
	}
	return o.ld, 1
}

// pack sets dst[s*w+i] = alpha * element (lane+i, step+s) for i < lanes and s < steps,
// and to 0 for lanes <= i < w.
func (o *operand[T]) pack(dst []T, w int, alpha T, lane, lanes, step, steps int) {
	switch {
	case lanes < w:
		for s := range steps {
			row := dst[s*w:][:w]
			for i := range lanes {
				row[i] = alpha * o.at(lane+i, step+s)
			}
			clear(row[lanes:])
		}
	case o.kind == byLane:
		for i := 0; i < w; i += gemmLanes {
			gemmPackRows(dst[i:], w, alpha, o.x[(lane+i)*o.ld+step:], o.ld, steps)
		}
	case o.kind == byStep:
		gemmPackCols(dst, w, alpha, o.x[step*o.ld+lane:], o.ld, steps)
	default:
		o.packSymmetric(dst, w, alpha, lane, step, steps)
	}
}

// packSymmetric packs w lanes: the steps before those that cross the diagonal, those
// that do, and those behind.
func (o *operand[T]) packSymmetric(dst []T, w int, alpha T, lane, step, steps int) {
	before, behind := operand[T]{o.x, o.ld, byLane}, operand[T]{o.x, o.ld, byStep}
	if o.kind == symHigh {
		before, behind = behind, before
	}
	from := min(max(lane-step, 0), steps) // the first step on the diagonal
	to := min(max(lane+w-step, 0), steps) // the first one behind it
	if from > 0 {
		before.pack(dst, w, alpha, lane, w, step, from)
	}
	for s := from; s < to; s++ {
		for i := range w {
			dst[s*w+i] = alpha * o.at(lane+i, step+s)
		}
	}
	if to < steps {
		behind.pack(dst[to*w:], w, alpha, lane, w, step+to, steps-to)
	}
}

// The functions of f32 and f64 for either element.

func gemmShape[T scalar]() (rows, cols int) {
	if is32[T]() {
		return f32.GemmShape()
	}
	return f64.GemmShape()
}

func gemmTiles[T scalar](tiles, k int, a []T, ars, acs int, b []T, bp, ldb int, beta T, c []T, ldc int) {
	if is32[T]() {
		f32.GemmTiles(tiles, k, as[float32](a), ars, acs, as[float32](b), bp, ldb, float32(beta), as[float32](c), ldc)
	} else {
		f64.GemmTiles(tiles, k, as[float64](a), ars, acs, as[float64](b), bp, ldb, float64(beta), as[float64](c), ldc)
	}
}

func gemmPackRows[T scalar](dst []T, w int, alpha T, src []T, ld, k int) {
	if is32[T]() {
		f32.GemmPackRows(as[float32](dst), w, float32(alpha), as[float32](src), ld, k)
	} else {
		f64.GemmPackRows(as[float64](dst), w, float64(alpha), as[float64](src), ld, k)
	}
}

func gemmPackCols[T scalar](dst []T, w int, alpha T, src []T, ld, k int) {
	if is32[T]() {
		f32.GemmPackCols(as[float32](dst), w, float32(alpha), as[float32](src), ld, k)
	} else {
		f64.GemmPackCols(as[float64](dst), w, float64(alpha), as[float64](src), ld, k)
	}
}

func gemmRows[T scalar](m, n, k int, alpha T, a []T, ars, acs int, b []T, ldb int, beta T, c []T, ldc int) {
	if is32[T]() {
		f32.GemmRows(m, n, k, float32(alpha), as[float32](a), ars, acs, as[float32](b), ldb, float32(beta), as[float32](c), ldc)
	} else {
		f64.GemmRows(m, n, k, float64(alpha), as[float64](a), ars, acs, as[float64](b), ldb, float64(beta), as[float64](c), ldc)
	}
}

func is32[T scalar]() bool { return unsafe.Sizeof(T(0)) == 4 }
