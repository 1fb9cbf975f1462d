//go:build !noasm

package f64

import (
	"unsafe"

	"github.com/numateam/numateam/asm"
)

// What one turn of AVX2 takes; it runs whole turns, and AVX-512 pairs of them.
const rotTurn = len(lanes{})

// The fewest elements in which AVX2 looks for the largest.
const rotVector = len(lanes{}) / 4

//go:noescape
func swapAVX2(x, y *float64, n int)

//go:noescape
func rotAVX2(c float64, x *float64, s float64, y *float64, n int)

//go:noescape
func amaxAVX2(largest, x *float64, n int)

//go:noescape
func indexAbsAVX2(x *float64, n int, v float64) int

//go:noescape
func swapAVX512(x, y *float64, n int)

//go:noescape
func rotAVX512(c float64, x *float64, s float64, y *float64, n int)

//go:noescape
func amaxAVX512(largest, x *float64, n int)

//go:noescape
func indexAbsAVX512(x *float64, n int, v float64) int

//go:noinline
func swap(x, y []float64) {
	if n := wholePairs(len(x)); n > 0 {
		swapAVX512(&x[0], &y[0], n)
		x, y = x[n:], y[n:]
	}
	if n := wholeTurns(len(x)); n > 0 {
		swapAVX2(&x[0], &y[0], n)
		x, y = x[n:], y[n:]
	}
	swapGo(x, y)
}

//go:noinline
func rot(x, y []float64, c, s float64) {
	if n := wholePairs(len(x)); n > 0 {
		rotAVX512(c, &x[0], s, &y[0], n)
		x, y = x[n:], y[n:]
	}
	if n := wholeTurns(len(x)); n > 0 {
		rotAVX2(c, &x[0], s, &y[0], n)
		x, y = x[n:], y[n:]
	}
	rotGo(x, y, c, s)
}

//go:noinline
func amax(x []float64) float64 {
	largest := float64(-1)
	switch {
	case asm.Active() >= asm.AVX512:
		amaxAVX512(&largest, unsafe.SliceData(x), len(x))
	case asm.Active() >= asm.AVX2 && len(x) >= rotVector:
		amaxAVX2(&largest, unsafe.SliceData(x), len(x))
	default:
		largest = amaxGo(x)
	}
	return largest
}

//go:noinline
func iamax(x []float64) int {
	if asm.Active() < asm.AVX2 {
		return iamaxGo(x)
	}
	return iamaxParts(x)
}

// iamaxParts looks for the first part with the largest, and then for that.
func iamaxParts(x []float64) int {
	const part = 256
	at, largest := -1, float64(-1)
	for i := 0; i < len(x); i += part {
		if v := amax(x[i:min(i+part, len(x))]); v > largest {
			at, largest = i, v
		}
	}
	if at >= 0 {
		at += indexAbs(x[at:min(at+part, len(x))], largest)
	}
	return at
}

// indexAbs returns the first i with |x[i]| == v, which there is.
//
//go:noinline
func indexAbs(x []float64, v float64) int {
	switch {
	case asm.Active() >= asm.AVX512:
		return indexAbsAVX512(unsafe.SliceData(x), len(x), v)
	case len(x) >= rotVector:
		return indexAbsAVX2(unsafe.SliceData(x), len(x), v)
	}
	i := 0
	for x[i] != v && x[i] != -v {
		i++
	}
	return i
}

// wholeTurns returns how many of n elements AVX2 takes, and wholePairs how many AVX-512 does.
func wholeTurns(n int) int {
	if asm.Active() < asm.AVX2 {
		return 0
	}
	return n &^ (rotTurn - 1)
}

func wholePairs(n int) int {
	if asm.Active() < asm.AVX512 {
		return 0
	}
	return n &^ (2*rotTurn - 1)
}
