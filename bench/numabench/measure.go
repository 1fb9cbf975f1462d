package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/numateam/numateam/bench"
)

// figure is a plot to draw, by the end of its file's name.
type figure = map[string]func() (*bench.Figure, error)

// loops runs a measurement of loops on the element type asked for.
func (s *session) loops(ctx context.Context,
	on32 func(context.Context, bench.Options, *bench.Kernels[float32]) ([]bench.Result, error),
	on64 func(context.Context, bench.Options, *bench.Kernels[float64]) ([]bench.Result, error),
) ([]bench.Result, error) {
	if s.float32s {
		return on32(ctx, s.Options, bench.Real[float32]())
	}
	return on64(ctx, s.Options, bench.Real[float64]())
}

func stream(ctx context.Context, s *session) error {
	results, err := s.loops(ctx, bench.Stream[float32], bench.Stream[float64])
	if err != nil {
		return err
	}
	return s.finish(results, nil, nil)
}

func sweep(ctx context.Context, s *session) error {
	results, err := s.loops(ctx, bench.Sweep[float32], bench.Sweep[float64])
	if err != nil {
		return err
	}
	return s.finish(results, nil, figure{"": func() (*bench.Figure, error) { return bench.PlotSweep(s.env, bench.SweepSeries(results)) }})
}

func scaling(ctx context.Context, s *session) error {
	results, err := s.loops(ctx, bench.Scaling[float32], bench.Scaling[float64])
	if err != nil {
		return err
	}
	return s.finish(results, nil, figure{"": func() (*bench.Figure, error) { return bench.PlotScaling(s.env, bench.ScalingSeries(results)) }})
}

func matrix(ctx context.Context, s *session) error {
	results, err := bench.Matrix(ctx, s.Options, bench.Real[float64]())
	if err != nil {
		return err
	}
	return s.finish(results, nil, figure{
		"-bandwidth": func() (*bench.Figure, error) {
			return bench.PlotGrid("Triad, GB/s", s.env, "memory", "CPUs", "%.1f", bench.MatrixGrid(results, false))
		},
		"-latency": func() (*bench.Figure, error) {
			return bench.PlotGrid("Latency of a load, ns", s.env, "memory", "CPUs", "%.0f", bench.MatrixGrid(results, true))
		},
	})
}

// lineup builds and starts peers, and says which are missing.
func (s *session) lineup(ctx context.Context, names ...string) (*bench.Lineup, func(), error) {
	dir, err := os.MkdirTemp("", "numabench")
	if err != nil {
		return nil, nil, err
	}
	l, err := bench.StartPeers(ctx, dir, names...)
	if err != nil {
		os.RemoveAll(dir)
		return nil, nil, err
	}
	return l, func() { l.Close(); os.RemoveAll(dir) }, nil
}

func (s *session) remark(missing []error) {
	for _, err := range missing {
		fmt.Fprintf(s.remarks, "missing: %v\n", err)
	}
}

func launch(ctx context.Context, s *session) error {
	l, done, err := s.lineup(ctx, "libgomp", "libomp", "oneTBB")
	if err != nil {
		return err
	}
	defer done()
	s.remark(l.Missing)
	results, err := bench.LaunchAll(ctx, s.Options, l)
	if err != nil {
		return err
	}
	return s.finish(results, nil, figure{"": func() (*bench.Figure, error) {
		return bench.PlotLatency("Empty launches, one after the other", s.env, bench.WithKey(results, "gap", "0s"))
	}, "-1ms": func() (*bench.Figure, error) {
		return bench.PlotLatency("Empty launches, 1 ms after one another", s.env, bench.WithKey(results, "gap", "1ms"))
	}})
}

func scenarios(ctx context.Context, s *session) error {
	l, done, err := s.lineup(ctx, "libgomp")
	if err != nil {
		return err
	}
	defer done()
	s.remark(l.Missing)
	cells := bench.Scenarios()
	if s.Quick {
		var some []bench.Scenario
		for i := 0; i < len(cells); i += 3 {
			some = append(some, cells[i])
		}
		cells = some
	}
	results, err := bench.RunScenarios(ctx, s.Options, cells, l.Running["libgomp"])
	if err != nil {
		return err
	}
	figures := figure{}
	for _, who := range []string{"goroutines", "libgomp"} {
		figures["-"+who] = func() (*bench.Figure, error) {
			return bench.PlotGrid("Parallel scenarios: time of "+who+" / time of ours", s.env, "tasks", "work of a task", "", bench.ScenarioGrid(results, who))
		}
	}
	return s.finish(results, func(w io.Writer) error { return bench.WriteScenarios(w, results) }, figures)
}

func roofline(ctx context.Context, s *session) error {
	results, err := bench.MeasureRoofline(ctx, s.Options, bench.Real[float64]())
	if err != nil {
		return err
	}
	return s.finish(results, nil, figure{"": func() (*bench.Figure, error) { return bench.PlotRoofline(s.env, bench.RooflineOf(results)) }})
}

func peersTable(ctx context.Context, s *session) error {
	l, done, err := s.lineup(ctx)
	if err != nil {
		return err
	}
	defer done()
	results, err := bench.Peers(ctx, s.Options, l)
	if err != nil {
		return err
	}
	return s.finish(results, func(w io.Writer) error { return bench.WritePeers(w, results, l.Missing) },
		figure{"": func() (*bench.Figure, error) { return bench.PlotPeers(s.env, results) }})
}
