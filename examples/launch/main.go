// Launch measures what starting parallel work costs in the situations that the
// team is made for, each beside its references in the same run.
//
// What to look at: p50 is what a launch costs, p99 and max what a program feels;
// "CPU s" is what all launches took, spinning included. Below each table stand
// the goals that the team was built to. The loaded case starts a busy process on
// every CPU: that's where runtimes that wait for all their threads fall behind.
//
// libgomp, libomp and oneTBB take part where they're installed; what's missing is
// said, with the packages to get.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"github.com/numateam/numateam/bench"
	"github.com/numateam/numateam/bench/cli"
	"github.com/numateam/numateam/team"
	"github.com/numateam/numateam/topology"
)

const about = "Measures the launches of a team beside goroutines, OpenMP and oneTBB."

func main() {
	bench.HogMain() // the busy processes are copies of this one
	cli.Main("launch", run)
}

func run(ctx context.Context, args []string, o cli.IO) error {
	f := flag.NewFlagSet("launch", flag.ContinueOnError)
	quick := f.Bool("quick", false, "a tenth of the launches: to see that it works, not how fast")
	asJSON := f.Bool("json", false, "print one JSON array of cases instead of text")
	if err := cli.Parse(f, args, o, about); err != nil {
		return err
	}
	m, err := topology.Detect()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "launch")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	lineup, err := bench.StartPeers(ctx, dir, "libgomp", "libomp", "oneTBB")
	if err != nil {
		return err
	}
	defer lineup.Close()
	for _, missing := range lineup.Missing {
		fmt.Fprintln(o.Err, "missing:", missing)
	}
	if !*asJSON {
		fmt.Fprintln(o.Out, bench.Describe(m))
	}
	options := bench.Options{Machine: m, Team: team.Options{Placement: team.Cores}, Quick: *quick}
	var cases []bench.Case
	err = bench.Launching(ctx, options, lineup.Running, func(c bench.Case) error {
		cases = append(cases, c)
		if *asJSON {
			return nil
		}
		return bench.WriteCase(o.Out, c)
	})
	if err != nil || !*asJSON {
		return err
	}
	return json.NewEncoder(o.Out).Encode(cases)
}
