package kernels

import (
	"math"
	"unsafe"
)

// meet reports whether elements that are inc apart meet in one set of a first cache, as
// those of a column do where rows are a multiple of 4 KiB apart.
func meet[T scalar](inc int) bool { return inc*int(unsafe.Sizeof(T(0)))%4096 == 0 }

// scalColumn computes x[i*inc] *= alpha for i < n, where the elements meet. The loads of a
// plain loop run ahead of its stores by more lines than a set holds, so that each store
// waits, on its own, for a line that has been there before: 13 ns on a Zen 5. Here the
// addresses of three elements depend on what the three before are, as far as the CPU
// can know, which makes it 6: LU of orders that are powers of two is a fifth to a third faster.
func scalColumn[T scalar](n int, alpha T, x []T, inc int) {
	at := 0
	for ; n >= 3; n -= 3 {
		a, b, c := x[at], x[at+inc], x[at+2*inc]
		x[at], x[at+inc], x[at+2*inc] = a*alpha, b*alpha, c*alpha
		at += 3*inc + nothing[(bitsOf(a)|bitsOf(b)|bitsOf(c))&1]
	}
	for ; n > 0; n-- {
		x[at] *= alpha
		at += inc
	}
}

// nothing is what the compiler doesn't know to be zeros.
var nothing [2]int

func bitsOf[T scalar](v T) uint64 { return math.Float64bits(float64(v)) }
