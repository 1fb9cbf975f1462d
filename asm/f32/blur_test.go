package f32

import (
	"testing"

	"github.com/numateam/numateam/asm"
	"github.com/numateam/numateam/asm/asmtest"
)

// blurRows calls f with operands of one length as a row of the blur: src keeps its length,
// the others lose two pixels.
func blurRows(x [][]float32, f func(dst, above, middle, src []float32)) float64 {
	n := len(x[0]) - 2
	if n >= 0 {
		f(x[0][:n], x[1][:n], x[2][:n], x[3])
	}
	return 0
}

func plainBlur(x [][]float32) float64 {
	return blurRows(x, blurRowGo)
}

// blurStream is BlurRowStream with a prefetch of what's in src.
func blurStream(dst, above, middle, src []float32) {
	BlurRowStream(dst, above, middle, src, len(dst)/2)
}

func TestBlurRowsEqualThePlainLoop(t *testing.T) {
	asmtest.Test(t, turn,
		asmtest.Loop[float32]{Name: "blur row", Operands: 4, Ref: plainBlur,
			Run: func(x [][]float32) float64 { return blurRows(x, BlurRow) }},
		asmtest.Loop[float32]{Name: "blur row stream", Operands: 4, Ref: plainBlur,
			Run: func(x [][]float32) float64 { return blurRows(x, blurStream) }},
	)
}

func TestBlurLengthsPanic(t *testing.T) {
	x := make([]float32, 16)
	for _, n := range [][4]int{{8, 8, 8, 8}, {8, 9, 8, 10}, {8, 8, 7, 10}, {0, 8, 8, 10}, {0, 0, 0, 0}} {
		for _, f := range []func(dst, above, middle, src []float32){BlurRow, blurStream} {
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
	x := make([]float32, 4*n+2)
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
