package kernels

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"

	"github.com/numateam/numateam/asm/asmtest"
)

// The BLAS panics as gonum's does, with each of the texts that there are.
func TestBLASPanicTexts(t *testing.T) {
	x := make([]float64, 4) // all that is needed for 2 x 2, and for vectors of 4
	one := x[:1]
	for _, c := range []struct {
		want string
		call func(b blas.Float64)
	}{
		{zeroIncX, func(b blas.Float64) { b.Daxpy(2, 1, x, 0, x, 1) }},
		{zeroIncY, func(b blas.Float64) { b.Ddot(2, x, 1, x, 0) }},
		{nLT0, func(b blas.Float64) { b.Dscal(-1, 1, x, 1) }},
		{shortX, func(b blas.Float64) { b.Dnrm2(5, x, 1) }},
		{shortY, func(b blas.Float64) { b.Dcopy(4, x, 1, x, -2) }},

		{badTranspose, func(b blas.Float64) { b.Dgemv('?', 2, 2, 1, x, 2, x, 1, 0, x, 1) }},
		{mLT0, func(b blas.Float64) { b.Dgemv('N', -1, 2, 1, x, 2, x, 1, 0, x, 1) }},
		{nLT0, func(b blas.Float64) { b.Dgemv('N', 2, -1, 1, x, 2, x, 1, 0, x, 1) }},
		{badLdA, func(b blas.Float64) { b.Dgemv('N', 2, 2, 1, x, 1, x, 1, 0, x, 1) }},
		{zeroIncX, func(b blas.Float64) { b.Dgemv('N', 2, 2, 1, x, 2, x, 0, 0, x, 1) }},
		{zeroIncY, func(b blas.Float64) { b.Dgemv('T', 2, 2, 1, x, 2, x, 1, 0, x, 0) }},
		{shortX, func(b blas.Float64) { b.Dgemv('N', 2, 2, 1, x, 2, one, 1, 0, x, 1) }},
		{shortY, func(b blas.Float64) { b.Dgemv('T', 2, 2, 1, x, 2, x, 1, 0, one, 1) }},
		{shortA, func(b blas.Float64) { b.Dger(2, 2, 1, x, 1, x, 1, one, 2) }},

		{badTranspose, func(b blas.Float64) { b.Dgemm('?', 'N', 2, 2, 2, 1, x, 2, x, 2, 0, x, 2) }},
		{badTranspose, func(b blas.Float64) { b.Dgemm('N', '?', 2, 2, 2, 1, x, 2, x, 2, 0, x, 2) }},
		{mLT0, func(b blas.Float64) { b.Dgemm('N', 'N', -1, 2, 2, 1, x, 2, x, 2, 0, x, 2) }},
		{nLT0, func(b blas.Float64) { b.Dgemm('N', 'N', 2, -1, 2, 1, x, 2, x, 2, 0, x, 2) }},
		{kLT0, func(b blas.Float64) { b.Dgemm('N', 'N', 2, 2, -1, 1, x, 2, x, 2, 0, x, 2) }},
		{badLdA, func(b blas.Float64) { b.Dgemm('N', 'N', 2, 2, 2, 1, x, 1, x, 2, 0, x, 2) }},
		{badLdB, func(b blas.Float64) { b.Dgemm('N', 'N', 2, 2, 2, 1, x, 2, x, 1, 0, x, 2) }},
		{badLdC, func(b blas.Float64) { b.Dgemm('N', 'N', 2, 2, 2, 1, x, 2, x, 2, 0, x, 1) }},
		{shortA, func(b blas.Float64) { b.Dgemm('T', 'N', 2, 2, 2, 1, one, 2, x, 2, 0, x, 2) }},
		{shortB, func(b blas.Float64) { b.Dgemm('N', 'T', 2, 2, 2, 1, x, 2, one, 2, 0, x, 2) }},
		{shortC, func(b blas.Float64) { b.Dgemm('T', 'T', 2, 2, 2, 1, x, 2, x, 2, 0, one, 2) }},

		{badUplo, func(b blas.Float64) { b.Dsyrk('?', 'N', 2, 2, 1, x, 2, 0, x, 2) }},
		{badTranspose, func(b blas.Float64) { b.Dsyrk('U', '?', 2, 2, 1, x, 2, 0, x, 2) }},
		{kLT0, func(b blas.Float64) { b.Dsyrk('U', 'N', 2, -1, 1, x, 2, 0, x, 2) }},
		{badLdC, func(b blas.Float64) { b.Dsyrk('U', 'N', 2, 2, 1, x, 2, 0, x, 1) }},
		{shortA, func(b blas.Float64) { b.Dsyrk('U', 'N', 2, 2, 1, one, 2, 0, x, 2) }},
		{shortC, func(b blas.Float64) { b.Dsyrk('L', 'T', 2, 2, 1, x, 2, 0, one, 2) }},

		{badSide, func(b blas.Float64) { b.Dsymm('?', 'U', 2, 2, 1, x, 2, x, 2, 0, x, 2) }},
		{badUplo, func(b blas.Float64) { b.Dsymm('L', '?', 2, 2, 1, x, 2, x, 2, 0, x, 2) }},
		{badLdB, func(b blas.Float64) { b.Dsymm('R', 'L', 2, 2, 1, x, 2, x, 1, 0, x, 2) }},
		{shortB, func(b blas.Float64) { b.Dsymm('R', 'L', 2, 2, 1, x, 2, one, 2, 0, x, 2) }},
		{shortC, func(b blas.Float64) { b.Dsymm('L', 'U', 2, 2, 1, x, 2, x, 2, 0, one, 2) }},

		{badSide, func(b blas.Float64) { b.Dtrsm('?', 'U', 'N', 'N', 2, 2, 1, x, 2, x, 2) }},
		{badUplo, func(b blas.Float64) { b.Dtrmm('L', '?', 'N', 'N', 2, 2, 1, x, 2, x, 2) }},
		{badTranspose, func(b blas.Float64) { b.Dtrsm('L', 'U', '?', 'N', 2, 2, 1, x, 2, x, 2) }},
		{badDiag, func(b blas.Float64) { b.Dtrmm('L', 'U', 'N', '?', 2, 2, 1, x, 2, x, 2) }},
		{mLT0, func(b blas.Float64) { b.Dtrsm('L', 'U', 'N', 'N', -1, 2, 1, x, 2, x, 2) }},
		{nLT0, func(b blas.Float64) { b.Dtrmm('L', 'U', 'N', 'N', 2, -1, 1, x, 2, x, 2) }},
		{badLdA, func(b blas.Float64) { b.Dtrsm('R', 'U', 'N', 'N', 2, 2, 1, x, 1, x, 2) }},
		{badLdB, func(b blas.Float64) { b.Dtrmm('R', 'U', 'N', 'N', 2, 2, 1, x, 2, x, 1) }},
		{shortA, func(b blas.Float64) { b.Dtrsm('L', 'L', 'T', 'U', 2, 2, 1, one, 2, x, 2) }},
		{shortB, func(b blas.Float64) { b.Dtrmm('L', 'L', 'T', 'U', 2, 2, 1, x, 2, one, 2) }},
	} {
		ours, gonums := panics(func() { c.call(BLAS{}) }), panics(func() { c.call(gonum.Implementation{}) })
		if ours != c.want || gonums != c.want {
			t.Errorf("panics with %v, gonum with %v, want %q", ours, gonums, c.want)
		}
	}
}

