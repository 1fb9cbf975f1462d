package kernels

import (
	"math"

	"github.com/numateam/numateam/team"
)

// An op is a kernel as the tests run it: on a destination and two sources of one length, of
// which it may use fewer. It returns a reduction's result.
type op[T Float] struct {
	name string
	run  func(t *team.Team, s T, dst, a, b []T) T

	// plain does the same in the plainest way.
	plain func(s T, dst, a, b []T) T
}

func ops[T Float]() []op[T] {
	return []op[T]{
		{"fill", func(t *team.Team, s T, dst, a, b []T) T { Fill(t, dst, s); return 0 },
			func(s T, dst, a, b []T) T {
				for i := range dst {
					dst[i] = s
				}
				return 0
			}},
		{"copy", func(t *team.Team, s T, dst, a, b []T) T { Copy(t, dst, a); return 0 },
			func(s T, dst, a, b []T) T { copy(dst, a); return 0 }},
		{"scale", func(t *team.Team, s T, dst, a, b []T) T { Scale(t, dst, s, a); return 0 },
			func(s T, dst, a, b []T) T {
				for i := range dst {
					dst[i] = s * a[i]
				}
				return 0
			}},
		{"add", func(t *team.Team, s T, dst, a, b []T) T { Add(t, dst, a, b); return 0 },
			func(s T, dst, a, b []T) T {
				for i := range dst {
					dst[i] = a[i] + b[i]
				}
				return 0
			}},
		{"triad", func(t *team.Team, s T, dst, a, b []T) T { Triad(t, dst, a, s, b); return 0 },
			func(s T, dst, a, b []T) T {
				for i := range dst {
					dst[i] = a[i] + T(s*b[i])
				}
				return 0
			}},
		{"axpy", func(t *team.Team, s T, dst, a, b []T) T { Axpy(t, s, a, dst); return 0 },
			func(s T, dst, a, b []T) T {
				for i := range dst {
					dst[i] += T(s * a[i])
				}
				return 0
			}},
		{"dot", func(t *team.Team, s T, dst, a, b []T) T { return Dot(t, a, b) },
			func(s T, dst, a, b []T) T { return sumOf(len(a), func(i int) T { return a[i] * b[i] }) }},
		{"sum", func(t *team.Team, s T, dst, a, b []T) T { return Sum(t, a) },
			func(s T, dst, a, b []T) T { return sumOf(len(a), func(i int) T { return a[i] }) }},
		{"asum", func(t *team.Team, s T, dst, a, b []T) T { return Asum(t, a) },
			func(s T, dst, a, b []T) T {
				return sumOf(len(a), func(i int) T { return T(math.Abs(float64(a[i]))) })
			}},
		{"nrm2", func(t *team.Team, s T, dst, a, b []T) T { return Nrm2(t, a) },
			func(s T, dst, a, b []T) T { return T(plainNrm2(a)) }},
	}
}

// lanes returns the number of a reduction's lanes.
func lanes[T Float]() int {
	if T(1)+0x1p-30 == 1 {
		return 32
	}
	return 16
}

// sumOf adds up n terms in the shape that package asm/f32 describes, in the plainest way.
func sumOf[T Float](n int, term func(i int) T) T {
	var sum func(from, to int) T
	sum = func(from, to int) T {
		if to-from > 4096 {
			h := 4096
			for 2*h < to-from {
				h *= 2
			}
			return sum(from, from+h) + sum(from+h, to)
		}
		lane := make([]T, lanes[T]())
		for i := from; i < to; i++ {
			lane[(i-from)%len(lane)] += term(i)
		}
		for ; len(lane) > 1; lane = lane[:len(lane)/2] {
			for i := range len(lane) / 2 {
				lane[i] += lane[len(lane)/2+i]
			}
		}
		return lane[0]
	}
	return sum(0, n)
}

// plainNrm2 squares in float64, or, where that's out of range, scales by a power of two first.
func plainNrm2[T Float](x []T) float64 {
	sum := sumOf(len(x), func(i int) float64 { return float64(x[i]) * float64(x[i]) })
	if lanes[T]() == 32 || 0x1p-960 <= sum && sum <= 0x1p1020 || sum != sum {
		return math.Sqrt(sum)
	}
	largest := 0.0
	for _, v := range x {
		largest = max(largest, math.Abs(float64(v)))
	}
	if largest == 0 || math.IsInf(largest, 1) {
		return largest
	}
	_, e := math.Frexp(largest)
	e = max(e, -1000)
	return math.Ldexp(math.Sqrt(sumOf(len(x), func(i int) float64 {
		v := math.Ldexp(1, -e) * float64(x[i])
		return v * v
	})), e)
}
