package kernels

import (
	"sync"
	"unsafe"

	"github.com/numateam/numateam/team"
)

// BoxBlur sets each pixel to the mean of the square around it, which reaches radius pixels
// to each side:
//
//	for y := range dst.Height {
//		for x := range dst.Width {
//			var sum float64
//			for j := -radius; j <= radius; j++ {
//				for i := -radius; i <= radius; i++ {
//					sum += float64(at(x+i, y+j))
//				}
//			}
//			dst.Pix[y*dst.Stride+x] = sum / ((2*radius + 1) * (2*radius + 1))
//		}
//	}
//
// where at(x, y) is the pixel of src, or outside of it what border says. Integers are
// rounded once, to the nearest; so BoxBlur with radius 1 isn't Blur3x3. With the border
// Valid, dst is smaller than src by 2*radius in either direction and its pixel (0, 0) has
// its middle at (radius, radius) of src; dst is empty if nothing is left. With any other
// border, dst is as large as src. A constant image stays as it is.
//
// The time doesn't depend on the radius: sums go from pixel to pixel by what enters the
// window and what leaves it. For integers that's exact. For float32, sums are kept in
// float64 and begun anew in each row and every so many rows; an infinity or a NaN, which no
// subtraction takes out again, spoils what follows it in these.
//
// It panics as Blur3x3 does, and unless 0 <= radius <= 30000. Traffic: 2 loads and 1
// store per pixel. The same bits on every CPU, team and schedule. Safe for concurrent use
// on separate dst.
func BoxBlur[P Pixel](t *team.Team, dst, src Image[P], radius int, border Border) {
	if radius < 0 || radius > 30000 {
		panic("kernels: radius isn't in 0 to 30000")
	}
	checkBlur(dst, src, radius, border)
	v := outside[P](border)
	border.value = float64(v)
	if dst.empty() {
		return
	}
	switch unsafe.Sizeof(v) {
	case 1:
		boxBlur(t, &boxes8, cast[uint8](dst), cast[uint8](src), radius, border)
	case 2:
		boxBlur(t, &boxes16, cast[uint16](dst), cast[uint16](src), radius, border)
	case 4:
		boxBlur(t, &boxesF, cast[float32](dst), cast[float32](src), radius, border)
	}
}

// A box is one call of BoxBlur.
type box[P Pixel] struct {
	dst, src Image[P]
	border   Border
	radius   int
	restart  int // rows after which the sums begin anew; chunks are multiples of it
	body     func(lo, hi int)
}

var (
	boxes8  = sync.Pool{New: newBox[uint8]}
	boxes16 = sync.Pool{New: newBox[uint16]}
	boxesF  = sync.Pool{New: newBox[float32]}
)

func newBox[P Pixel]() any {
	b := new(box[P])
	b.body = func(lo, hi int) {
		for ; lo < hi; lo += b.restart {
			b.rows(lo, min(lo+b.restart, hi))
		}
	}
	return b
}

func boxBlur[P Pixel](t *team.Team, pool *sync.Pool, dst, src Image[P], radius int, border Border) {
	b := pool.Get().(*box[P])
	b.dst, b.src, b.border, b.radius = dst, src, border, radius
	l := dst.launch(max(64, 4*radius))
	b.restart = l.Grain
	t.Launch(l, dst.Height, b.body)
	b.dst, b.src = Image[P]{}, Image[P]{}
	pool.Put(b)
}

// doubles is the scratch of a strip.
var doubles = sync.Pool{New: func() any { return new([]float64) }}

// rows computes rows lo to hi-1 of dst from the sums of the window's rows in each column.
func (b *box[P]) rows(lo, hi int) {
	r, window := b.radius, 2*b.radius+1
	d := r - b.border.margin(r) // dst's (0, 0) has its middle at (d, d) of src
	width := b.src.Width
	n := b.dst.Width + 2*r
	scratch := doubles.Get().(*[]float64)
	if cap(*scratch) < width+n {
		*scratch = make([]float64, width+n)
	}
	columns, wide := (*scratch)[:width], (*scratch)[width:width+n]

	clear(columns)
	for y := lo + d - r; y < lo+d+r; y++ {
		b.enter(columns, y)
	}
	area := float64(window) * float64(window)
	half := float64(float64(half[P]()) * area) // exact, and fused with nothing
	for y := lo; y < hi; y++ {
		b.enter(columns, y+d+r)
		// The sums of the columns that the window can reach, those outside of src too.
		copy(wide[r-d:], columns)
		for i := range r - d {
			wide[i] = b.column(columns, i-r)
			wide[n-1-i] = b.column(columns, width+r-1-i)
		}
		var sum float64
		for _, s := range wide[:2*r] {
			sum += s
		}
		dst := b.dst.row(y, 0, b.dst.Width)
		leaving, entering := wide[:len(dst)], wide[2*r:][:len(dst)]
		for i := range dst {
			sum += entering[i]
			dst[i] = P((sum + half) / area)
			sum -= leaving[i]
		}
		b.leave(columns, y+d-r)
	}
	doubles.Put(scratch)
}

// enter adds row y of src, which may lie outside, to the sums of the columns.
func (b *box[P]) enter(columns []float64, y int) {
	if y = b.border.index(y, b.src.Height); y < 0 {
		for i := range columns {
			columns[i] += b.border.value
		}
		return
	}
	for i, p := range b.src.row(y, 0, len(columns)) {
		columns[i] += float64(p)
	}
}

// leave takes row y off again.
func (b *box[P]) leave(columns []float64, y int) {
	if y = b.border.index(y, b.src.Height); y < 0 {
		for i := range columns {
			columns[i] -= b.border.value
		}
		return
	}
	for i, p := range b.src.row(y, 0, len(columns)) {
		columns[i] -= float64(p)
	}
}

// column returns the sum of column x, which may lie outside.
func (b *box[P]) column(columns []float64, x int) float64 {
	if x = b.border.index(x, len(columns)); x < 0 {
		return b.border.value * float64(2*b.radius+1)
	}
	return columns[x]
}
