package kernels

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/numateam/numateam/asm/asmtest"
	"github.com/numateam/numateam/team"
)

// borders are those that the tests try. 200 is a value of every kind of pixel.
var borders = []Border{Valid, Replicate, Reflect101, Constant, ConstantValue(200)}

// newImage returns an image inside of a larger one, whose other pixels are poison.
func newImage[P Pixel](width, height, stride, offset int, poison P) Image[P] {
	pix := make([]P, offset+stride*height+1)
	for i := range pix {
		pix[i] = poison
	}
	return Image[P]{Pix: pix[offset:], Stride: stride, Width: width, Height: height}
}

// randomImage returns an image with pixels from the whole range, or dim ones.
func randomImage[P Pixel](r *rand.Rand, width, height int) Image[P] {
	m := newImage[P](width, height, width+r.IntN(4), r.IntN(4), 99)
	x := make([]P, width)
	dim := r.IntN(3) == 0
	for y := range height {
		asmtest.Random(r, x)
		if dim {
			for i := range x {
				x[i] /= 16
			}
		}
		copy(m.row(y, 0, width), x)
	}
	return m
}

// blurred returns an image for the blur of src.
func blurred[P Pixel](src Image[P], radius int, b Border, stride, offset int) Image[P] {
	width, height := src.Width, src.Height
	if b == Valid {
		width, height = max(width-2*radius, 0), max(height-2*radius, 0)
	}
	return newImage[P](width, height, width+stride, offset, 77)
}

// at returns the pixel of src at (x, y), or what the border says.
func at[P Pixel](src Image[P], b Border, x, y int) P {
	x, y = b.index(x, src.Width), b.index(y, src.Height)
	if x < 0 || y < 0 {
		return P(b.value)
	}
	return src.Pix[y*src.Stride+x]
}

// plainBlur3x3 is the loop of Blur3x3's comment.
func plainBlur3x3[P Pixel](dst, src Image[P], b Border) {
	third := func(x, y, z P) P {
		if P(1)/2 != 0 {
			return (x + y + z) / 3
		}
		return P((uint64(x) + uint64(y) + uint64(z)) / 3)
	}
	d := 1 - b.margin(1) // dst's (0, 0) has its middle at (d, d) of src
	for y := range dst.Height {
		for x := range dst.Width {
			row := func(y int) P { return third(at(src, b, x+d-1, y), at(src, b, x+d, y), at(src, b, x+d+1, y)) }
			dst.Pix[y*dst.Stride+x] = third(row(y+d-1), row(y+d), row(y+d+1))
		}
	}
}

// equal fails the test unless a and b are the same, the pixels around them too.
func equal[P Pixel](t *testing.T, got, want Image[P], what string, args ...any) {
	t.Helper()
	if i := asmtest.Differ(got.Pix, want.Pix); i >= 0 {
		s := max(want.Stride, 1)
		t.Fatalf("%s: (%d, %d) of %d x %d is %v, want %v", fmt.Sprintf(what, args...), i%s, i/s,
			want.Width, want.Height, got.Pix[i], want.Pix[i])
	}
}

// teams returns teams of several sizes and schedules, nil first.
func teams(t testing.TB) []*team.Team {
	list := []*team.Team{nil}
	for _, o := range []team.Options{
		{Workers: 2, Schedule: team.Static},
		{Workers: 4, Schedule: team.Steal, Placement: team.Unpinned},
		{Workers: 7, Schedule: team.Auto, Placement: team.Unpinned},
	} {
		m, err := team.New(&o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { m.Close() })
		list = append(list, m)
	}
	return list
}

func TestBlur3x3SmallImages(t *testing.T) {
	asmtest.EachISA(t, func(t *testing.T) {
		t.Run("uint8", smallImages[uint8])
		t.Run("uint16", smallImages[uint16])
		t.Run("float32", smallImages[float32])
	})
}

func smallImages[P Pixel](t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for width := range 71 {
		for height := range 6 {
			for _, size := range [][2]int{{width, height}, {height, width}} {
				src := randomImage[P](r, size[0], size[1])
				for _, b := range borders {
					stride, offset := r.IntN(4), r.IntN(4)
					got, want := blurred(src, 1, b, stride, offset), blurred(src, 1, b, stride, offset)
					Blur3x3(nil, got, src, b)
					plainBlur3x3(want, src, b)
					equal(t, got, want, "%v of %d x %d", b, src.Width, src.Height)
				}
			}
		}
	}
}

func TestBlur3x3OnTeams(t *testing.T) {
	all := teams(t)
	t.Run("uint8", func(t *testing.T) { onTeams[uint8](t, all) })
	t.Run("uint16", func(t *testing.T) { onTeams[uint16](t, all) })
	t.Run("float32", func(t *testing.T) { onTeams[float32](t, all) })
}