// gonum's own checks wrap around for strides like these, and leave it to Go's. Ours must panic
// before anything goes to the assembly, which has no others.
func TestBLASStridesThatOverflow(t *testing.T) {
	const far, further = math.MaxInt/2 + 1, math.MaxInt/8 + 2
	x, y, zeros := make([]float64, 16), make([]float64, 16), make([]float64, 16)
	for i := range x {
		x[i] = 1
	}
	for name, f := range map[string]func(b BLAS){
		"dger lda":    func(b BLAS) { b.Dger(9, 2, 1, x, 1, x, 1, y, further) },
		"dger x":      func(b BLAS) { b.Dger(9, 1, 1, x, further, x, 1, y, 1) },
		"dger big":    func(b BLAS) { b.Dger(far, 2, 1, x, 1, x, 1, y, 2) },
		"dgemv a":     func(b BLAS) { b.Dgemv(blas.NoTrans, 9, 2, 1, x, further, x, 1, 0, y, 1) },
		"dgemv trans": func(b BLAS) { b.Dgemv(blas.Trans, 9, 2, 1, x, further, x, 1, 0, y, 1) },
		"dgemv x":     func(b BLAS) { b.Dgemv(blas.Trans, 9, 1, 1, x, 1, x, further, 0, y, 1) },
		"dgemm a":     func(b BLAS) { b.Dgemm(blas.NoTrans, blas.NoTrans, 3, 4, 4, 1, x, far, x, 4, 0, y, 4) },
		"dgemm b":     func(b BLAS) { b.Dgemm(blas.NoTrans, blas.NoTrans, 4, 4, 3, 1, x, 4, x, far, 0, y, 4) },
		"dgemm c":     func(b BLAS) { b.Dgemm(blas.NoTrans, blas.NoTrans, 3, 4, 4, 1, x, 4, x, 4, 0, y, far) },
		"dsyrk":       func(b BLAS) { b.Dsyrk(blas.Upper, blas.NoTrans, 3, 4, 1, x, 4, 0, y, far) },
		"dtrsm":       func(b BLAS) { b.Dtrsm(blas.Left, blas.Upper, blas.NoTrans, blas.Unit, 3, 4, 1, x, far, y, 4) },
	} {
		if panics(func() { f(BLAS{}) }) == nil {
			t.Errorf("%s: no panic", name)
		}
		if i := asmtest.Differ(y, zeros); i >= 0 {
			t.Errorf("%s: y[%d] = %v was written", name, i, y[i])
		}
	}
}

