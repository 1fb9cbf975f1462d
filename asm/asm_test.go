package asm

import (
	"math"
	"testing"
)

func TestExtent(t *testing.T) {
	for _, c := range []struct{ n, stride, width, want int }{
		{1, 0, 0, 0},
		{1, 5, 3, 3},
		{3, 5, 2, 12},
		{3, 0, 2, 2},
		{1, -1, 2, 2},
		{2, -1, 2, math.MaxInt},
		{2, math.MinInt, 2, math.MaxInt},
		{2, math.MaxInt - 2, 2, math.MaxInt},
		{2, math.MaxInt - 1, 2, math.MaxInt},
		{5, math.MaxInt/2 + 1, 1, math.MaxInt}, // wraps to 0
		{9, math.MaxInt/8 + 2, 1, math.MaxInt}, // wraps to 8
		{2, 1, math.MaxInt, math.MaxInt},
	} {
		if got := Extent(c.n, c.stride, c.width); got != c.want {
			t.Errorf("Extent(%d, %d, %d) = %d, want %d", c.n, c.stride, c.width, got, c.want)
		}
	}
}
