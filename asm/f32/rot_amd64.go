//go:build !noasm

package f32

import (
	"slices"

	"github.com/numateam/numateam/asm"
)

// What one turn of the assembly takes; it runs whole turns.
const rotTurn = 32

//go:noescape
func swapAVX2(x, y *float32, n int)

//go:noescape
func rotAVX2(x, y *float32, n int, c, s float32)

//go:noescape
func amaxAVX2(largest *[rotTurn / 4]float32, x *float32, n int)

//go:noinline
func swap(x, y []float32) {
	n := wholeTurns(len(x))
	if n > 0 {
		swapAVX2(&x[0], &y[0], n)
	}
	swapGo(x[n:], y[n:])
}

//go:noinline
func rot(x, y []float32, c, s float32) {
	n := wholeTurns(len(x))
	if n > 0 {
		rotAVX2(&x[0], &y[0], n, c, s)
	}
	rotGo(x[n:], y[n:], c, s)
}

//go:noinline
func amax(x []float32) float32 {
	n := wholeTurns(len(x))
	largest := amaxGo(x[n:])
	if n > 0 {
		var lanes [rotTurn / 4]float32
		for i := range lanes {
			lanes[i] = largest
		}
		amaxAVX2(&lanes, &x[0], n)
		largest = slices.Max(lanes[:])
	}
	return largest
}

// wholeTurns returns how many of n elements assembly takes.
func wholeTurns(n int) int {
	if asm.Active() < asm.AVX2 {
		return 0
	}
	return n &^ (rotTurn - 1)
}
