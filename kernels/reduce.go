package kernels

import (
	"math"
	"slices"
	"sync"
	"unsafe"

	"github.com/numateam/numateam/asm/f32"
	"github.com/numateam/numateam/asm/f64"
	"github.com/numateam/numateam/team"
)

// Dot returns the sum of the products of x and y:
//
//	for i := range x {
//		sum += T(x[i] * y[i])
//	}
//
// in the order that package asm/f32 describes; 0 if there are none. It panics if the lengths
// differ. Traffic: 2 loads per element.
func Dot[T Float](t *team.Team, x, y []T) T {
	if len(x) != len(y) {
		panic(lengths)
	}
	var zero T
	if unsafe.Sizeof(zero) == 4 {
		x, y := as[float32](x), as[float32](y)
		if len(x) <= serial {
			return T(f32.Dot(x, y))
		}
		return T(reduce(t, &dot32, 0, x, y))
	}
	u, v := as[float64](x), as[float64](y)
	if len(u) <= serial {
		return T(f64.Dot(u, v))
	}
	return T(reduce(t, &dot64, 0, u, v))
}

// Sum returns the sum of x:
//
//	for i := range x {
//		sum += x[i]
//	}
//
// in the order that package asm/f32 describes; 0 if there are none. Traffic: 1 load per
// element.
func Sum[T Float](t *team.Team, x []T) T {
	var zero T
	if unsafe.Sizeof(zero) == 4 {
		x := as[float32](x)
		if len(x) <= serial {
			return T(f32.Sum(x))
		}
		return T(reduce(t, &sum32, 0, x, x))
	}
	u := as[float64](x)
	if len(u) <= serial {
		return T(f64.Sum(u))
	}
	return T(reduce(t, &sum64, 0, u, u))
}

// Asum returns the sum of the absolute values of x:
//
//	for i := range x {
//		sum += |x[i]|
//	}
//
// in the order that package asm/f32 describes; 0 if there are none. Traffic: 1 load per
// element.
func Asum[T Float](t *team.Team, x []T) T {
	var zero T
	if unsafe.Sizeof(zero) == 4 {
		x := as[float32](x)
		if len(x) <= serial {
			return T(f32.Asum(x))
		}
		return T(reduce(t, &asum32, 0, x, x))
	}
	u := as[float64](x)
	if len(u) <= serial {
		return T(f64.Asum(u))
	}
	return T(reduce(t, &asum64, 0, u, u))
}

// Nrm2 returns the Euclidean norm of x:
//
//	for i := range x {
//		sum += x[i] * x[i]
//	}
//	return sqrt(sum)
//
// in the order that package asm/f32 describes; 0 if there are none. Nothing overflows or
// vanishes on the way: float32 is squared and added in float64; float64 is
// scaled by a power of two and done again if the sum comes out below 2^-960 or above
// 2^1020. An infinite element gives +Inf, a NaN gives NaN. Traffic: 1 load per
// element, 3 if it has to scale.
func Nrm2[T Float](t *team.Team, x []T) T {
	var zero T
	if unsafe.Sizeof(zero) == 4 {
		return T(math.Sqrt(reduce(t, &squares32, 0, as[float32](x), as[float32](x))))
	}
	return T(nrm2(t, as[float64](x)))
}

func nrm2(t *team.Team, x []float64) float64 {
	sum := Dot(t, x, x)
	if exact(sum) {
		return math.Sqrt(sum)
	}
	largest := reduce(t, &largest64, 0, x, x)
	if largest == 0 || math.IsInf(largest, 0) {
		return largest
	}
	_, exp := math.Frexp(largest)
	exp = max(exp, -1000) // so that the scale of denormals is finite
	sum = reduce(t, &scaledSquares64, math.Ldexp(1, -exp), x, x)
	return math.Ldexp(math.Sqrt(sum), exp)
}

// exact reports whether a sum of squares is NaN, or one in which nothing overflowed or vanished.
func exact(sum float64) bool { return 0x1p-960 <= sum && sum <= 0x1p1020 || sum != sum }

// A reduction is what a kernel makes of each part of its operands, and of the
// results of all parts, in order. The parts start at multiples of 4096*2^k elements.
// pool holds its records.
type reduction[T, R float32 | float64] struct {
	slices int // that it reads
	loop   func(s T, x, y []T) R
	join   func(results []R) R
	pool   *sync.Pool
}

var (
	pool32   = sync.Pool{New: newReduceArgs[float32, float32]}
	pool3264 = sync.Pool{New: newReduceArgs[float32, float64]}
	pool64   = sync.Pool{New: newReduceArgs[float64, float64]}

	dot32 = reduction[float32, float32]{
		2, func(_ float32, x, y []float32) float32 { return f32.Dot(x, y) }, f32.Fold, &pool32}
	dot64 = reduction[float64, float64]{
		2, func(_ float64, x, y []float64) float64 { return f64.Dot(x, y) }, f64.Fold, &pool64}

	sum32 = reduction[float32, float32]{
		1, func(_ float32, x, _ []float32) float32 { return f32.Sum(x) }, f32.Fold, &pool32}
	sum64 = reduction[float64, float64]{
		1, func(_ float64, x, _ []float64) float64 { return f64.Sum(x) }, f64.Fold, &pool64}

	asum32 = reduction[float32, float32]{
		1, func(_ float32, x, _ []float32) float32 { return f32.Asum(x) }, f32.Fold, &pool32}
	asum64 = reduction[float64, float64]{
		1, func(_ float64, x, _ []float64) float64 { return f64.Asum(x) }, f64.Fold, &pool64}

	squares32 = reduction[float32, float64]{
		1, func(_ float32, x, _ []float32) float64 { return f32.SumSquares(x) }, f64.Fold, &pool3264}

	scaledSquares64 = reduction[float64, float64]{
		1, func(s float64, x, _ []float64) float64 { return f64.SumSquaresOf(s, x) }, f64.Fold, &pool64}
	largest64 = reduction[float64, float64]{
		1, func(_ float64, x, _ []float64) float64 { return f64.Largest(x) }, slices.Max[[]float64], &pool64}
)

// reduce runs a reduction on operands of one length.
func reduce[T, R float32 | float64](t *team.Team, k *reduction[T, R], s T, x, y []T) R {
	n := len(x)
	if alone(t, k.slices, x) {
		return k.loop(s, x, y)
	}
	part := grain
	for (n-1)/part >= maxParts {
		part *= 2
	}
	r := k.pool.Get().(*reduceArgs[T, R])
	r.loop, r.s, r.x, r.y, r.part = k.loop, s, x, y, part
	t.Launch(team.Launch{Grain: part, Over: team.Over(x)}, n, r.body)
	result := k.join(r.results[:(n-1)/part+1])
	r.x, r.y = nil, nil
	k.pool.Put(r)
	return result
}
