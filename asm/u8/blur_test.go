package u8

import (
	"testing"

	"github.com/numateam/numateam/asm"
	"github.com/numateam/numateam/asm/asmtest"
)

// turn is how many pixels the widest loop takes at once.
const turn = 32

// rows calls f with operands of one length as a row of the blur: src keeps its length,
// the others lose two pixels.
func rows(x [][]uint8, f func(dst, above, middle, src []uint8)) float64 {
	n := len(x[0]) - 2
	if n >= 0 {
		f(x[0][:n], x[1][:n], x[2][:n], x[3])
	}
	return 0
}

func plain(x [][]uint8) float64 {
	return rows(x, blurRowGo)
}

// stream is BlurRowStream with a prefetch of what's in src.
func stream(dst, above, middle, src []uint8) {
	BlurRowStream(dst, above, middle, src, len(dst)/2)
}

func TestRowsEqualThePlainLoop(t *testing.T) {
	asmtest.Test(t, turn,
		asmtest.Loop[uint8]{Name: "blur row", Operands: 4, Ref: plain,
			Run: func(x [][]uint8) float64 { return rows(x, BlurRow) }},
		asmtest.Loop[uint8]{Name: "blur row stream", Operands: 4, Ref: plain,
			Run: func(x [][]uint8) float64 { return rows(x, stream) }},
	)
}

func TestLengthsPanic(t *testing.T) {
	x := make([]uint8, 16)
	for _, n := range [][4]int{{8, 8, 8, 8}, {8, 9, 8, 10}, {8, 8, 7, 10}, {0, 8, 8, 10}, {0, 0, 0, 0}} {
		for _, f := range []func(dst, above, middle, src []uint8){BlurRow, stream} {
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
	x := make([]uint8, 4*n+2)
	for _, isa := range asm.Available() {
		b.Run(isa.String(), func(b *testing.B) {
			defer asm.Use(isa)()
			b.SetBytes(n)
			for b.Loop() {
				BlurRow(x[:n], x[n:2*n], x[2*n:3*n], x[3*n:])
			}
		})
	}
}
