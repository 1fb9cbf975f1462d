package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/numateam/numateam/bench/mem"
	"github.com/numateam/numateam/kernels"
	"github.com/numateam/numateam/numa"
	"github.com/numateam/numateam/team"
)

// A picture is an image taken apart into planes.
type picture struct {
	format
	width, height int
	grey          *plane[uint8]    // if there's one channel of 8 bits
	planes        []*plane[uint16] // else: premultiplied colors, and alpha if it's not full
}

// A format is what a picture's pixels are.
type format struct {
	kind     string // for people
	channels int    // 1 grey, 3 colors, 4 with alpha
	deep     bool   // 16 bits a channel, not 8
}

// A plane is one channel, whose rows lie with the workers that blur them.
type plane[P kernels.Pixel] struct {
	kernels.Image[P]
	array *numa.Array[P]
}

func newPlane[P interface {
	kernels.Pixel
	numa.Elem
}](t *team.Team, width, height int) (*plane[P], error) {
	array, err := team.Make[P](t, width*height)
	if err != nil {
		return nil, err
	}
	return &plane[P]{kernels.Image[P]{Pix: array.Slice(), Stride: width, Width: width, Height: height}, array}, nil
}

// newPicture returns a black picture.
func newPicture(t *team.Team, width, height int, f format) (p *picture, err error) {
	p = &picture{format: f, width: width, height: height}
	if f.channels == 1 && !f.deep {
		p.grey, err = newPlane[uint8](t, width, height)
		return p, err
	}
	for range f.channels {
		m, err := newPlane[uint16](t, width, height)
		if err != nil {
			p.close()
			return nil, err
		}
		p.planes = append(p.planes, m)
	}
	return p, nil
}

func (p *picture) close() {
	if p.grey != nil {
		p.grey.array.Close()
	}
	for _, m := range p.planes {
		m.array.Close()
	}
}

