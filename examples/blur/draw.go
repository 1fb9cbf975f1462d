package main

import (
	"context"
	"image"
	"image/color"
	"math"
)

// draw returns a picture with what a photograph has and a blur shows: smooth skies,
// hard edges, fine lines, grain, and a corner that fades to nothing.
func draw(ctx context.Context, width, height int) (image.Image, error) {
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for x := range width {
			u, v := float64(x)/float64(width), float64(y)/float64(height)
			c := landscape(u*1.5, v)
			grain := float64(hash(x, y)%17) - 8
			m.SetNRGBA(x, y, color.NRGBA{R: level(c[0] + grain), G: level(c[1] + grain), B: level(c[2] + grain), A: level(fade(u, v))})
		}
	}
	return m, nil
}

// landscape returns the color at (u, v), u in 0 to 1.5 and v in 0 to 1 from the top.
func landscape(u, v float64) [3]float64 {
	sky := mix([3]float64{52, 96, 168}, [3]float64{250, 214, 170}, v/0.6)
	sun := math.Hypot(u-1.05, v-0.3)
	if sun < 0.08 {
		return [3]float64{255, 246, 214}
	}
	c := mix([3]float64{255, 236, 190}, sky, math.Min(1, sun/0.35))
	for i, ridge := range []float64{0.46, 0.56, 0.68} {
		f := float64(3 + 4*i)
		top := ridge + 0.05*math.Sin(f*u+float64(i)) + 0.02*math.Sin(3.7*f*u) + 0.006*math.Sin(23*f*u)
		if v > top {
			c = mix([3]float64{120, 132, 160}, [3]float64{34, 58, 52}, float64(i)/2+0.3*(v-top))
		}
	}
	if v > 0.82 { // a lake with the evening in it
		c = mix(c, mix([3]float64{250, 214, 170}, [3]float64{40, 70, 120}, 4*(v-0.82)), 0.8+0.2*math.Sin(900*v*v))
	}
	if u > 0.12 && u < 0.5 && v > 0.6 && v < 0.8 { // a fence
		if math.Mod(u*160, 1) < 0.35 || math.Abs(v-0.66) < 0.004 || math.Abs(v-0.74) < 0.004 {
			c = [3]float64{236, 228, 214}
		}
	}
	return c
}

// fade returns alpha: full but in the lower right corner.
func fade(u, v float64) float64 { return 255 * math.Min(1, 4*math.Hypot(1-u, 1-v)) }

func mix(a, b [3]float64, t float64) (c [3]float64) {
	t = math.Min(math.Max(t, 0), 1)
	for i := range c {
		c[i] = a[i] + t*(b[i]-a[i])
	}
	return c
}

func level(v float64) uint8 { return uint8(math.Min(math.Max(v, 0), 255)) }

// hash returns bits that look like noise.
func hash(x, y int) uint32 {
	h := uint32(x)*2654435761 ^ uint32(y)*2246822519
	h ^= h >> 15
	h *= 2654435761
	return h >> 16
}
