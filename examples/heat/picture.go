package main

import (
	"fmt"
	"image"
	"image/png"
	"io"

	"gonum.org/v1/plot/palette/moreland"

	"github.com/numateam/numateam/bench/cli"
)

// firstDifference returns the first index at which a and b differ, or -1.
func firstDifference(a, b []float64) int {
	for i := range a {
		if a[i] != b[i] {
			return i
		}
	}
	return -1
}

// draw prints a picture of 64 x 24 characters, the denser the hotter.
func draw(w io.Writer, grid []float64, size int) {
	const columns, lines, ramp = 64, 24, " .:-=+*#%@"
	var row [columns]byte
	for y := range lines {
		for x := range columns {
			v := grid[y*(size-1)/(lines-1)*size+x*(size-1)/(columns-1)]
			row[x] = ramp[min(int(v*float64(len(ramp))), len(ramp)-1)]
		}
		fmt.Fprintf(w, "%s\n", row[:])
	}
}

// savePNG draws the grid from black, cold, to white, hot.
func savePNG(file string, grid []float64, size int) error {
	colours := moreland.ExtendedBlackBody()
	colours.SetMax(1)
	const shades = 256
	var palette = colours.Palette(shades).Colors()
	picture := image.NewRGBA(image.Rect(0, 0, size, size))
	for i, v := range grid {
		picture.Set(i%size, i/size, palette[min(int(v*shades), shades-1)])
	}
	return cli.WriteFile(file, func(w io.Writer) error { return png.Encode(w, picture) })
}