// open reads the PNG of that name, or draws a picture if there is none.
func open(ctx context.Context, t *team.Team, name string, size int) (*picture, error) {
	if name == "" {
		m, err := draw(ctx, size, max(size*2/3, 1))
		if err != nil {
			return nil, err
		}
		return split(ctx, t, m)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	c, err := png.DecodeConfig(bufio.NewReader(f))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	// The decoded image, and the planes before and after: up to 8 bytes a pixel each.
	if need := 24 * float64(c.Width) * float64(c.Height); need > float64(mem.Available()) {
		return nil, fmt.Errorf("%s: %d x %d pixels need %.1f GB of memory, more than there is", name, c.Width, c.Height, need/1e9)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	m, err := png.Decode(bufio.NewReader(f))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return split(ctx, t, m)
}

// split takes an image apart.
func split(ctx context.Context, t *team.Team, m image.Image) (*picture, error) {
	f := format{kind: "RGB", channels: 3}
	if o, ok := m.(interface{ Opaque() bool }); ok && !o.Opaque() {
		f = format{kind: "RGBA", channels: 4}
	}
	switch m.(type) {
	case *image.Gray:
		f = format{kind: "gray", channels: 1}
	case *image.Gray16:
		f = format{kind: "16-bit gray", channels: 1, deep: true}
	case *image.RGBA64, *image.NRGBA64:
		f.kind, f.deep = "16-bit "+f.kind, true
	case *image.Paletted:
		f.kind = "paletted " + f.kind
	}
	b := m.Bounds()
	p, err := newPicture(t, b.Dx(), b.Dy(), f)
	if err != nil {
		return nil, err
	}
	t.For(p.height, func(lo, hi int) {
		for y := lo; y < hi && ctx.Err() == nil; y++ {
			for x := range p.width {
				p.set(x, y, m.At(b.Min.X+x, b.Min.Y+y))
			}
		}
	})
	if err := ctx.Err(); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

// set sets a pixel. RGBA gives 16 bits a channel, premultiplied.
func (p *picture) set(x, y int, c color.Color) {
	r, g, b, a := c.RGBA()
	i := y*p.width + x
	if p.grey != nil {
		p.grey.Pix[i] = uint8(r >> 8)
		return
	}
	channels := [4]uint32{r, g, b, a}
	for k, m := range p.planes {
		m.Pix[i] = uint16(channels[k])
	}
}

// image puts the planes together again.
func (p *picture) image() image.Image {
	box := image.Rect(0, 0, p.width, p.height)
	switch {
	case p.grey != nil:
		return &image.Gray{Pix: p.grey.Pix, Stride: p.width, Rect: box}
	case p.channels == 1:
		m := image.NewGray16(box)
		p.each(func(x, y int, c [4]uint16) { m.SetGray16(x, y, color.Gray16{Y: c[0]}) })
		return m
	case p.deep:
		m := image.NewNRGBA64(box)
		p.each(func(x, y int, c [4]uint16) { m.Set(x, y, color.RGBA64{R: c[0], G: c[1], B: c[2], A: c[3]}) })
		return m
	}
	m := image.NewNRGBA(box)
	p.each(func(x, y int, c [4]uint16) {
		// Colors as they were before they were premultiplied, rounded to 8 bits.
		a := uint32(max(c[3], 1))
		straight := func(v uint16) uint8 { return uint8(min((uint32(v)*255+a/2)/a, 255)) }
		m.SetNRGBA(x, y, color.NRGBA{R: straight(c[0]), G: straight(c[1]), B: straight(c[2]), A: uint8((uint32(c[3]) + 128) / 257)})
	})
	return m
}

// each calls f with the channels of each pixel; alpha is full where there's no plane of it.
func (p *picture) each(f func(x, y int, c [4]uint16)) {
	for y := range p.height {
		for x := range p.width {
			c := [4]uint16{3: 0xffff}
			for k, m := range p.planes {
				c[k] = m.Pix[y*p.width+x]
			}
			f(x, y, c)
		}
	}
}

// save writes the picture as a PNG: whole, or not at all. What there is of the name and
// isn't a file, such as /dev/null, is written to and stays.
func (p *picture) save(ctx context.Context, name string) (err error) {
	if p.width == 0 || p.height == 0 {
		return fmt.Errorf("%s: nothing is left of the picture", name)
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(png.Encode(interruptible{ctx, f}, p.image()), f.Close())
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".blur-*.png")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	w := bufio.NewWriter(interruptible{ctx, f})
	if err := png.Encode(w, p.image()); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := f.Chmod(0o644); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// interruptible is a file whose writes fail once ctx has ended.
type interruptible struct {
	ctx context.Context
	io.Writer
}

func (w interruptible) Write(b []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.Writer.Write(b)
}

// blurred returns the blurred picture, and what it took.
func (p *picture) blurred(ctx context.Context, t *team.Team, b blur) (*picture, figures, error) {
	width, height := max(p.width-2*b.margin(), 0), max(p.height-2*b.margin(), 0)
	var r figures
	result, err := newPicture(t, width, height, p.format)
	if err != nil {
		return nil, r, err
	}
	for range repetitions {
		if err := ctx.Err(); err != nil {
			result.close()
			return nil, r, err
		}
		start := time.Now()
		if p.grey != nil {
			apply(t, b, result.grey.Image, p.grey.Image)
		}
		for k := range p.planes {
			apply(t, b, result.planes[k].Image, p.planes[k].Image)
		}
		r.seconds = append(r.seconds, time.Since(start).Seconds())
	}
	if p.grey != nil {
		r.pixels, r.bytes = width*height, width*height
		r.plainPixels, r.plainSeconds = plain(b, p.grey.Image)
	} else {
		r.pixels = width * height * len(p.planes)
		r.bytes = 2 * r.pixels
		r.plainPixels, r.plainSeconds = plain(b, p.planes[0].Image)
	}
	return result, r, nil
}

// apply blurs one plane.
func apply[P kernels.Pixel](t *team.Team, b blur, dst, src kernels.Image[P]) {
	switch {
	case b.sigma > 0:
		kernels.GaussianBlur(t, dst, src, b.sigma, b.border)
	case b.radius > 0:
		kernels.BoxBlur(t, dst, src, b.radius, b.border)
	default:
		kernels.Blur3x3(t, dst, src, b.border)
	}
}

// plain blurs rows in the middle of the image as one would write it first, for as long as it
// takes to know its speed, and returns the pixels and the seconds it took. The window is
// the blur's; pixels at the sides are left out.
func plain[P kernels.Pixel](b blur, m kernels.Image[P]) (pixels int, seconds float64) {
	r := max(b.radius, 1)
	if b.sigma > 0 {
		r = kernels.GaussianRadius(b.sigma)
	}
	r = min(r, (m.Width-1)/2, (m.Height-1)/2)
	dst := make([]P, m.Width)
	start := time.Now()
	for y := r; y < m.Height-r && time.Since(start) < 200*time.Millisecond; y++ {
		plainRow(dst, m, r, y)
		pixels += m.Width - 2*r
	}
	return pixels, time.Since(start).Seconds()
}

// plainRow sets dst to the means of the windows around the pixels of a row.
func plainRow[P kernels.Pixel](dst []P, m kernels.Image[P], r, y int) {
	area := float32((2*r + 1) * (2*r + 1))
	for x := r; x < m.Width-r; x++ {
		var sum float32
		for j := -r; j <= r; j++ {
			for i := -r; i <= r; i++ {
				sum += float32(m.Pix[(y+j)*m.Stride+x+i])
			}
		}
		dst[x] = P(sum / area)
	}
}
