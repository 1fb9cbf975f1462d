// Command compare measures kernels.Blur3x3 beside Halide and OpenCV, which take turns with it in one run.
//
//	go run ./bench/peers/blur/compare [-sizes 2568x1922,12296x8002] [-bits 12,16] [-workers 1] [-turns 15]
//
// For each size, depth and number of workers it prints the median time of one blur of uint16 pixels, and how many times faster we are
// than each side: the median over the turns, with its quartiles. Halide's sums of 16 bits wrap where pixels have more than 14; "Halide
// exact" is widened to 32 bits. OpenCV divides by nine at once. Copy is kernels.Copy of as many pixels. Peers that can't be built are
// left out; apt-get install g++ libhalide14-0-dev libopencv-core-dev libopencv-imgproc-dev brings them.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/numateam/numateam/asm"
	"github.com/numateam/numateam/bench"
	"github.com/numateam/numateam/bench/cli"
	"github.com/numateam/numateam/bench/peers"
	"github.com/numateam/numateam/kernels"
	"github.com/numateam/numateam/team"
)

func main() { cli.Main("compare", run) }

// kinds are the blurs that each peer does, as the protocol and as the table names them.
var kinds = map[string][][2]string{
	"Halide": {{"halide", "Halide"}, {"wide", "Halide exact"}},
	"OpenCV": {{"opencv", "OpenCV"}},
}

func run(ctx context.Context, args []string, o cli.IO) error {
	f := flag.NewFlagSet("compare", flag.ContinueOnError)
	sizes := f.String("sizes", "2568x1922,12296x8002", "sizes of images")
	depths := f.String("bits", "12,16", "bits of a pixel that are used")
	widths := f.String("workers", "1", "numbers of workers")
	turns := f.Int("turns", 15, "turns of each side")
	if err := cli.Parse(f, args, o, "Measures Blur3x3 beside Halide and OpenCV."); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "blur")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)

	fmt.Fprintf(o.Out, "numateam on %v, %s\n", asm.Active(), runtime.Version())
	table := tabwriter.NewWriter(o.Out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "size\tbits\tworkers\tside\tms\tGB/s\ttheirs / ours\tquartiles\t")
	for w := range strings.SplitSeq(*widths, ",") {
		workers, err := strconv.Atoi(w)
		if err != nil || workers < 1 {
			return cli.Usagef("-workers %q", w)
		}
		started, stop := start(ctx, dir, workers, o.Err)
		for size := range strings.SplitSeq(*sizes, ",") {
			for depth := range strings.SplitSeq(*depths, ",") {
				var width, height, bits int
				if _, err := fmt.Sscanf(size+" "+depth, "%dx%d %d", &width, &height, &bits); err != nil || width < 3 || height < 3 || bits < 1 || bits > 16 {
					stop()
					return cli.Usagef("-sizes %q or -bits %q", size, depth)
				}
				if err := compare(ctx, table, started, width, height, bits, workers, *turns); err != nil {
					stop()
					return err
				}
				table.Flush()
			}
		}
		stop()
	}
	return nil
}

// start builds and starts the peers that are to be had.
func start(ctx context.Context, dir string, workers int, errors io.Writer) (started []*peers.Peer, stop func()) {
	for _, name := range []string{"Halide", "OpenCV"} {
		program, _ := peers.Find(name)
		var p *peers.Peer
		exe, err := program.Build(ctx, dir)
		if err == nil {
			p, err = peers.Start(ctx, exe, fmt.Sprint("HL_NUM_THREADS=", workers), fmt.Sprint("NUMATEAM_THREADS=", workers))
		}
		if err != nil {
			fmt.Fprintln(errors, "without", err)
			continue
		}
		started = append(started, p)
	}
	return started, func() {
		for _, p := range started {
			p.Close()
		}
	}
}

// compare measures one blur and prints its lines.
func compare(ctx context.Context, out io.Writer, started []*peers.Peer, width, height, bits, workers, turns int) error {
	t, err := team.New(&team.Options{Workers: workers})
	if err != nil {
		return err
	}
	defer t.Close()
	source, err := team.Make[uint16](t, width*height)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := team.Make[uint16](t, (width-2)*(height-2))
	if err != nil {
		return err
	}
	defer target.Close()
	src := kernels.Image[uint16]{Pix: source.Slice(), Stride: width, Width: width, Height: height}
	dst := kernels.Image[uint16]{Pix: target.Slice(), Stride: width - 2, Width: width - 2, Height: height - 2}
	for i := range src.Pix {
		src.Pix[i] = uint16(uint32(i) * 2654435761 >> (32 - bits))
	}
	pixels := len(dst.Pix)
	repetitions := max(4, 400e6/pixels) // 40 ms and more: shorter turns end before the clock has settled

	sides := []bench.Contender{
		{Name: "numateam", Run: timed(repetitions, func() { kernels.Blur3x3(t, dst, src, kernels.Valid) })},
		{Name: "Copy", Run: timed(repetitions, func() { kernels.Copy(t, dst.Pix, src.Pix[:pixels]) })},
	}
	for _, p := range started {
		for _, kind := range kinds[p.Name] {
			request := fmt.Sprintf("%s %d %d %d %d", kind[0], width, height, bits, repetitions)
			sides = append(sides, bench.Contender{Name: kind[1], Run: func(context.Context) ([]float64, error) { return p.Run(request) }})
		}
	}
	samples, err := bench.Alternate(ctx, turns, sides)
	if err != nil {
		return err
	}
	for i, side := range sides {
		var medians []float64
		for _, s := range samples[i] {
			medians = append(medians, bench.Median(s))
		}
		s := bench.Median(medians)
		ratio := bench.Ratio(samples[i], samples[0])
		fmt.Fprintf(out, "%dx%d\t%d\t%d\t%s\t%.3f\t%.1f\t%.2f\t%.2f-%.2f\t\n", width, height, bits, workers, side.Name,
			s*1e3, 4*float64(pixels)/s/1e9, ratio.Median, ratio.Low, ratio.High)
	}
	return nil
}

// timed returns a side that runs f a quarter more often than it measures it, to warm the caches and the clock, as the peers do.
func timed(repetitions int, f func()) func(context.Context) ([]float64, error) {
	return func(context.Context) ([]float64, error) {
		for range repetitions/4 + 1 {
			f()
		}
		seconds := make([]float64, repetitions)
		for i := range seconds {
			start := time.Now()
			f()
			seconds[i] = time.Since(start).Seconds()
		}
		return seconds, nil
	}
}
