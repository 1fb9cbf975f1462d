package f64

import (
	"fmt"
	"math"
	"testing"

	"github.com/numateam/numateam/asm"
	"github.com/numateam/numateam/asm/asmtest"
)

func TestRotationsEqualThePlainLoops(t *testing.T) {
	asmtest.Test(t, turn,
		loop{Name: "swap", Operands: 2,
			Run: func(x [][]float64) float64 { Swap(x[0], x[1]); return 0 },
			Ref: func(x [][]float64) float64 { swapGo(x[0], x[1]); return 0 }},
		loop{Name: "rot", Operands: 2,
			Run: func(x [][]float64) float64 { Rot(x[0], x[1], 0.6, -0.8); return 0 },
			Ref: func(x [][]float64) float64 { rotGo(x[0], x[1], 0.6, -0.8); return 0 }},
		loop{Name: "largest", Operands: 1,
			Run: func(x [][]float64) float64 { return float64(Amax(x[0])) },
			Ref: func(x [][]float64) float64 { return float64(amaxGo(x[0])) }})
}

// The first of the largest is found, and a NaN never.
func TestIamax(t *testing.T) {
	plain := func(x []float64) int {
		at, largest := -1, float64(-1)
		for i, v := range x {
			if v := float64(math.Abs(float64(v))); v > largest {
				at, largest = i, v
			}
		}
		return at
	}
	asmtest.Test(t, turn, loop{Name: "index of the largest", Operands: 1,
		Run: func(x [][]float64) float64 { return float64(Iamax(x[0])) },
		Ref: func(x [][]float64) float64 { return float64(plain(x[0])) }})
}

// The largest is found wherever it is, among NaNs too.
func TestAmaxPlaces(t *testing.T) {
	asmtest.EachISA(t, func(t *testing.T) {
		x := make([]float64, 3*turn+1)
		for i := range x {
			x[i] = float64(math.NaN())
		}
		if got := Amax(x); got != -1 {
			t.Errorf("%v among NaNs alone", got)
		}
		for i := range x {
			x[i] = -2
			if got := Amax(x); got != 2 {
				t.Errorf("%v with -2 at %d", got, i)
			}
			x[i] = float64(math.NaN())
		}
	})
}

func BenchmarkRot(b *testing.B) {
	for _, isa := range asm.Available() {
		b.Run(fmt.Sprintf("isa=%v", isa), func(b *testing.B) {
			defer asm.Use(isa)()
			x, y := asmtest.At[float64](1000, 64), asmtest.At[float64](1000, 64)
			b.SetBytes(4 * 8 * 1000)
			for b.Loop() {
				Rot(x, y, 0.6, 0.8)
			}
		})
	}
}
