package kernels

import (
	"sync"
	"unsafe"

	"github.com/numateam/numateam/asm"
	"github.com/numateam/numateam/asm/f32"
	"github.com/numateam/numateam/asm/u16"
	"github.com/numateam/numateam/asm/u8"
	"github.com/numateam/numateam/team"
)

// Blur3x3 is the box blur of Halide's blur application: the mean of three pixels along
// x, and of three such means along y.
//
//	for y := range dst.Height {
//		for x := range dst.Width {
//			row := func(y int) P { return (at(x-1, y) + at(x, y) + at(x+1, y)) / 3 }
//			dst.Pix[y*dst.Stride+x] = (row(y-1) + row(y) + row(y+1)) / 3
//		}
//	}
//
// where at(x, y) is the pixel of src, or outside of it what border says, and sums of
// integers don't wrap. Integers divide rounding down, float32 adds from left to right and
// divides. With the border Valid, dst is src.Width-2 by src.Height-2 and its pixel
// (0, 0) has its middle at (1, 1) of src; dst is empty if src has less than three
// columns or rows. With any other border, dst is as large as src.
//
// It panics, before anything is written, if an image isn't well formed, if dst has
// another size, if dst and src overlap (images with different strides overlap if the
// memory from the first pixel to the last does), or if border is a ConstantValue that P
// doesn't have.
//
// Traffic: 1 load and 1 store per pixel. What lies in dst beyond its Width isn't touched.
// The launch goes over the rows of dst: each worker computes those whose pixels lie on
// its node, and a team works on images of more than some 32,000 pixels. The same bits
// on every CPU, team and schedule. Safe for concurrent use on separate dst.
func Blur3x3[P Pixel](t *team.Team, dst, src Image[P], border Border) {
	checkBlur(dst, src, 1, border)
	v := outside[P](border)
	if dst.empty() {
		return
	}
	switch unsafe.Sizeof(v) {
	case 1:
		blur3x3(t, &blurs8, cast[uint8](dst), cast[uint8](src), border, uint8(v))
	case 2:
		blur3x3(t, &blurs16, cast[uint16](dst), cast[uint16](src), border, uint16(v))
	case 4:
		blur3x3(t, &blursF, cast[float32](dst), cast[float32](src), border, float32(v))
	}
}

// A blurring is one call of Blur3x3.
type blurring[P Pixel] struct {
	dst, src Image[P]
	border   Border
	outside  P // the pixel outside of src, if border is constant
	stream   bool

	// What stays from call to call.
	third     func(a, b, c P) P
	row       func(dst, above, middle, src []P)
	rowStream func(dst, above, middle, src []P, ahead int)
	body      func(lo, hi int)
}

var (
	blurs8 = sync.Pool{New: func() any {
		third := func(a, b, c uint8) uint8 { return uint8((uint(a) + uint(b) + uint(c)) / 3) }
		return newBlurring(third, u8.BlurRow, u8.BlurRowStream)
	}}
	blurs16 = sync.Pool{New: func() any {
		third := func(a, b, c uint16) uint16 { return uint16((uint(a) + uint(b) + uint(c)) / 3) }
		return newBlurring(third, u16.BlurRow, u16.BlurRowStream)
	}}
	blursF = sync.Pool{New: func() any {
		third := func(a, b, c float32) float32 { return (a + b + c) / 3 }
		return newBlurring(third, f32.BlurRow, f32.BlurRowStream)
	}}
)

func newBlurring[P Pixel](third func(a, b, c P) P, row func(dst, above, middle, src []P),
	rowStream func(dst, above, middle, src []P, ahead int)) *blurring[P] {
	b := &blurring[P]{third: third, row: row, rowStream: rowStream}
	b.body = b.rows
	return b
}

func blur3x3[P Pixel](t *team.Team, pool *sync.Pool, dst, src Image[P], border Border, outside P) {
	b := pool.Get().(*blurring[P])
	b.dst, b.src, b.border, b.outside = dst, src, border, outside
	pixels := dst.Width * dst.Height
	b.stream = beyondCache(t, 2, dst.Pix[:pixels])
	if l := dst.launch(32); dst.Height <= l.Grain {
		b.rows(0, dst.Height) // even a launch of one chunk takes 2 % of the time of 64x64 pixels
	} else {
		t.Launch(l, dst.Height, b.body)
	}
	b.dst, b.src = Image[P]{}, Image[P]{}
	pool.Put(b)
}

// columnBytes is the width of the columns in which an image is blurred if its rows are
// longer: two rows of means, and a row of either image, stay in the second-level cache.
// Columns that fit into the first one lose more at their edges than they win: on an EPYC of the
// fifth generation, 12296x8002 pixels of 16 bits took 11.7 ms in whole rows of 24 KiB and
// 13.9 in halves, and 2568x1922 0.55 ms in whole rows and 0.90 in halves. Whole rows of 40 and of
// 48 KiB took a tenth less time than halves.
const columnBytes = 64 << 10

