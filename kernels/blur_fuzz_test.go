package kernels

import (
	"testing"

	"github.com/numateam/numateam/asm"
	"github.com/numateam/numateam/asm/mem"
	"github.com/numateam/numateam/team"
)

// Each target takes the bits of some pixels, which are repeated to an image, the image's
// size, and in how the bits that say how the images lie in memory, which border it is, and whether
// a team works on it. It compares the blur on every instruction set with the plain loop.

func FuzzBlur3x3(f *testing.F) {
	pair := fuzzTeam(f)
	f.Fuzz(func(t *testing.T, bits []byte, width, height uint16, how uint32) {
		fuzzBlur(t, bits, width, height, how, 1, pair, Blur3x3[uint8], plainBlur3x3[uint8])
		fuzzBlur(t, bits, width, height, how, 1, pair, Blur3x3[uint16], plainBlur3x3[uint16])
		fuzzBlur(t, bits, width, height, how, 1, pair, Blur3x3[float32], plainBlur3x3[float32])
		stream := func(_ *team.Team, dst, src Image[uint16], border Border) {
			if dst.empty() {
				return
			}
			b := blurs16.Get().(*blurring[uint16])
			b.dst, b.src, b.border, b.outside, b.stream = dst, src, border, uint16(border.value), true
			middle := dst.Height / 2
			b.rows(0, middle+1)
			if middle+1 < dst.Height {
				b.rows(middle+1, dst.Height)
			}
		}
		fuzzBlur(t, bits, width, height, how, 1, nil, stream, plainBlur3x3[uint16])
	})
}

func FuzzBoxBlur(f *testing.F) {
	pair := fuzzTeam(f)
	f.Fuzz(func(t *testing.T, bits []byte, width, height uint16, how uint32) {
		width, height = width%100, height%100 // the plain loop takes long
		radius := int(how>>16) % 12
		fuzzBlur(t, bits, width, height, how, radius, pair, boxOf[uint8](radius), func(dst, src Image[uint8], b Border) { plainBox(dst, src, radius, b) })
		fuzzBlur(t, bits, width, height, how, radius, pair, boxOf[uint16](radius), func(dst, src Image[uint16], b Border) { plainBox(dst, src, radius, b) })
	})
}

func boxOf[P Pixel](radius int) func(t *team.Team, dst, src Image[P], b Border) {
	return func(t *team.Team, dst, src Image[P], b Border) { BoxBlur(t, dst, src, radius, b) }
}

func FuzzGaussianBlur(f *testing.F) {
	pair := fuzzTeam(f)
	f.Fuzz(func(t *testing.T, bits []byte, width, height uint16, how uint32) {
		width, height = width%100, height%100 // the plain loop takes long
		sigma := float64(how>>16%256) / 64
		radius := GaussianRadius(sigma)
		fuzzBlur(t, bits, width, height, how, radius, pair, gaussianOf[uint8](sigma), func(dst, src Image[uint8], b Border) { plainGaussian(dst, src, sigma, b) })
		fuzzBlur(t, bits, width, height, how, radius, pair, gaussianOf[uint16](sigma), func(dst, src Image[uint16], b Border) { plainGaussian(dst, src, sigma, b) })
		fuzzBlur(t, bits, width, height, how, radius, pair, gaussianOf[float32](sigma), func(dst, src Image[float32], b Border) { plainGaussian(dst, src, sigma, b) })
	})
}

func gaussianOf[P Pixel](sigma float64) func(t *team.Team, dst, src Image[P], b Border) {
	return func(t *team.Team, dst, src Image[P], b Border) { GaussianBlur(t, dst, src, sigma, b) }
}

// fuzzTeam adds seeds and returns a team of two workers.
func fuzzTeam(f *testing.F) *team.Team {
	pair, err := team.New(&team.Options{Workers: 2, Placement: team.Unpinned})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { pair.Close() })
	f.Add([]byte(nil), uint16(0), uint16(0), uint32(0))
	for n := range 24 {
		bits := make([]byte, 7*n+1)
		for i := range bits {
			bits[i] = byte(i*i*31) >> (n % 3 * 2)
		}
		f.Add(bits, uint16(n*n+n%5), uint16(3*n), uint32(n)*0x9e3779b1)
	}
	return pair
}

// fuzzBlur compares one blur with the plain loop.
func fuzzBlur[P Pixel](t *testing.T, bits []byte, width, height uint16, how uint32, radius int, pair *team.Team,
	blur func(t *team.Team, dst, src Image[P], b Border), plain func(dst, src Image[P], b Border)) {
	w, h := int(width)%300, int(height)%300
	src := newImage[P](w, h, w+int(how)%4, int(how>>2)%4, 99)
	fill(src, bits)
	b := borders[int(how>>8)%len(borders)]
	want := blurred(src, radius, b, int(how>>4)%4, int(how>>6)%4)
	plain(want, src, b)
	workers := pair
	if how>>12%4 != 0 {
		workers = nil
	}
	for _, isa := range asm.Available() {
		got := blurred(src, radius, b, int(how>>4)%4, int(how>>6)%4)
		restore := asm.Use(isa)
		blur(workers, got, src, b)
		restore()
		equal(t, got, want, "%v, %v of %d x %d, radius %d", isa, b, w, h, radius)
	}
}

// fill sets the pixels of m to the bits, again and again.
func fill[P Pixel](m Image[P], bits []byte) {
	if len(bits) == 0 {
		return
	}
	k := 0
	for y := range m.Height {
		row := mem.Bytes(m.row(y, 0, m.Width))
		for i := range row {
			row[i] = bits[k%len(bits)]
			k++
		}
	}
}
