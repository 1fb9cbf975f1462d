// Stream measures what this machine's memory gives to the loops of STREAM
// (https://www.cs.virginia.edu/stream), to axpy and to dot.
//
// What to look at: the medians beside the worst ones, which tell whether the
// machine was quiet; fill and copy, which use streaming stores beyond the caches
// and so don't read what they overwrite; and with -plot, bandwidth over sizes,
// with a step at each cache level.
//
//	go run ./examples/stream -plot out.svg
//
// The numabench command has the same and more, with peers to compare with.
package main

import (
	"context"
	"flag"
	"fmt"
	"path/filepath"

	"github.com/numateam/numateam/bench"
	"github.com/numateam/numateam/bench/cli"
	"github.com/numateam/numateam/team"
	"github.com/numateam/numateam/topology"
)

const about = "Measures the loops of STREAM, axpy and dot on owner-placed float64 arrays."

func main() { cli.Main("stream", run) }

func run(ctx context.Context, args []string, o cli.IO) error {
	f := flag.NewFlagSet("stream", flag.ContinueOnError)
	options := bench.Options{Team: team.Options{Placement: team.NUMA}}
	f.IntVar(&options.N, "n", 0, "elements of each array; 0: four times the last-level caches")
	f.IntVar(&options.Team.Workers, "workers", 0, "how many workers; 0: one per core that we may use")
	plot := f.String("plot", "", "also measure over sizes and draw them to this `file`, .svg or .png")
	asJSON := f.Bool("json", false, "print results as JSON instead of text")
	if err := cli.Parse(f, args, o, about); err != nil {
		return err
	}
	if options.N < 0 || options.Team.Workers < 0 {
		return cli.Usagef("-n and -workers must be at least 0")
	}
	if *plot != "" {
		if ext := filepath.Ext(*plot); ext != ".svg" && ext != ".png" {
			return cli.Usagef("-plot takes a file in .svg or .png, not %q", *plot)
		}
		if err := cli.Writable(*plot); err != nil {
			return err
		}
	}
	var err error
	if options.Machine, err = topology.Detect(); err != nil {
		return err
	}
	report := &bench.Report{Env: bench.Describe(options.Machine)}
	if report.Results, err = bench.Stream(ctx, options, bench.Real[float64]()); err != nil {
		return err
	}
	if *plot != "" {
		sizes, err := bench.Sweep(ctx, options, bench.Real[float64]())
		if err != nil {
			return err
		}
		figure, err := bench.PlotSweep(report.Env, bench.SweepSeries(sizes))
		if err != nil {
			return err
		}
		if err := figure.Save(*plot); err != nil {
			return err
		}
		report.Results = append(report.Results, sizes...)
	}
	if *asJSON {
		err = report.WriteJSON(o.Out)
	} else {
		fmt.Fprintf(o.Out, "%s\n\n", report.Env)
		err = report.WriteText(o.Out)
	}
	if err != nil {
		return err
	}
	return report.Err()
}