func onTeams[P Pixel](t *testing.T, all []*team.Team) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, size := range [][2]int{{64, 64}, {1, 70000}, {70000, 5}, {997, 331}, {16400 + r.IntN(50), 70}} {
		src := randomImage[P](r, size[0], size[1])
		for _, b := range borders {
			want := blurred(src, 1, b, 1, 1)
			plainBlur3x3(want, src, b)
			asmtest.EachISA(t, func(t *testing.T) {
				for _, m := range all {
					got := blurred(src, 1, b, 1, 1)
					Blur3x3(m, got, src, b)
					equal(t, got, want, "%v of %d x %d, %d workers", b, src.Width, src.Height, m.Size())
				}
			})
		}
	}
}

// TestBlur3x3Stream takes the path for images beyond the cache, whatever the cache.
func TestBlur3x3Stream(t *testing.T) {
	asmtest.EachISA(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(5, 6))
		for _, width := range []int{3, 17, 66, 5001, 33000} {
			src := randomImage[uint16](r, width, 40)
			for _, border := range borders {
				got, want := blurred(src, 1, border, 3, 1), blurred(src, 1, border, 3, 1)
				b := blurs16.Get().(*blurring[uint16])
				b.dst, b.src, b.border, b.outside, b.stream = got, src, border, uint16(border.value), true
				b.rows(0, 13)
				b.rows(13, got.Height)
				plainBlur3x3(want, src, border)
				equal(t, got, want, "%v of %d pixels a row", border, width)
			}
		}
	})
}

func TestBlur3x3NamedTypes(t *testing.T) {
	type grey uint8
	type light float32
	src := Image[grey]{Pix: []grey{9, 9, 9, 18}, Stride: 2, Width: 2, Height: 2}
	dst := Image[grey]{Pix: make([]grey, 4), Stride: 2, Width: 2, Height: 2}
	Blur3x3(nil, dst, src, Replicate)
	if got := fmt.Sprint(dst.Pix); got != "[10 11 11 13]" {
		t.Error(got)
	}
	m := Image[light]{Pix: make([]light, 9), Stride: 3, Width: 3, Height: 3}
	m.Pix[4] = 9
	one := Image[light]{Pix: make([]light, 1), Stride: 1, Width: 1, Height: 1}
	if Blur3x3(nil, one, m, Valid); one.Pix[0] != 1 {
		t.Error(one.Pix)
	}
}

func TestBlur3x3FloatSpecials(t *testing.T) {
	inf := float32(math.Inf(1))
	src := Image[float32]{Pix: []float32{0, inf, 0, 0, 0, 0, float32(math.NaN()), 0, 0}, Stride: 3, Width: 3, Height: 3}
	got, want := blurred(src, 1, Replicate, 0, 0), blurred(src, 1, Replicate, 0, 0)
	Blur3x3(nil, got, src, Replicate)
	plainBlur3x3(want, src, Replicate)
	equal(t, got, want, "specials")
}

