// Blur blurs a picture: a PNG in, a PNG out.
//
//	go run ./examples/blur -in a.png -out b.png            the 3x3 box of Halide's blur
//	go run ./examples/blur -in a.png -out b.png -sigma 4   a Gaussian
//	go run ./examples/blur -in a.png -out b.png -radius 9  a box of 19x19
//	go run ./examples/blur                                 on a picture that it draws
//
// What to look at, in this order:
//
//   - The planes: each channel of the picture is an image of its own, in memory from
//     team.Make, so that each worker's rows lie on its own node.
//   - The one line that blurs: a kernel takes the team, two images and what to do
//     at the border.
//   - Transparency: pixels are blurred premultiplied by their alpha. Otherwise the color of
//     what can't be seen would leak into what can.
//   - The figures: the median time of the kernel over all planes, beside the plain loop on
//     some rows. GB/s counts each pixel read once and written once.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/numateam/numateam/bench/cli"
	"github.com/numateam/numateam/kernels"
	"github.com/numateam/numateam/team"
)

const (
	about = `Blurs a PNG picture on all cores and prints how fast that was.`

	repetitions = 5
)

func main() { cli.Main("blur", run) }

// A blur is what's done to every plane of a picture.
type blur struct {
	sigma  float64 // a Gaussian, if positive
	radius int     // a box, if positive; otherwise it's the box of 3x3
	border kernels.Border
}

func (b blur) String() string {
	switch {
	case b.sigma > 0:
		return fmt.Sprintf("gaussian blur, sigma %g, border %v", b.sigma, b.border)
	case b.radius > 0:
		return fmt.Sprintf("box blur, radius %d, border %v", b.radius, b.border)
	}
	return fmt.Sprintf("3x3 blur, border %v", b.border)
}

// margin returns by how much the result is narrower on each side.
func (b blur) margin() int {
	switch {
	case b.border != kernels.Valid:
		return 0
	case b.sigma > 0:
		return kernels.GaussianRadius(b.sigma)
	}
	return max(b.radius, 1)
}

func run(ctx context.Context, args []string, o cli.IO) error {
	f := flag.NewFlagSet("blur", flag.ContinueOnError)
	in := f.String("in", "", "the PNG to read; without it a picture is drawn")
	out := f.String("out", "", "the PNG to write; none if empty")
	before := f.String("before", "", "a PNG to write of the picture before the blur")
	size := f.Int("size", 1536, "width of the picture that's drawn, at 3:2")
	b := blur{border: kernels.Replicate}
	f.Float64Var(&b.sigma, "sigma", 0, "standard deviation of a Gaussian, in pixels")
	f.IntVar(&b.radius, "radius", 0, "radius of a box, in pixels; without it and -sigma: 3x3")
	f.TextVar(&b.border, "border", b.border, "what lies outside: replicate, reflect101, constant, constant:v, or valid for a smaller picture")
	options := team.Options{Placement: team.NUMA}
	f.TextVar(&options.Placement, "placement", options.Placement, "where the workers sit: numa, cores, threads or unpinned")
	f.IntVar(&options.Workers, "workers", 0, "how many workers; 0: one per core that we may use")
	if err := cli.Parse(f, args, o, about); err != nil {
		return err
	}
	switch {
	case b.sigma != 0 && b.radius != 0:
		return cli.Usagef("-sigma and -radius: one of them")
	case !(b.sigma >= 0 && b.sigma <= 1000), b.radius < 0 || b.radius > 30000:
		return cli.Usagef("-sigma must be in 0 to 1000 and -radius in 0 to 30000")
	case *size < 1 || *size > 30000:
		return cli.Usagef("-size must be in 1 to 30000")
	case options.Workers < 0:
		return cli.Usagef("-workers must be at least 0")
	}

	for _, name := range []string{*before, *out} {
		if name == "" {
			continue
		}
		if err := cli.Writable(name); err != nil {
			return err
		}
	}
	t, err := team.New(&options)
	if err != nil {
		return err
	}
	defer t.Close()
	progress := newProgress(o.Err)
	defer progress.clear()

	if *in == "" {
		progress.step("drawing")
	} else {
		progress.step("reading")
	}
	p, err := open(ctx, t, *in, *size)
	if err != nil {
		return err
	}
	defer p.close()
	if *before != "" {
		if err := p.save(ctx, *before); err != nil {
			return err
		}
	}
	progress.step("blurring")
	result, r, err := p.blurred(ctx, t, b)
	if err != nil {
		return err
	}
	defer result.close()
	progress.clear()

	fmt.Fprintf(o.Out, "%v of %d x %d pixels, %s, %d workers\n", b, p.width, p.height, p.kind, t.Size())
	r.print(o.Out)
	if *out == "" {
		return nil
	}
	progress.step("writing")
	return result.save(ctx, *out)
}

// figures are what a run took.
type figures struct {
	pixels, bytes int // of all planes
	seconds       []float64
	plainPixels   int
	plainSeconds  float64
}

func (r figures) print(w io.Writer) {
	if r.pixels == 0 || r.plainPixels == 0 {
		fmt.Fprintln(w, "  too small for figures")
		return
	}
	slices.Sort(r.seconds)
	s := r.seconds[len(r.seconds)/2]
	rate, plain := float64(r.pixels)/s/1e6, float64(r.plainPixels)/r.plainSeconds/1e6
	fmt.Fprintf(w, "  kernel      %8.1f megapixels/s %7.2f GB/s  median of %d, %.1f to %.1f ms\n",
		rate, float64(2*r.bytes)/s/1e9, len(r.seconds), r.seconds[0]*1e3, r.seconds[len(r.seconds)-1]*1e3)
	fmt.Fprintf(w, "  plain loop  %8.1f megapixels/s %7.2f GB/s  each window's sum, 1 thread\n",
		plain, plain*float64(2*r.bytes)/float64(r.pixels)/1e3)
	fmt.Fprintf(w, "  the kernel is %.1f times as fast\n", rate/plain)
}

// progress is a line that says what goes on, on a terminal only.
type progress struct{ bar *progressbar.ProgressBar }

func newProgress(w io.Writer) progress {
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return progress{progressbar.NewOptions(-1, progressbar.OptionSetWriter(w), progressbar.OptionSpinnerType(14),
			progressbar.OptionClearOnFinish(), progressbar.OptionSetElapsedTime(true))}
	}
	return progress{}
}

func (p progress) step(what string) {
	if p.bar != nil {
		p.bar.Describe(what)
		p.bar.RenderBlank()
	}
}

func (p progress) clear() {
	if p.bar != nil {
		p.bar.Clear()
	}
}
