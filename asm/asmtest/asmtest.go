// Package asmtest runs the loops of package asm's subpackages against their plain
// Go form: on every instruction set, at every short length, at many places in memory, with
// no-access pages on both sides and with special values.
package asmtest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
	"unsafe"

	"github.com/numateam/numateam/asm"
)

// Elem is the kind of element that a loop works on.
type Elem interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// A Loop is a loop under test.
type Loop[T Elem] struct {
	Name     string
	Operands int // how many slices it takes, all of one length

	// Run calls the loop, and Ref does in plain Go what it ought to do. Both may
	// write to any operand; what they return is compared too.
	Run, Ref func(x [][]T) float64
}

// EachISA runs f as a subtest on every instruction set that this CPU has.
func EachISA(t *testing.T, f func(t *testing.T)) {
	for _, isa := range asm.Available() {
		t.Run(isa.String(), func(t *testing.T) {
			defer asm.Use(isa)()
			f(t)
		})
	}
}

// Lengths returns every length up to three more than four times w, the number of
// elements that a loop takes in one turn, and some longer ones around block sizes.
func Lengths(w int) []int {
	var list []int
	for n := range 4*w + 4 {
		list = append(list, n)
	}
	return append(list, 1000, 4095, 4096, 4097, 8192+5, asm.Block, 2*asm.Block+w+1)
}

// maxLen is the longest slice in a Test.
const maxLen = 3*asm.Block + 64

// Test runs the loop on every instruction set and at lengths Lengths(w). Each
// operand in turn lies directly behind a no-access page, then at offsets of 1 to
// 17 elements from it, the same for all operands and then each its own; then all end at
// a no-access page. The elements just outside the operands are NaN or all ones,
// and must stay as they are.
func Test[T Elem](t *testing.T, w int, loops ...Loop[T]) {
	for _, l := range loops {
		t.Run(l.Name, func(t *testing.T) {
			arenas, want := make([]*Arena[T], l.Operands), make([][]T, l.Operands)
			for i := range arenas {
				arenas[i], want[i] = NewArena[T](t, maxLen), make([]T, maxLen)
			}
			EachISA(t, func(t *testing.T) {
				r := rand.New(rand.NewPCG(uint64(w), 1))
				for _, n := range Lengths(w) {
					place := func(where string, offset func(i int) int) {
						x := make([][]T, l.Operands)
						for i := range x {
							x[i] = arenas[i].Head(n, offset(i))
							Random(r, x[i])
						}
						if fault := check(l, arenas, x, want); fault != "" {
							t.Fatalf("n = %d at %s: %s", n, where, fault)
						}
					}
					offsets := 18
					if n > 4*w+4 {
						offsets = 2
					}
					for o := range offsets {
						place(strconv.Itoa(o), func(int) int { return o })
					}
					var own [8]int
					for i := range own {
						own[i] = r.IntN(18)
					}
					place(fmt.Sprint(own[:l.Operands]), func(i int) int { return own[i] })
					place("the end", func(i int) int { return arenas[i].Len() - n })
				}
			})
		})
	}
}

// check runs the loop on x and its reference on a copy in want, and returns what differs.
func check[T Elem](l Loop[T], arenas []*Arena[T], x, want [][]T) string {
	for i := range x {
		want[i] = want[i][:len(x[i])]
		copy(want[i], x[i])
		arenas[i].Fence(x[i])
	}
	wantValue, value := l.Ref(want), l.Run(x)
	for i := range x {
		if !arenas[i].Intact() {
			return fmt.Sprintf("wrote outside operand %d", i)
		}
		if k := Differ(x[i], want[i]); k >= 0 {
			return fmt.Sprintf("operand %d at %d is %v, want %v", i, k, x[i][k], want[i][k])
		}
	}
	if !Same(value, wantValue) {
		return fmt.Sprintf("result is %v, want %v", value, wantValue)
	}
	return ""
}

// Same reports whether two values have the same bits or are both NaN.
func Same[T Elem](a, b T) bool {
	return a == b && (a != 0 || 1/float64(a) == 1/float64(b)) || a != a && b != b
}

// Differ returns the first index where two slices of one length aren't the Same, or -1.
func Differ[T Elem](a, b []T) int {
	for i := range a {
		if !Same(a[i], b[i]) {
			return i
		}
	}
	return -1
}

// Specials returns values at the edges of T: for floats NaN, infinities, zeros of both
// signs, denormals, the largest and smallest numbers, and neighbours of 1.
func Specials[T Elem]() []T {
	var zero T
	switch any(zero).(type) {
	case float32:
		return cast[T]([]float32{
			float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), 0, float32(math.Copysign(0, -1)),
			math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32, 1e-40, 0x1p-126, math.MaxFloat32,
			-math.MaxFloat32, 1, -1, 1 + 0x1p-23, 1 - 0x1p-24,
		})
	case float64:
		return cast[T]([]float64{
			math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1),
			math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64, 1e-310, 0x1p-1022, math.MaxFloat64,
			-math.MaxFloat64, 1, -1, 1 + 0x1p-52, 1 - 0x1p-53,
		})
	}
	top := zero - 1
	return []T{0, 1, 2, 3, top / 3, top/3 + 1, top / 2, top/2 + 1, top - 1, top}
}

// Random fills x with numbers: floats of either sign whose sums and products round,
// integers over their whole range, and in one slice of four also special values. A long
// slice repeats them with a prime period.
func Random[T Elem](r *rand.Rand, x []T) {
	var zero T
	var special []T
	if r.IntN(4) == 0 {
		special = Specials[T]()
	}
	for i := range x[:min(len(x), 1009)] {
		switch any(zero).(type) {
		case float32, float64:
			x[i] = T(math.Ldexp(r.Float64()*2-1, r.IntN(12)-6))
		default:
			x[i] = T(r.Uint64() & uint64(zero-1))
		}
		if special != nil && r.IntN(len(x)) < 3 {
			x[i] = special[r.IntN(len(special))]
		}
	}
	for done := 1009; done < len(x); done *= 2 {
		copy(x[done:], x[:done])
	}
}

// cast returns the same memory as a slice of another type of the same size.
func cast[To, From any](x []From) []To {
	return unsafe.Slice((*To)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}
