package kernels

import (
	"fmt"
	"strconv"
	"strings"
	"unsafe"

	"github.com/numateam/numateam/team"
)

// A Pixel is one channel of an image.
type Pixel interface {
	~uint8 | ~uint16 | ~float32
}

// An Image is a rectangle of pixels. The pixel in column x of row y is
// Pix[y*Stride+x]. Stride counts pixels and is at least Width, so that an image may be a
// part of a larger one; Pix needs at least Stride*(Height-1)+Width elements. An
// image without columns or rows is empty and needs no Pix.
type Image[P Pixel] struct {
	Pix                   []P
	Stride, Width, Height int
}

func (m Image[P]) empty() bool { return m.Width == 0 || m.Height == 0 }

// row returns columns x to x+n-1 of row y.
func (m Image[P]) row(y, x, n int) []P {
	i := y*m.Stride + x
	return m.Pix[i : i+n : i+n]
}

// check panics if m isn't an image.
func (m Image[P]) check() {
	if m.Width < 0 || m.Height < 0 {
		panic("kernels: image of negative size")
	}
	if m.empty() {
		return
	}
	if m.Stride < m.Width {
		panic("kernels: image with Stride less than Width")
	}
	if len(m.Pix) < m.Width || (len(m.Pix)-m.Width)/m.Stride < m.Height-1 {
		panic("kernels: image with too few Pix")
	}
}

// overlaps reports whether two images, neither of them empty, may have a pixel in
// common. Parts of one larger image that lie side by side don't.
func (m Image[P]) overlaps(o Image[P]) bool {
	var p P
	size := unsafe.Sizeof(p)
	a, b := uintptr(unsafe.Pointer(&m.Pix[0])), uintptr(unsafe.Pointer(&o.Pix[0]))
	if a > b {
		m, o, a, b = o, m, b, a
	}
	if b-a >= uintptr((m.Height-1)*m.Stride+m.Width)*size {
		return false
	}
	if m.Stride != o.Stride {
		return true
	}
	// The first pixel of o is in this column of m, or to the right of its columns.
	column := int((b-a)/size) % m.Stride
	return column < m.Width || column+o.Width > m.Stride
}

// A Border says which pixels a blur takes for those that lie outside the image.
// The zero value is Valid.
type Border struct {
	rule  borderRule
	value float64
}

type borderRule uint8

const (
	validRule borderRule = iota
	replicateRule
	reflect101Rule
	constantRule
)

// The borders, by what they make of a row abcd.
var (
	Valid      = Border{rule: validRule}      // nothing: pixels whose window leaves the image aren't computed
	Replicate  = Border{rule: replicateRule}  // aaa|abcd|ddd
	Reflect101 = Border{rule: reflect101Rule} // dcb|abcd|cba
	Constant   = Border{rule: constantRule}   // 000|abcd|000
)

// ConstantValue is the Border that takes v for all pixels outside the image.
// A blur panics if v isn't a value that its pixels can have.
func ConstantValue(v float64) Border { return Border{rule: constantRule, value: v} }

var borderNames = [...]string{"valid", "replicate", "reflect101", "constant"}

// String returns the text that UnmarshalText reads.
func (b Border) String() string {
	if b.value != 0 {
		return borderNames[b.rule] + ":" + strconv.FormatFloat(b.value, 'g', -1, 64)
	}
	return borderNames[b.rule]
}

// MarshalText returns valid, replicate, reflect101, constant or constant:v. The error
// is always nil.
func (b Border) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// UnmarshalText reads what MarshalText writes, in any case and with or without a colon
// in front.
func (b *Border) UnmarshalText(text []byte) error {
	spec := strings.TrimPrefix(strings.TrimSpace(string(text)), ":")
	name, value, hasValue := strings.Cut(strings.ToLower(spec), ":")
	for rule, n := range borderNames {
		if n != name || hasValue && borderRule(rule) != constantRule {
			continue
		}
		read := Border{rule: borderRule(rule)}
		if hasValue {
			v, err := strconv.ParseFloat(value, 64)
			if err != nil {
				return fmt.Errorf("kernels: border %q: not a number", text)
			}
			read.value = v
		}
		*b = read
		return nil
	}
	return fmt.Errorf("kernels: unknown border %q (one of %s)", text, strings.Join(borderNames[:], ", "))
}

// index returns the index in [0, n) of the pixel that stands for the one at i, or -1 if
// it's the constant. n is at least 1.
func (b Border) index(i, n int) int {
	if 0 <= i && i < n {
		return i
	}
	switch b.rule {
	case replicateRule:
		return min(max(i, 0), n-1)
	case reflect101Rule:
		if n == 1 {
			return 0
		}
		period := 2 * (n - 1)
		i %= period
		if i < 0 {
			i += period
		}
		return min(i, period-i)
	}
	return -1
}

// margin returns how far a window of the given radius reaches over the edge of the image.
func (b Border) margin(radius int) int {
	if b.rule == validRule {
		return 0
	}
	return radius
}

// outside returns the border's constant as a pixel.
func outside[P Pixel](b Border) P {
	p := P(b.value)
	if unsafe.Sizeof(p) < 4 && float64(p) != b.value {
		panic("kernels: ConstantValue isn't a value of the image's pixels")
	}
	return p
}

// checkBlur panics unless dst has the size that a blur of src with a window of that
// radius has, and memory of its own.
func checkBlur[P Pixel](dst, src Image[P], radius int, b Border) {
	dst.check()
	src.check()
	width, height := src.Width, src.Height
	if b.rule == validRule {
		width, height = max(width-2*radius, 0), max(height-2*radius, 0)
	}
	if same := dst.Width == width && dst.Height == height; !same && !(dst.empty() && (width == 0 || height == 0)) {
		panic("kernels: blur into an image of another size")
	}
	if !dst.empty() && dst.overlaps(src) {
		panic("kernels: blur in place: dst overlaps src")
	}
}

// launch returns how a team works on the rows of m, which isn't empty: in chunks of at
// least so many rows, because a strip begins with some of its neighbour's rows, and of
// at least 32 Ki pixels, because a launch costs about as much as blurring 4 Ki.
func (m Image[P]) launch(rows int) team.Launch {
	var p P
	return team.Launch{
		Grain: max(rows, ceil(32<<10, m.Width)),
		Over:  team.Span{Base: unsafe.Pointer(&m.Pix[0]), Stride: uintptr(m.Stride) * unsafe.Sizeof(p)},
	}
}

// cast returns the image with its pixels as another type of the same size.
func cast[To, From Pixel](m Image[From]) Image[To] {
	return Image[To]{Pix: as[To](m.Pix), Stride: m.Stride, Width: m.Width, Height: m.Height}
}
