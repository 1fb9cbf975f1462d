//go:build !noasm

package f32

import (
	"slices"
	"unsafe"

	"github.com/numateam/numateam/asm"
)

// What one turn of AVX2 takes; it runs whole turns, and AVX-512 pairs of them.
const rotTurn = 32

//go:noescape
func swapAVX2(x, y *float32, n int)

//go:noescape
func rotAVX2(x, y *float32, n int, c, s float32)

//go:noescape
func amaxAVX2(largest *[32 / unsafe.Sizeof(float32(0))]float32, x *float32, n int)

//go:noescape
func swapAVX512(x, y *float32, n int)

//go:noescape
func rotAVX512(x, y *float32, n int, c, s float32)

//go:noescape
func amaxAVX512(largest, x *float32, n int)

//go:noescape
func indexAbsAVX512(x *float32, n int, v float32) int

//go:noinline
func swap(x, y []float32) {
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
func rot(x, y []float32, c, s float32) {
	if n := wholePairs(len(x)); n > 0 {
		rotAVX512(&x[0], &y[0], n, c, s)
		x, y = x[n:], y[n:]
	}
	if n := wholeTurns(len(x)); n > 0 {
		rotAVX2(&x[0], &y[0], n, c, s)
		x, y = x[n:], y[n:]
	}
	rotGo(x, y, c, s)
}

//go:noinline
func amax(x []float32) float32 {
	largest := float32(-1)
	if asm.Active() >= asm.AVX512 {
		amaxAVX512(&largest, unsafe.SliceData(x), len(x))
		return largest
	}
	n := wholeTurns(len(x))
	largest = amaxGo(x[n:])
	if n > 0 {
		var lanes [32 / unsafe.Sizeof(float32(0))]float32
		for i := range lanes {
			lanes[i] = largest
		}
		amaxAVX2(&lanes, &x[0], n)
		largest = slices.Max(lanes[:])
	}
	return largest
}

//go:noinline
func indexAbs(x []float32, v float32) int {
	if asm.Active() >= asm.AVX512 {
		return indexAbsAVX512(unsafe.SliceData(x), len(x), v)
	}
	return indexAbsGo(x, v)
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
