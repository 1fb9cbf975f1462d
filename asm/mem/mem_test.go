package mem

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/numateam/numateam/asm"
	"github.com/numateam/numateam/asm/asmtest"
)

// testFill checks both fills of slices of E with the value that comes first in them.
func testFill[E asmtest.Elem](t *testing.T) {
	plain := func(x [][]E) float64 {
		for i := range x[0] {
			x[0][i] = x[0][0]
		}
		return 0
	}
	fillWith := func(f func([]byte, Pattern)) func(x [][]E) float64 {
		return func(x [][]E) float64 {
			if len(x[0]) > 0 {
				f(Bytes(x[0]), PatternOf(x[0][0]))
			}
			return 0
		}
	}
	asmtest.Test(t, 128,
		asmtest.Loop[E]{Name: "fill", Operands: 1, Run: fillWith(Fill), Ref: plain},
		asmtest.Loop[E]{Name: "fill stream", Operands: 1, Run: fillWith(FillStream), Ref: plain})
}

func TestFill(t *testing.T) {
	t.Run("1 byte", testFill[uint8])
	t.Run("2 bytes", testFill[uint16])
	t.Run("4 bytes", testFill[float32])
	t.Run("8 bytes", testFill[float64])
}

// Values of 16 bytes, and of 8 that are aligned to 4, start the pattern anywhere.
func TestFillOfComplexNumbers(t *testing.T) {
	asmtest.EachISA(t, func(t *testing.T) {
		for _, f := range []func([]byte, Pattern){Fill, FillStream} {
			for n := range 300 {
				for o := range 16 {
					mem := make([]float64, 2*n+32)
					x := mem[o:]
					f(Bytes(x[:2*n]), PatternOf(complex(1.5, 2.5)))
					for i := range x[:2*n] {
						if want := 1.5 + float64(i%2); x[i] != want {
							t.Fatalf("n = %d at %d: x[%d] = %v, want %v", n, o, i, x[i], want)
						}
					}
					narrow := make([]float32, 2*n+32)
					y := narrow[o:]
					f(Bytes(y[:2*n]), PatternOf(complex(float32(1.5), 2.5)))
					for i := range y[:2*n] {
						if want := 1.5 + float32(i%2); y[i] != want {
							t.Fatalf("n = %d at %d: y[%d] = %v, want %v", n, o, i, y[i], want)
						}
					}
					if x[2*n] != 0 || y[2*n] != 0 {
						t.Fatalf("n = %d at %d: wrote behind the end", n, o)
					}
				}
			}
		}
	})
}

func TestCopy(t *testing.T) {
	plain := func(x [][]uint8) float64 { copy(x[0], x[1]); return 0 }
	asmtest.Test(t, 128,
		asmtest.Loop[uint8]{Name: "copy", Operands: 2, Ref: plain,
			Run: func(x [][]uint8) float64 { Copy(x[0], x[1]); return 0 }},
		asmtest.Loop[uint8]{Name: "copy stream", Operands: 2, Ref: plain,
			Run: func(x [][]uint8) float64 { CopyStream(x[0], x[1]); return 0 }})
}

func TestCopyOfOverlappingSlices(t *testing.T) {
	const n = 3*block + 1000
	r := rand.New(rand.NewPCG(1, 2))
	start := make([]byte, n+2*block)
	for i := range start {
		start[i] = byte(r.Uint32())
	}
	for _, shift := range []int{-block - 1, -block, -64, -1, 0, 1, 64, 4096, block, block + 1, 2 * block} {
		got, want := bytes.Clone(start), bytes.Clone(start)
		from, to := max(0, -shift), max(0, shift)
		Copy(got[to:to+n], got[from:from+n])
		copy(want[to:to+n], want[from:from+n])
		if !bytes.Equal(got, want) {
			t.Errorf("shifted by %d: not as Go's copy", shift)
		}
	}
}

func TestLengthsPanic(t *testing.T) {
	for _, f := range []func(dst, src []byte){Copy, CopyStream} {
		func() {
			defer func() {
				if r := recover(); r != lengths {
					t.Errorf("recovered %v", r)
				}
			}()
			f(make([]byte, 5), make([]byte, 6))
		}()
	}
}

func BenchmarkLoops(b *testing.B) {
	for _, isa := range asm.Available() {
		for _, n := range []int{4000, 40_000, 400_000, 40_000_000} {
			x, y := asmtest.At[byte](n, 64), asmtest.At[byte](n, 192)
			for _, l := range []struct {
				name    string
				streams int
				run     func()
			}{
				{"fill", 1, func() { Fill(x, Pattern{}) }},
				{"fill_stream", 1, func() { FillStream(x, Pattern{}) }},
				{"copy", 2, func() { Copy(y, x) }},
				{"copy_stream", 2, func() { CopyStream(y, x) }},
			} {
				b.Run(fmt.Sprintf("op=%s/isa=%v/n=%d", l.name, isa, n), func(b *testing.B) {
					defer asm.Use(isa)()
					b.SetBytes(int64(l.streams * n))
					for b.Loop() {
						l.run()
					}
				})
			}
		}
	}
}
