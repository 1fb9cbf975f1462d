package f64

import (
	"math"

	"github.com/numateam/numateam/asm"
)

// Swap exchanges the elements of x and y, which don't overlap. Traffic: 2 loads, 2 stores per
// element.
func Swap(x, y []float64) {
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
func Rot(x, y []float64, c, s float64) {
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
func Amax(x []float64) float64 {
	largest := float64(-1)
	for len(x) > asm.Block {
		largest = max(largest, amax(x[:asm.Block]))
		x = x[asm.Block:]
	}
	return max(largest, amax(x))
}

// Iamax returns the first i with the largest |x[i]| that isn't NaN, and -1 if there's none. Traffic:
// 1 load per element.
func Iamax(x []float64) int { return iamax(x) }

func swapGo(x, y []float64) {
	y = y[:len(x)]
	for i, v := range x {
		x[i], y[i] = y[i], v
	}
}

func rotGo(x, y []float64, c, s float64) {
	y = y[:len(x)]
	for i, v := range x {
		x[i], y[i] = float64(c*v)+float64(s*y[i]), float64(c*y[i])-float64(s*v)
	}
}

func amaxGo(x []float64) float64 {
	largest := float64(-1)
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

func iamaxGo(x []float64) int {
	at, largest := -1, float64(-1)
	for i, v := range x {
		if v := float64(math.Abs(float64(v))); v > largest {
			at, largest = i, v
		}
	}
	return at
}
