package kernels

import (
	"math"
	"sync"
	"unsafe"

	"github.com/numateam/numateam/asm/f32"
	"github.com/numateam/numateam/team"
)

// GaussianRadius returns how far the window of a Gaussian blur reaches: three times
// sigma, rounded up, which leaves out 0.3 % of the bell. It panics unless
// 0 <= sigma <= 10000.
func GaussianRadius(sigma float64) int {
	if !(0 <= sigma && sigma <= 10000) {
		panic("kernels: sigma isn't in 0 to 10000")
	}
	return int(math.Ceil(3 * sigma))
}

// GaussianBlur weighs the pixels around each pixel with a bell of standard deviation
// sigma, cut off at GaussianRadius(sigma) on each side, first along x and then along y:
//
//	r := GaussianRadius(sigma)
//	for y := range dst.Height {
//		for x := range dst.Width {
//			row := func(y int) (sum float32) {
//				for k := -r; k <= r; k++ {
//					sum += float32(weight[k] * float32(at(x+k, y)))
//				}
//				return sum
//			}
//			var sum float32
//			for k := -r; k <= r; k++ {
//				sum += float32(weight[k] * row(y+k))
//			}
//			dst.Pix[y*dst.Stride+x] = sum
//		}
//	}
//
// where at(x, y) is the pixel of src, or outside of it what border says, and the weights
// add up to 1. Integers are rounded to the nearest. A constant image stays as it is, but for the
// rounding of float32. With the border Valid, dst is smaller than src by 2*r in either
// direction and its pixel (0, 0) has its middle at (r, r) of src; dst is empty if nothing is
// left. With any other border, dst is as large as src.
//
// It panics as Blur3x3 does, and unless 0 <= sigma <= 10000. Traffic: 1 load and 1 store
// per pixel; the work is 4*r+2 multiplications and additions per pixel. The same bits
// on every CPU, team and schedule. Safe for concurrent use on separate dst.
func GaussianBlur[P Pixel](t *team.Team, dst, src Image[P], sigma float64, border Border) {
	r := GaussianRadius(sigma)
	checkBlur(dst, src, r, border)
	v := outside[P](border)
	if dst.empty() {
		return
	}
	switch unsafe.Sizeof(v) {
	case 1:
		gaussianBlur(t, &gaussians8, cast[uint8](dst), cast[uint8](src), sigma, r, border)
	case 2:
		gaussianBlur(t, &gaussians16, cast[uint16](dst), cast[uint16](src), sigma, r, border)
	case 4:
		gaussianBlur(t, &gaussiansF, cast[float32](dst), cast[float32](src), sigma, r, border)
	}
}

// A gaussian is one call of GaussianBlur.
type gaussian[P Pixel] struct {
	dst, src Image[P]
	border   Border
	weights  []float32
	body     func(lo, hi int)
}

var (
	gaussians8  = sync.Pool{New: newGaussian[uint8]}
	gaussians16 = sync.Pool{New: newGaussian[uint16]}
	gaussiansF  = sync.Pool{New: newGaussian[float32]}
)

func newGaussian[P Pixel]() any {
	g := new(gaussian[P])
	g.body = g.rows
	return g
}

func gaussianBlur[P Pixel](t *team.Team, pool *sync.Pool, dst, src Image[P], sigma float64, r int, border Border) {
	g := pool.Get().(*gaussian[P])
	g.dst, g.src, g.border = dst, src, border
	g.weights = appendWeights(g.weights[:0], sigma, r)
	t.Launch(dst.launch(max(32, 4*r)), dst.Height, g.body)
	g.dst, g.src = Image[P]{}, Image[P]{}
	pool.Put(g)
}

// appendWeights appends the 2*r+1 weights of the window.
func appendWeights(w []float32, sigma float64, r int) []float32 {
	if r == 0 {
		return append(w, 1)
	}
	bell := func(k int) float64 { return expMinus(float64(k*k) / (2 * sigma * sigma)) }
	sum := bell(0)
	for k := 1; k <= r; k++ {
		sum += 2 * bell(k)
	}
	for k := -r; k <= r; k++ {
		w = append(w, float32(bell(k)/sum))
	}
	return w
}

