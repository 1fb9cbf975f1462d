package bench

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/plot/plotter"
)

// sweepKernels are the loops that sweeps and scalings show: one that only
// stores, one that copies, one with two sources.
var sweepKernels = []string{"fill", "copy", "triad"}

func someLoops[T Float](names []string) []loop[T] {
	var some []loop[T]
	for _, l := range loops[T]() {
		for _, name := range names {
			if l.name == name {
				some = append(some, l)
			}
		}
	}
	return some
}

// Sweep measures bandwidth over sizes from 4 KiB for each array up to those of
// Stream, two to each doubling, so that every cache level shows.
func Sweep[T Float](ctx context.Context, o Options, k *Kernels[T]) ([]Result, error) {
	t, err := o.newTeam(0)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	n, note := o.elements(3, elemBytes[T](), o.Machine.Allowed)
	r, err := newRig(k, t, n, nil)
	if err != nil {
		return nil, err
	}
	defer r.close()

	sizes := sweepSizes(n, elemBytes[T]())
	var results []Result
	some := someLoops[T](sweepKernels)
	for step, size := range sizes {
		for _, l := range some {
			o.progress(step, len(sizes), fmt.Sprintf("%s n=%d", l.name, size))
			// Enough calls for a sample of about 4 million elements, 1 ms or so.
			calls := max(1, (4<<20)/size)
			seconds, err := r.measure(ctx, l, size, o.repetitions(), calls)
			name := Name("sweep", "kernel", l.name, "type", typeName[T](), "n", size, "workers", t.Size())
			res, err := result(name, l.name, size, elemBytes[T](), seconds, err)
			if err != nil {
				return nil, err
			}
			results = append(results, res)
		}
	}
	return annotate(results, note), nil
}

// sweepSizes returns lengths from 4 KiB to n elements, n among them.
func sweepSizes(n, elemBytes int) []int {
	var sizes []int
	for bytes := 4096.0; int(bytes)/elemBytes < n; bytes *= math.Sqrt2 {
		sizes = append(sizes, int(math.Round(bytes))/elemBytes)
	}
	return append(sizes, n)
}

// SweepSeries makes plot lines of a sweep: GB/s over the bytes of all arrays.
func SweepSeries(results []Result) []Series {
	return seriesBy(results, "kernel", func(r Result) (float64, float64) { return float64(r.Bytes), r.MedianGBps })
}

// ScalingSeries makes plot lines of a scaling: GB/s over workers.
func ScalingSeries(results []Result) []Series {
	return seriesBy(results, "kernel", func(r Result) (float64, float64) {
		var workers float64
		fmt.Sscan(r.Key("workers"), &workers)
		return workers, r.MedianGBps
	})
}

// seriesBy groups results by a key of their names, leaving failed ones out.
func seriesBy(results []Result, key string, point func(Result) (x, y float64)) []Series {
	var series []Series
	at := map[string]int{}
	for _, r := range results {
		if r.Failed != "" {
			continue
		}
		name := r.Key(key)
		i, ok := at[name]
		if !ok {
			i = len(series)
			at[name] = i
			series = append(series, Series{Name: name})
		}
		x, y := point(r)
		series[i].XY = append(series[i].XY, plotter.XY{X: x, Y: y})
	}
	return series
}

// Scaling measures bandwidth over the number of workers, from one to all: every
// number up to 8, then the powers of two and all.
func Scaling[T Float](ctx context.Context, o Options, k *Kernels[T]) ([]Result, error) {
	all, err := o.newTeam(0)
	if err != nil {
		return nil, err
	}
	most := all.Size()
	all.Close()
	n, note := o.elements(3, elemBytes[T](), o.Machine.Allowed)
	var results []Result
	for workers := 1; workers <= most; workers++ {
		if workers > 8 && workers&(workers-1) != 0 && workers != most {
			continue
		}
		o.progress(workers-1, most, count(workers, "worker"))
		some, err := scalingStep(ctx, o, k, n, workers)
		if err != nil {
			return nil, err
		}
		results = append(results, some...)
	}
	return annotate(results, note), nil
}

func scalingStep[T Float](ctx context.Context, o Options, k *Kernels[T], n, workers int) ([]Result, error) {
	t, err := o.newTeam(workers)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	r, err := newRig(k, t, n, nil)
	if err != nil {
		return nil, err
	}
	defer r.close()
	var results []Result
	for _, l := range someLoops[T](sweepKernels) {
		seconds, err := r.measure(ctx, l, n, o.repetitions(), 1)
		name := Name("scaling", "kernel", l.name, "type", typeName[T](), "n", n, "workers", workers)
		res, err := result(name, l.name, n, elemBytes[T](), seconds, err)
		if err != nil {
			return nil, err
		}
		results = append(results, res)
	}
	return results, nil
}
