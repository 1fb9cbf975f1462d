package kernels

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/numateam/numateam/asm"
	"github.com/numateam/numateam/asm/asmtest"
	"github.com/numateam/numateam/team"
)

// Each target takes the bits of three operands and a scalar, and a place for each operand
// between no-access pages, and compares the kernel on every instruction set, without a
// team and now and then with one that gets the operands repeated, with the plain loop.

func FuzzFill(f *testing.F)  { fuzz(f, "fill") }
func FuzzCopy(f *testing.F)  { fuzz(f, "copy") }
func FuzzScale(f *testing.F) { fuzz(f, "scale") }
func FuzzAdd(f *testing.F)   { fuzz(f, "add") }
func FuzzTriad(f *testing.F) { fuzz(f, "triad") }
func FuzzAxpy(f *testing.F)  { fuzz(f, "axpy") }
func FuzzDot(f *testing.F)   { fuzz(f, "dot") }
func FuzzSum(f *testing.F)   { fuzz(f, "sum") }
func FuzzAsum(f *testing.F)  { fuzz(f, "asum") }
func FuzzNrm2(f *testing.F)  { fuzz(f, "nrm2") }

// fuzzLen is the greatest length of an operand in elements.
const fuzzLen = 2 * serial

func fuzz(f *testing.F, name string) {
	workers, err := team.New(&team.Options{Workers: 3})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { workers.Close() })
	run32, run64 := fuzzRun[float32](f, name, workers), fuzzRun[float64](f, name, workers)
	f.Add([]byte{}, uint64(0x3f800000_3f800000), uint32(0))
	for n := 1; n < 3*8*300; n = 3*n/2 + 1 {
		bits := make([]byte, n)
		for i := range bits {
			bits[i] = byte(i * i * 31)
		}
		f.Add(bits, uint64(n)*0x0123456789abcdef, uint32(n)*0x9e3779b1)
	}
	f.Fuzz(func(t *testing.T, bits []byte, scalar uint64, places uint32) {
		run32(t, bits, scalar, places)
		run64(t, bits, scalar, places)
	})
}

func fuzzRun[T Float](f *testing.F, name string, workers *team.Team) func(t *testing.T, bits []byte, scalar uint64, places uint32) {
	var arenas [3]*asmtest.Arena[T]
	for i := range arenas {
		arenas[i] = asmtest.NewArena[T](f, fuzzLen+64)
	}
	var k op[T]
	for _, o := range ops[T]() {
		if o.name == name {
			k = o
		}
	}
	size := lanesBytes / lanes[T]()
	return func(t *testing.T, bits []byte, scalar uint64, places uint32) {
		n := len(bits) / 3 / size
		s := fromBits[T](binary.LittleEndian.AppendUint64(nil, scalar))
		for _, w := range []*team.Team{nil, workers} {
			times := 1
			if w != nil {
				if n == 0 || places>>24%8 != 0 {
					continue
				}
				times = serial/n + 1 + int(places>>27)%3 // more than what a kernel does serially
			}
			length := min(n*times, fuzzLen)
			var start, want, x [3][]T
			for i := range start {
				start[i] = make([]T, length)
				for e := range start[i] {
					at := (i*n + e%max(n, 1)) * size
					start[i][e] = fromBits[T](bits[at : at+size])
				}
				want[i] = append([]T(nil), start[i]...)
			}
			wantResult := k.plain(s, want[0], want[1], want[2])
			for _, isa := range asm.Available() {
				restore := asm.Use(isa)
				for i := range x {
					if o := int(places>>(8*i)) % 32; o < 24 {
						x[i] = arenas[i].Head(length, o)
					} else {
						x[i] = arenas[i].Tail(length)
					}
					copy(x[i], start[i])
					arenas[i].Fence(x[i])
				}
				result := k.run(w, s, x[0], x[1], x[2])
				restore()
				for i := range x {
					if !arenas[i].Intact() {
						t.Fatalf("%v: wrote outside operand %d", isa, i)
					}
					if at := asmtest.Differ(x[i], want[i]); at >= 0 {
						t.Fatalf("%v: operand %d of %d at %d is %v, want %v", isa, i, length, at, x[i][at], want[i][at])
					}
				}
				if !asmtest.Same(result, wantResult) {
					t.Fatalf("%v: result of %d is %v, want %v", isa, length, result, wantResult)
				}
			}
		}
	}
}

// lanesBytes is the size of a reduction's lanes.
const lanesBytes = 128

// fromBits returns the number that the bits mean.
func fromBits[T Float](b []byte) T {
	if lanes[T]() == 32 {
		return T(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	}
	return T(math.Float64frombits(binary.LittleEndian.Uint64(b)))
}
