package kernels

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/numateam/numateam/asm/asmtest"
)

// plainGaussian is the loop of GaussianBlur's comment.
func plainGaussian[P Pixel](dst, src Image[P], sigma float64, b Border) {
	r := GaussianRadius(sigma)
	weights := appendWeights(nil, sigma, r)
	weighted := func(pixel func(k int) float32) float32 {
		var sum float32
		for k := -r; k <= r; k++ {
			sum += float32(weights[k+r] * pixel(k))
		}
		return sum
	}
	d := r - b.margin(r)
	for y := range dst.Height {
		for x := range dst.Width {
			sum := weighted(func(j int) float32 {
				return weighted(func(i int) float32 { return float32(at(src, b, x+d+i, y+d+j)) })
			})
			if P(1)/2 == 0 {
				sum += 0.5
			}
			dst.Pix[y*dst.Stride+x] = P(sum)
		}
	}
}

// sizes are images of which some are narrower than a window or a vector.
var sizes = [][2]int{{0, 0}, {0, 3}, {1, 1}, {1, 9}, {9, 1}, {2, 2}, {3, 3}, {5, 4}, {7, 5}, {10, 10}, {34, 3}, {67, 41}}

func TestGaussianBlurEqualsThePlainLoop(t *testing.T) {
	asmtest.EachISA(t, func(t *testing.T) {
		t.Run("uint8", gaussians[uint8])
		t.Run("uint16", gaussians[uint16])
		t.Run("float32", gaussians[float32])
	})
}

func gaussians[P Pixel](t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, size := range sizes {
		src := randomImage[P](r, size[0], size[1])
		for _, sigma := range []float64{0, 0.001, 0.3, 1, 3.4} {
			for _, b := range borders {
				got := blurred(src, GaussianRadius(sigma), b, 2, 1)
				want := blurred(src, GaussianRadius(sigma), b, 2, 1)
				GaussianBlur(nil, got, src, sigma, b)
				plainGaussian(want, src, sigma, b)
				equal(t, got, want, "sigma %v, %v of %d x %d", sigma, b, size[0], size[1])
			}
		}
	}
}

func TestGaussianBlurOnTeams(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	src := randomImage[float32](r, 2100, 150)
	want := blurred(src, 3, Reflect101, 0, 0)
	plainGaussian(want, src, 1, Reflect101)
	for _, m := range teams(t) {
		got := blurred(src, 3, Reflect101, 0, 0)
		GaussianBlur(m, got, src, 1, Reflect101)
		equal(t, got, want, "%d workers", m.Size())
		if n := testing.AllocsPerRun(20, func() { GaussianBlur(m, got, src, 1, Reflect101) }); n >= 1 && !raceEnabled {
			t.Errorf("%d workers: %v allocations", m.Size(), n)
		}
	}
}

func TestGaussianWeights(t *testing.T) {
	for _, sigma := range []float64{0, 1e-9, 0.1, 0.5, 1, 2.7, 10, 1000} {
		r := GaussianRadius(sigma)
		w := appendWeights(nil, sigma, r)
		if len(w) != 2*r+1 {
			t.Fatalf("sigma %v: %d weights", sigma, len(w))
		}
		var sum float64
		for k := range w {
			sum += float64(w[k])
			if w[k] != w[2*r-k] || k < r && w[k] > w[k+1] {
				t.Fatalf("sigma %v: not a bell: %v", sigma, w)
			}
		}
		if math.Abs(sum-1) > 1e-6 {
			t.Errorf("sigma %v: weights add up to %v", sigma, sum)
		}
	}
	for x := 0.0; x <= 40; x += 0.01 {
		if got, want := expMinus(x), math.Exp(-x); math.Abs(got-want) > 1e-10*want {
			t.Fatalf("e^-%v = %v, want %v", x, got, want)
		}
	}
}

func TestGaussianBlurKeepsAConstant(t *testing.T) {
	src := newImage[uint8](40, 30, 40, 0, 255)
	for _, sigma := range []float64{0.5, 5, 50} {
		got := newImage[uint8](40, 30, 40, 0, 0)
		GaussianBlur(nil, got, src, sigma, Reflect101)
		for i, p := range got.Pix[:40*30] {
			if p != 255 {
				t.Fatalf("sigma %v: pixel %d is %d", sigma, i, p)
			}
		}
	}
}

func TestGaussianBlurPanics(t *testing.T) {
	m := newImage[float32](4, 4, 4, 0, 1)
	for _, sigma := range []float64{-1, math.NaN(), math.Inf(1)} {
		func() {
			defer func() {
				if r := recover(); r != "kernels: sigma isn't in 0 to 10000" {
					t.Errorf("sigma %v: %v", sigma, r)
				}
			}()
			GaussianBlur(nil, newImage[float32](4, 4, 4, 0, 0), m, sigma, Replicate)
		}()
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic in place")
		}
	}()
	GaussianBlur(nil, m, m, 1, Replicate)
}

func BenchmarkGaussianBlur(b *testing.B) {
	src := newImage[uint8](2568, 1922, 2568, 0, 7)
	dst := newImage[uint8](2568, 1922, 2568, 0, 0)
	for b.Loop() {
		GaussianBlur(nil, dst, src, 2, Replicate)
	}
	b.ReportMetric(float64(2568*1922*b.N)/1e6/b.Elapsed().Seconds(), "MP/s")
}