// expMinus returns e to the power of -x, x >= 0, with a relative error below 1e-10, and 0
// for x > 40. Unlike math.Exp, which is written apart for some CPUs, it gives the same
// bits everywhere: (1 - h + h*h/2 - ...)^1024 with h = x/1024.
func expMinus(x float64) float64 {
	if x > 40 {
		return 0
	}
	h := x / 1024
	e := 1.0
	for n := 6.0; n > 0; n-- {
		e = 1 - float64(e*h)/n
	}
	for range 10 {
		e *= e
	}
	return e
}

// gaussianColumn is how many columns of a strip are worked on at once, so that the rows
// which are blurred along x stay in the second-level cache.
const gaussianColumn = 1024

// floats is the scratch of a strip.
var floats = sync.Pool{New: func() any { return new([]float32) }}

// rows computes rows lo to hi-1 of dst. The rows that are blurred along x lie in a ring,
// the one of row y at y modulo the size of the window.
func (g *gaussian[P]) rows(lo, hi int) {
	window := len(g.weights)
	r := window / 2
	width := min(g.dst.Width, gaussianColumn)
	scratch := floats.Get().(*[]float32)
	if n := (window+2)*width + window; cap(*scratch) < n {
		*scratch = make([]float32, n)
	}
	rest := (*scratch)[:cap(*scratch)]
	take := func(n int) []float32 {
		s := rest[:n:n]
		rest = rest[n:]
		return s
	}
	wide, sum, ring := take(width+window), take(width), take(window*width)

	d := r - g.border.margin(r) // dst's (0, 0) has its middle at (d, d) of src
	for x := 0; x < g.dst.Width; x += width {
		n := min(width, g.dst.Width-x)
		wide, sum := wide[:n+2*r], sum[:n]
		// line returns the row of the ring for row y of src, which may lie outside of it.
		line := func(y int) []float32 {
			i := (y + r) % window * width
			return ring[i : i+n]
		}
		along := func(y int) {
			g.widen(wide, x+d-r, y)
			g.weigh(line(y), func(k int) []float32 { return wide[k : k+n] })
		}
		for y := lo + d - r; y < lo+d+r; y++ {
			along(y)
		}
		for y := lo; y < hi; y++ {
			along(y + d + r)
			g.weigh(sum, func(k int) []float32 { return line(y + d - r + k) })
			narrow(g.dst.row(y, x, n), sum)
		}
	}
	floats.Put(scratch)
}

// weigh sets dst to the weighted sum of one row for each weight.
func (g *gaussian[P]) weigh(dst []float32, row func(k int) []float32) {
	for k, w := range g.weights {
		if k == 0 {
			f32.Scale(dst, w, row(0))
		} else {
			f32.Axpy(w, row(k), dst)
		}
	}
}

// widen sets dst to the pixels of row y of src from column x on, both of which may lie outside.
func (g *gaussian[P]) widen(dst []float32, x, y int) {
	y = g.border.index(y, g.src.Height)
	if y < 0 {
		for i := range dst {
			dst[i] = float32(g.border.value)
		}
		return
	}
	row := g.src.row(y, 0, g.src.Width)
	from, to := min(max(-x, 0), len(dst)), max(min(len(row)-x, len(dst)), 0) // what lies inside
	for i := range dst[:from] {
		dst[i] = g.pixel(row, x+i)
	}
	if from < to {
		for i, p := range row[x+from : x+to] {
			dst[from+i] = float32(p)
		}
	}
	for i := max(from, to); i < len(dst); i++ {
		dst[i] = g.pixel(row, x+i)
	}
}

// pixel returns the pixel in column x of a row, which may lie outside.
func (g *gaussian[P]) pixel(row []P, x int) float32 {
	if x = g.border.index(x, len(row)); x < 0 {
		return float32(g.border.value)
	}
	return float32(row[x])
}

// narrow sets dst to src, integers rounded to the nearest.
func narrow[P Pixel](dst []P, src []float32) {
	half := half[P]()
	for i, v := range src {
		dst[i] = P(v + half)
	}
}

// half is what rounds a positive value to the nearest P when it's added: 1/2 for
// integers, 0 for float32.
func half[P Pixel]() float32 {
	var p P
	if unsafe.Sizeof(p) < 4 {
		return 0.5
	}
	return 0
}