// The blurs' checks have tests of their own; this is the rest of what they document.
func TestBlurPanicTexts(t *testing.T) {
	for _, sigma := range []float64{-1, 10_001, math.NaN(), math.Inf(1)} {
		if got := panics(func() { GaussianRadius(sigma) }); got != "kernels: sigma isn't in 0 to 10000" {
			t.Errorf("GaussianRadius(%v): panic %v", sigma, got)
		}
	}
	small := Image[float32]{Pix: make([]float32, 16), Stride: 4, Width: 4, Height: 4}
	for name, blur := range map[string]func(dst, src Image[float32]){
		"Blur3x3":      func(dst, src Image[float32]) { Blur3x3(nil, dst, src, Replicate) },
		"BoxBlur":      func(dst, src Image[float32]) { BoxBlur(nil, dst, src, 1, Replicate) },
		"GaussianBlur": func(dst, src Image[float32]) { GaussianBlur(nil, dst, src, 1, Replicate) },
	} {
		for want, dst := range map[string]Image[float32]{
			"kernels: blur in place: dst overlaps src":    small,
			"kernels: blur into an image of another size": {Pix: make([]float32, 16), Stride: 4, Width: 4, Height: 3},
			"kernels: image of negative size":             {Height: -1},
			"kernels: image with Stride less than Width":  {Pix: make([]float32, 16), Stride: 3, Width: 4, Height: 4},
			"kernels: image with too few Pix":             {Pix: make([]float32, 15), Stride: 4, Width: 4, Height: 4},
		} {
			if got := panics(func() { blur(dst, small) }); got != want {
				t.Errorf("%s: panic %v, want %q", name, got, want)
			}
		}
	}
}

func TestBorderErrorTexts(t *testing.T) {
	for text, want := range map[string]string{
		"mirror":     `kernels: unknown border "mirror"`,
		"valid:1":    `kernels: unknown border "valid:1"`,
		"constant:x": `kernels: border "constant:x": not a number`,
	} {
		if err := new(Border).UnmarshalText([]byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}