// stripRows is how many rows all columns go down before the first one goes on, so that what
// they share of a row's memory pages is still at hand.
const stripRows = 64

// aheadBytes is how far ahead an image beyond the cache is prefetched. The image of
// 12296x8002 took 14.3 ms with 1 KiB, 11.8 with 2, 8.9 with 4, 7.5 with 8, 7.4 with 16 and 32, and
// 7.5 with 64. (In a noisier hour, with another loop, 4 had seemed enough.)
const aheadBytes = 16 << 10

// A scratch holds what a strip needs: two rows of means and one of the constant. Rows of means
// that lie 256 bytes more than 64 KiB apart cost that image 4 % of its time, as if the CPU took
// loads of one for stores to the other; 1 KiB more doesn't.
type scratch [3]scratchRow

type scratchRow [columnBytes + 1<<10]byte

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// rows computes rows lo to hi-1 of dst. Each of the row loops takes a new row of src,
// computes its means along x and combines them with the two rows before, the upper of which
// they replace.
func (b *blurring[P]) rows(lo, hi int) {
	margin := b.border.margin(1)
	if margin > 0 {
		b.edges(lo, hi)
	}
	n := b.src.Width - 2 // what's left between the edges
	if n <= 0 {
		return
	}
	s := scratches.Get().(*scratch)
	above, middle, constant := rowOf[P](&s[0]), rowOf[P](&s[1]), rowOf[P](&s[2])
	size := int(unsafe.Sizeof(b.outside))
	columns := ceil(n, columnBytes/size)
	if b.border.rule == constantRule {
		constant = constant[:ceil(n, columns)+2]
		for i := range constant {
			constant[i] = b.outside
		}
	}
	strip := hi - lo
	if columns > 1 {
		strip = stripRows
	}
	ahead, rowsAhead := aheadBytes/size, ceil(aheadBytes, b.src.Width*size)
	if columns > 1 || b.src.Stride > b.src.Width+ahead/8 {
		ahead = b.src.Stride * rowsAhead // what lies behind the end of a row isn't wanted next
	}
	for i := range columns * ceil(hi-lo, strip) {
		// Columns of one strip after the other, then the next strip.
		k, lo := i%columns, lo+i/columns*strip
		hi := min(lo+strip, hi)
		x := n * k / columns
		m := n*(k+1)/columns - x
		source := func(y int) []P {
			if y = b.border.index(y, b.src.Height); y < 0 {
				return constant[:m+2]
			}
			return b.src.row(y, x, m+2)
		}
		// The first two rows have no rows above: what they give for dst is overwritten.
		dst := b.dst.row(lo, x+margin, m)
		above, middle = above[:m], middle[:m]
		b.row(dst, above, middle, source(lo-margin))
		b.row(dst, middle, above, source(lo-margin+1))
		for y := lo; y < hi; y++ {
			dst, src := b.dst.row(y, x+margin, m), source(y-margin+2)
			if b.stream {
				// The lines at the ends of a row aren't its own. A store that waits
				// for one of them costs what 100 of the others do.
				next := b.dst.row(min(y+rowsAhead, hi-1), x+margin, m)
				asm.Prefetch(&next[0])
				asm.Prefetch(&next[m-1])
				b.rowStream(dst, above, middle, src, ahead)
			} else {
				b.row(dst, above, middle, src)
			}
			above, middle = middle, above
		}
	}
	scratches.Put(s)
}

// edges computes the first and the last column of rows lo to hi-1.
func (b *blurring[P]) edges(lo, hi int) {
	width := b.src.Width
	for x := 0; x < width; x += max(width-1, 1) {
		left, right := b.border.index(x-1, width), b.border.index(x+1, width)
		at := func(row []P, x int) P {
			if x < 0 {
				return b.outside
			}
			return row[x]
		}
		mean := func(y int) P {
			if y = b.border.index(y, b.src.Height); y < 0 {
				return b.third(b.outside, b.outside, b.outside)
			}
			row := b.src.row(y, 0, width)
			return b.third(at(row, left), row[x], at(row, right))
		}
		above, middle := mean(lo-1), mean(lo)
		for y := lo; y < hi; y++ {
			below := mean(y + 1)
			b.dst.row(y, x, 1)[0] = b.third(above, middle, below)
			above, middle = middle, below
		}
	}
}

// rowOf returns a row of the scratch as pixels.
func rowOf[P Pixel](bytes *scratchRow) []P {
	var p P
	return unsafe.Slice((*P)(unsafe.Pointer(bytes)), len(bytes)/int(unsafe.Sizeof(p)))
}