func TestBlur3x3Panics(t *testing.T) {
	buf := make([]uint8, 100)
	whole := Image[uint8]{Pix: buf, Stride: 10, Width: 10, Height: 10}
	part := func(x, y, w, h int) Image[uint8] {
		return Image[uint8]{Pix: buf[10*y+x:], Stride: 10, Width: w, Height: h}
	}
	other := func(w, h int) Image[uint8] {
		return Image[uint8]{Pix: make([]uint8, w*h), Stride: w, Width: w, Height: h}
	}
	for _, c := range []struct {
		name     string
		dst, src Image[uint8]
		b        Border
		want     string
	}{
		{"in place", whole, whole, Replicate, "kernels: blur in place: dst overlaps src"},
		{"overlap", part(0, 0, 5, 5), part(4, 4, 5, 5), Replicate, "kernels: blur in place: dst overlaps src"},
		{"overlap around the edge", part(3, 0, 5, 5), part(9, 2, 5, 5), Constant, "kernels: blur in place: dst overlaps src"},
		{"side by side", part(0, 0, 5, 5), part(5, 0, 5, 5), Replicate, ""},
		{"side by side", part(5, 3, 5, 5), part(0, 5, 5, 5), Replicate, ""},
		{"one above the other", part(0, 0, 5, 5), part(0, 5, 5, 5), Replicate, ""},
		{"size", other(9, 10), whole, Replicate, "kernels: blur into an image of another size"},
		{"size", other(10, 10), whole, Valid, "kernels: blur into an image of another size"},
		{"size", other(9, 8), whole, Valid, "kernels: blur into an image of another size"},
		{"empty", other(0, 0), other(2, 9), Valid, ""},
		{"empty", other(0, 7), other(2, 9), Valid, ""},
		{"empty", Image[uint8]{}, Image[uint8]{}, Replicate, ""},
		{"not empty", other(1, 7), other(2, 9), Valid, "kernels: blur into an image of another size"},
		{"value", other(10, 10), whole, ConstantValue(256), "kernels: ConstantValue isn't a value of the image's pixels"},
		{"value", other(10, 10), whole, ConstantValue(0.5), "kernels: ConstantValue isn't a value of the image's pixels"},
		{"value", other(10, 10), whole, ConstantValue(math.NaN()), "kernels: ConstantValue isn't a value of the image's pixels"},
		{"negative", Image[uint8]{Width: -1}, whole, Replicate, "kernels: image of negative size"},
		{"stride", Image[uint8]{Pix: buf, Stride: 9, Width: 10, Height: 2}, other(10, 2), Replicate, "kernels: image with Stride less than Width"},
		{"short", other(10, 10), Image[uint8]{Pix: buf[:99], Stride: 10, Width: 10, Height: 10}, Replicate, "kernels: image with too few Pix"},
		{"short", other(10, 10), Image[uint8]{Pix: buf, Stride: math.MaxInt / 2, Width: 10, Height: 10}, Replicate, "kernels: image with too few Pix"},
	} {
		func() {
			defer func() {
				if r := recover(); r != c.want && !(r == nil && c.want == "") {
					t.Errorf("%s: %v, want %q", c.name, r, c.want)
				}
			}()
			Blur3x3(nil, c.dst, c.src, c.b)
		}()
	}
}

func TestBlur3x3AllocatesNothing(t *testing.T) {
	src := Image[uint16]{Pix: make([]uint16, 500*500), Stride: 500, Width: 500, Height: 500}
	dst := Image[uint16]{Pix: make([]uint16, 500*500), Stride: 500, Width: 500, Height: 500}
	for _, m := range teams(t) {
		if n := testing.AllocsPerRun(20, func() { Blur3x3(m, dst, src, Replicate) }); n >= 1 && !raceEnabled {
			t.Errorf("%d workers: %v allocations", m.Size(), n)
		}
	}
}

func TestBorderText(t *testing.T) {
	for _, b := range append(borders, ConstantValue(-0.25)) {
		text, _ := b.MarshalText()
		var back Border
		if err := back.UnmarshalText(text); err != nil || back != b {
			t.Errorf("%s: %v, %v", text, back, err)
		}
	}
	for _, text := range []string{"", "mirror", "valid:1", "constant:", "constant:x"} {
		b := Reflect101
		if b.UnmarshalText([]byte(text)) == nil || b != Reflect101 {
			t.Errorf("%q: %v", text, b)
		}
	}
}

func BenchmarkBlur3x3(b *testing.B) {
	for _, size := range [][2]int{{2568, 1922}, {12296, 8002}} {
		w, h := size[0], size[1]
		src := Image[uint16]{Pix: make([]uint16, w*h), Stride: w, Width: w, Height: h}
		for i := range src.Pix {
			src.Pix[i] = uint16(i*40503) >> 4
		}
		dst := Image[uint16]{Pix: make([]uint16, (w-2)*(h-2)), Stride: w - 2, Width: w - 2, Height: h - 2}
		for _, m := range []*team.Team{nil, teams(b)[1]} {
			b.Run(fmt.Sprintf("size=%dx%d/workers=%d", w, h, m.Size()), func(b *testing.B) {
				b.SetBytes(int64(4 * len(dst.Pix)))
				for b.Loop() {
					Blur3x3(m, dst, src, Valid)
				}
			})
		}
	}
}

// BenchmarkBlur3x3Small shows that a team costs nothing where it's of no use.
func BenchmarkBlur3x3Small(b *testing.B) {
	pair := teams(b)[1]
	b.Run("P=uint8", func(b *testing.B) { benchmarkSmall[uint8](b, pair) })
	b.Run("P=uint16", func(b *testing.B) { benchmarkSmall[uint16](b, pair) })
	b.Run("P=float32", func(b *testing.B) { benchmarkSmall[float32](b, pair) })
}

func benchmarkSmall[P Pixel](b *testing.B, pair *team.Team) {
	src, dst := newImage[P](64, 64, 64, 0, 7), newImage[P](62, 62, 62, 0, 0)
	for _, m := range []*team.Team{nil, pair} {
		b.Run(fmt.Sprintf("size=64x64/workers=%d", m.Size()), func(b *testing.B) {
			for b.Loop() {
				Blur3x3(m, dst, src, Valid)
			}
		})
	}
}
