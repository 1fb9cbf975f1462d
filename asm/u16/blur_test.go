package u16

import (
	"fmt"
	"slices"
	"testing"

	"github.com/numateam/numateam/asm"
	"github.com/numateam/numateam/asm/asmtest"
)

// turn is how many pixels the widest loop takes at once.
const turn = 32

// rows calls f with operands of one length as a row of the blur: src keeps its length,
// the others lose two pixels.
func rows(x [][]uint16, f func(dst, above, middle, src []uint16)) float64 {
	n := len(x[0]) - 2
	if n >= 0 {
		f(x[0][:n], x[1][:n], x[2][:n], x[3])
	}
	return 0
}

func plain(x [][]uint16) float64 {
	return rows(x, blurRowGo)
}

// stream is BlurRowStream with a prefetch of what's in src.
func stream(dst, above, middle, src []uint16) {
	BlurRowStream(dst, above, middle, src, len(dst)/2)
}

func TestRowsEqualThePlainLoop(t *testing.T) {
	// dim keeps the rows on the plain form of the division, but for one pixel in the middle.
	dim := func(x [][]uint16) {
		for _, s := range x {
			for i := range s {
				if i != len(s)/2 {
					s[i] &= 0xfff
				}
			}
		}
	}
	asmtest.Test(t, turn,
		asmtest.Loop[uint16]{Name: "blur row", Operands: 4, Ref: plain,
			Run: func(x [][]uint16) float64 { return rows(x, BlurRow) }},
		asmtest.Loop[uint16]{Name: "blur row stream", Operands: 4, Ref: plain,
			Run: func(x [][]uint16) float64 { return rows(x, stream) }},
		asmtest.Loop[uint16]{Name: "blur row of dim pixels", Operands: 4,
			Ref: func(x [][]uint16) float64 { dim(x); return plain(x) },
			Run: func(x [][]uint16) float64 { dim(x); return rows(x, BlurRow) }},
	)
}

// TestEverySum runs the loops along y over every sum of two pixels and every third pixel
// (the forms of the division depend on the first two through their sum alone), once with
// the third pixel rising, where a row begins in the plain form of the division, and once
// with it falling, where nearly all is done in the exact form.
func TestEverySum(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 251
	}
	thirds := make([]uint16, 3*65536)
	for k := range thirds {
		thirds[k] = uint16(k / 3)
	}
	// Of a ramp, the blur along x is the pixel in the middle: 0 to 65534, and 65535 at the end.
	const n = 65537
	rising := make([]uint16, n+2)
	for i := range rising {
		rising[i] = uint16(min(max(i-1, 0), 65535))
	}
	falling, fallingThirds := slices.Clone(rising), slices.Clone(thirds)
	slices.Reverse(falling)
	slices.Reverse(fallingThirds)
	last := len(thirds) - 1

	asmtest.EachISA(t, func(t *testing.T) {
		if asm.Active() == asm.NoAsm {
			return // the definition
		}
		dst, above, middle := make([]uint16, n), make([]uint16, n), make([]uint16, n)
		for s := 0; s <= 2*65535; s += step {
			a := uint16(s / 2)
			b := uint16(s - s/2)
			for i := range above {
				above[i], middle[i] = a, b
			}
			BlurRow(dst, above, middle, rising)
			if !slices.Equal(dst[:n-2], thirds[s:s+n-2]) || dst[n-1] != thirds[s+65535] {
				t.Fatalf("%d and a rising pixel", s)
			}
			for i := range above {
				above[i] = a
			}
			BlurRow(dst, above, middle, falling)
			if !slices.Equal(dst[2:], fallingThirds[last-s-65534:last-s+1]) || dst[0] != thirds[s+65535] {
				t.Fatalf("%d and a falling pixel", s)
			}
		}
	})
}

func TestLengthsPanic(t *testing.T) {
	x := make([]uint16, 16)
	for _, n := range [][4]int{{8, 8, 8, 8}, {8, 9, 8, 10}, {8, 8, 7, 10}, {0, 8, 8, 10}, {0, 0, 0, 0}} {
		for _, f := range []func(dst, above, middle, src []uint16){BlurRow, stream} {
			func() {
				defer func() {
					if r := recover(); r != lengths {
						t.Errorf("lengths %v: %v", n, r)
					}
				}()
				f(x[:n[0]], x[:n[1]], x[:n[2]], x[:n[3]])
			}()
		}
	}
}

func BenchmarkBlurRow(b *testing.B) {
	const n = 2566
	x := make([]uint16, 4*n+2)
	for _, bits := range []int{12, 16} {
		for i := range x {
			x[i] = uint16(i*40503) >> (16 - bits)
		}
		for _, isa := range asm.Available() {
			b.Run(fmt.Sprintf("bits=%d/isa=%v", bits, isa), func(b *testing.B) {
				defer asm.Use(isa)()
				b.SetBytes(n)
				for b.Loop() {
					BlurRow(x[:n], x[n:2*n], x[2*n:3*n], x[3*n:])
				}
			})
		}
	}
}
