package f32

import (
	"math"

	"github.com/numateam/numateam/asm"
)

// Swap exchanges the elements of x and y, which don't overlap. Traffic: 2 loads, 2 stores per
// element.
func Swap(x, y []float32) {
	if len(x) != len(y) {
		panic(lengths)
	}
	for len(x) > asm.Block {
		swap(x[:asm.Block], y[:asm.Block])
		x, y = x[asm.Block:], y[asm.Block:]
	}
	swap(x, y)
}

// Rot rotates each pair of x[i] and y[i], which don't overlap:
//
//	x[i], y[i] = c*x[i] + s*y[i], c*y[i] - s*x[i]
//
// Each product is rounded. Traffic: 2 loads, 2 stores per element.
func Rot(x, y []float32, c, s float32) {
	if len(x) != len(y) {
		panic(lengths)
	}
	for len(x) > asm.Block {
		rot(x[:asm.Block], y[:asm.Block], c, s)
		x, y = x[asm.Block:], y[asm.Block:]
	}
	rot(x, y, c, s)
}

// Amax returns the largest |x[i]| that isn't NaN, and -1 if there's none. Traffic: 1 load per
// element.
func Amax(x []float32) float32 {
	largest := float32(-1)
	for len(x) > asm.Block {
		largest = max(largest, amax(x[:asm.Block]))
		x = x[asm.Block:]
	}
	return max(largest, amax(x))
}

// Iamax returns the first i with the largest |x[i]| that isn't NaN, and -1 if there's none. Traffic:
// 1 load per element.
func Iamax(x []float32) int { return iamax(x) }

func swapGo(x, y []float32) {
	y = y[:len(x)]
	for i, v := range x {
		x[i], y[i] = y[i], v
	}
}

func rotGo(x, y []float32, c, s float32) {
	y = y[:len(x)]
	for i, v := range x {
		x[i], y[i] = float32(c*v)+float32(s*y[i]), float32(c*y[i])-float32(s*v)
	}
}

func amaxGo(x []float32) float32 {
	largest := float32(-1)
	for _, v := range x {
		if v < 0 {
			v = -v
		}
		if v > largest {
			largest = v
		}
	}
	return largest
}

func iamaxGo(x []float32) int {
	at, largest := -1, float32(-1)
	for i, v := range x {
		if v := float32(math.Abs(float64(v))); v > largest {
			at, largest = i, v
		}
	}
	return at
}
