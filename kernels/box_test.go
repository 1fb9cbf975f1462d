package kernels

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/numateam/numateam/asm/asmtest"
	"github.com/numateam/numateam/topology/topologytest"
)

// plainBox is the loop of BoxBlur's comment.
func plainBox[P Pixel](dst, src Image[P], radius int, b Border) {
	d := radius - b.margin(radius)
	area := float64(2*radius+1) * float64(2*radius+1)
	for y := range dst.Height {
		for x := range dst.Width {
			var sum float64
			for j := -radius; j <= radius; j++ {
				for i := -radius; i <= radius; i++ {
					sum += float64(at(src, b, x+d+i, y+d+j))
				}
			}
			if P(1)/2 == 0 {
				dst.Pix[y*dst.Stride+x] = P(uint64(2*sum+area) / uint64(2*area))
			} else {
				dst.Pix[y*dst.Stride+x] = P(sum / area)
			}
		}
	}
}

// boxSizes are images and radii, of which some are larger than the image.
var boxSizes = [][3]int{
	{0, 0, 2}, {3, 3, 0}, {3, 3, 3}, {3, 3, 10}, {10, 10, 10}, {500, 2, 250}, {2, 500, 9}, {1, 70, 1}, {70, 1, 2}, {67, 41, 1}, {31, 200, 4},
}

func TestBoxBlurEqualsThePlainLoop(t *testing.T) {
	t.Run("uint8", boxes[uint8])
	t.Run("uint16", boxes[uint16])
}

func boxes[P Pixel](t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for _, size := range boxSizes {
		src := randomImage[P](r, size[0], size[1])
		for _, b := range borders {
			if size[2] > 50 && b != Reflect101 {
				continue // the plain loop takes long
			}
			got, want := blurred(src, size[2], b, 2, 1), blurred(src, size[2], b, 2, 1)
			BoxBlur(nil, got, src, size[2], b)
			plainBox(want, src, size[2], b)
			equal(t, got, want, "radius %d, %v of %d x %d", size[2], b, size[0], size[1])
		}
	}
}

func TestBoxBlurOfFloatsIsClose(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for _, size := range boxSizes {
		src := newImage[float32](size[0], size[1], size[0], 0, 0)
		for i := range src.Pix {
			src.Pix[i] = r.Float32()*2 - 1
		}
		for _, b := range borders {
			if size[2] > 50 && b != Reflect101 {
				continue // the plain loop takes long
			}
			got, want := blurred(src, size[2], b, 0, 0), blurred(src, size[2], b, 0, 0)
			BoxBlur(nil, got, src, size[2], b)
			plainBox(want, src, size[2], b)
			for i := range want.Pix {
				if math.Abs(float64(got.Pix[i]-want.Pix[i])) > 1e-6*max(1, b.value) {
					t.Fatalf("radius %d, %v of %d x %d: %d is %v, want %v", size[2], b, size[0], size[1], i, got.Pix[i], want.Pix[i])
				}
			}
		}
	}
}

func TestBoxBlurOnTeams(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	src := randomImage[float32](r, 997, 700)
	want := blurred(src, 7, Replicate, 0, 0)
	BoxBlur(nil, want, src, 7, Replicate)
	for _, m := range teams(t) {
		got := blurred(src, 7, Replicate, 0, 0)
		BoxBlur(m, got, src, 7, Replicate)
		equal(t, got, want, "%d workers", m.Size())
		if n := testing.AllocsPerRun(20, func() { BoxBlur(m, got, src, 7, Replicate) }); n >= 1 && !raceEnabled {
			t.Errorf("%d workers: %v allocations", m.Size(), n)
		}
	}
}

func TestBoxBlurKeepsAConstant(t *testing.T) {
	for _, v := range []float32{0.1, -3e38, 1e-40} {
		src, got := newImage[float32](30, 100, 30, 0, v), newImage[float32](30, 100, 30, 0, 0)
		for _, radius := range []int{1, 10, 40} {
			BoxBlur(nil, got, src, radius, Reflect101)
			if i := asmtest.Differ(got.Pix[:3000], src.Pix[:3000]); i >= 0 {
				t.Errorf("radius %d: %v became %v", radius, v, got.Pix[i])
			}
		}
	}
}

func TestBoxBlurOfALine(t *testing.T) {
	in, times3 := []float32{10, 20, 30, 40, 50}, []float32{40, 60, 90, 120, 140}
	t.Run("kern-14", func(t *testing.T) { // says the same
		var line struct {
			In     []float32
			Times3 []float32 `json:"out_times_3"`
		}
		topologytest.Case(t, &line, "kern-14", "line.json")
		if !slices.Equal(line.In, in) || !slices.Equal(line.Times3, times3) {
			t.Errorf("%v becomes a third of %v", line.In, line.Times3)
		}
	})
	src := Image[float32]{Pix: in, Stride: 5, Width: 5, Height: 1}
	box, three := newImage[float32](5, 1, 5, 0, 0), newImage[float32](5, 1, 5, 0, 0)
	BoxBlur(nil, box, src, 1, Replicate)
	Blur3x3(nil, three, src, Replicate)
	for i, want := range times3 {
		if math.Abs(float64(box.Pix[i]*3-want)) > 1e-4 || math.Abs(float64(three.Pix[i]*3-want)) > 1e-4 {
			t.Errorf("%d: box %v, 3x3 %v, want a third of %v", i, box.Pix[i], three.Pix[i], want)
		}
	}
}

func TestBoxBlurPanics(t *testing.T) {
	m := newImage[uint8](4, 4, 4, 0, 1)
	for _, radius := range []int{-1, 30001} {
		func() {
			defer func() {
				if r := recover(); r != "kernels: radius isn't in 0 to 30000" {
					t.Errorf("radius %v: %v", radius, r)
				}
			}()
			BoxBlur(nil, newImage[uint8](4, 4, 4, 0, 0), m, radius, Replicate)
		}()
	}
}

func BenchmarkBoxBlur(b *testing.B) {
	src := newImage[uint8](2568, 1922, 2568, 0, 7)
	dst := newImage[uint8](2568, 1922, 2568, 0, 0)
	for b.Loop() {
		BoxBlur(nil, dst, src, 10, Replicate)
	}
	b.ReportMetric(float64(2568*1922*b.N)/1e6/b.Elapsed().Seconds(), "MP/s")
}
