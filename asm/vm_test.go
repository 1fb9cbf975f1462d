package asm_test

import (
	"math"
	"os"
	"slices"
	"testing"

	"github.com/numateam/numateam/asm"
	"github.com/numateam/numateam/asm/f32"
	"github.com/numateam/numateam/asm/f64"
	"github.com/numateam/numateam/asm/mem"
)

// TestVMEveryISAGivesTheSameBits is the packages' own tests in brief, for the
// emulator that .ci/vm/test runs where a host may have no AVX-512: it is a
// hundred times slower than the host.
func TestVMEveryISAGivesTheSameBits(t *testing.T) {
	if os.Getenv("VM_TOPOLOGY") == "avx512" && !slices.Contains(asm.Available(), asm.AVX512) {
		t.Errorf("AVX-512 isn't found; there is %v", asm.Available())
	}
	for _, n := range []int{0, 1, 7, 16, 33, 100, 257, 1000} {
		want := results(asm.NoAsm, n)
		for _, isa := range asm.Available() {
			got := results(isa, n)
			for k := range want {
				if got[k] != want[k] {
					t.Errorf("%v, n = %d: value %d is %x, in plain Go %x", isa, n, k, got[k], want[k])
					break
				}
			}
		}
	}
}

// results returns the bits of what the loops make of n elements.
func results(isa asm.ISA, n int) (bits []uint64) {
	defer asm.Use(isa)()
	x, y, d := make([]float64, n), make([]float64, n), make([]float64, n)
	x4, y4, d4 := make([]float32, n), make([]float32, n), make([]float32, n)
	for i := range n {
		x[i], y[i] = 1/float64(i+3), math.Sqrt(float64(i))
		x4[i], y4[i] = float32(x[i]), float32(y[i])
	}
	keep := func() {
		for i := range n {
			bits = append(bits, math.Float64bits(d[i]), uint64(math.Float32bits(d4[i])))
		}
	}
	mem.Fill(mem.Bytes(d), mem.PatternOf(1.5))
	mem.Fill(mem.Bytes(d4), mem.PatternOf(float32(1.5)))
	keep()
	f64.Scale(d, 3, x)
	f32.Scale(d4, 3, x4)
	keep()
	f64.Add(d, x, y)
	f32.Add(d4, x4, y4)
	keep()
	f64.Triad(d, x, -0.3, y)
	f32.Triad(d4, x4, -0.3, y4)
	keep()
	f64.Axpy(0.7, x, d)
	f32.Axpy(0.7, x4, d4)
	keep()
	mem.CopyStream(mem.Bytes(d), mem.Bytes(y))
	mem.CopyStream(mem.Bytes(d4), mem.Bytes(y4))
	keep()
	for _, v := range []float64{f64.Dot(x, y), f64.Sum(y), f64.Asum(x)} {
		bits = append(bits, math.Float64bits(v))
	}
	for _, v := range []float32{f32.Dot(x4, y4), f32.Sum(y4), f32.Asum(x4)} {
		bits = append(bits, uint64(math.Float32bits(v)))
	}
	return bits
}
