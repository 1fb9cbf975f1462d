package bench

import (
	"context"
	"fmt"
)

// A Roofline is what bounds loops on this machine, as measured, and where the
// kernels lie below it.
type Roofline struct {
	PeakGflops float64 // of dgemm: independent multiplies and adds, rounded apart as everywhere here
	Roofs      []Roof
	Kernels    []Point
}

// A Roof is the bandwidth of triad over arrays that one level of memory holds.
type Roof struct {
	Name string
	GBps float64
}

// A Point is a kernel on arrays in memory: its intensity and what it reached.
type Point struct {
	Name                 string
	FlopsPerByte, Gflops float64
}

// gemmSize is the order of the matrices that the peak is measured with: large
// enough to be bound by arithmetic.
const gemmSize = 1024

// MeasureRoofline measures triad at half the size of each cache level and all
// float64 loops in memory, and dgemm for the arithmetic peak.
func MeasureRoofline(ctx context.Context, o Options, k *Kernels[float64]) ([]Result, error) {
	results, err := rooflineLoops(ctx, o, k)
	if err != nil {
		return nil, err
	}
	peak, err := measureGemm(ctx, o)
	return append(results, peak), err
}

func rooflineLoops(ctx context.Context, o Options, k *Kernels[float64]) ([]Result, error) {
	t, err := o.newTeam(0)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	n, _ := o.elements(3, 8, o.Machine.Allowed)
	r, err := newRig(k, t, n, nil)
	if err != nil {
		return nil, err
	}
	defer r.close()

	caches := levels(o.Machine)
	all := loops[float64]()
	var results []Result
	add := func(l loop[float64], level string, n, calls int) error {
		o.progress(len(results), len(caches)+len(all), l.name+" in "+level)
		seconds, err := r.measure(ctx, l, n, o.repetitions(), calls)
		name := Name("roofline", "kernel", l.name, "level", level, "type", "float64", "n", n, "workers", t.Size())
		res, err := result(name, l.name, n, 8, seconds, err)
		if err == nil {
			results = append(results, res)
		}
		return err
	}
	triad := someLoops[float64]([]string{"triad"})[0]
	for _, c := range caches {
		size := int(c.Bytes) * c.Count / 2 / (3 * 8)
		if size == 0 || size >= n {
			continue
		}
		if err := add(triad, fmt.Sprintf("L%d", c.Level), size, max(1, (4<<20)/size)); err != nil {
			return nil, err
		}
	}
	for _, l := range all {
		if err := add(l, "memory", n, 1); err != nil {
			return nil, err
		}
	}
	return results, nil
}

func measureGemm(ctx context.Context, o Options) (Result, error) {
	t, err := o.newTeam(0)
	if err != nil {
		return Result{}, err
	}
	defer t.Close()
	name := Name("peak", "kernel", "dgemm", "n", gemmSize, "workers", t.Size())
	g := newGemm(t)
	seconds, err := timed(o.repetitions()+1, 1, g.run, g.check)(ctx)
	r, err := result(name, "", 0, 8, seconds, err)
	if err != nil || r.Failed != "" {
		return r, err
	}
	r = NewResult(name, 0, seconds[1:])
	r.Note = fmt.Sprintf("%.1f Gflop/s, multiply and add rounded apart", gemmGflops(r))
	return r, nil
}

func gemmGflops(r Result) float64 { return 2 * gemmSize * gemmSize * gemmSize / r.Summary.Median / 1e9 }

// RooflineOf makes the picture's data of the results of MeasureRoofline.
func RooflineOf(results []Result) Roofline {
	var line Roofline
	for _, r := range results {
		kernel, level := r.Key("kernel"), r.Key("level")
		switch {
		case r.Failed != "":
		case kernel == "dgemm":
			line.PeakGflops = gemmGflops(r)
		default:
			if kernel == "triad" {
				line.Roofs = append(line.Roofs, Roof{level, r.MedianGBps})
			}
			if t, _ := TrafficOf(kernel); level == "memory" && t.Flops > 0 {
				intensity := float64(t.Flops) / float64(t.Bytes(1, 8))
				line.Kernels = append(line.Kernels, Point{kernel, intensity, intensity * r.MedianGBps})
			}
		}
	}
	return line
}
