// Hybrid shows who takes part in a launch on a machine with fast and slow cores.
//
// A slow core that takes one task of a small loop makes everybody wait for it: 8
// equal tasks on 4 fast cores and 4 that are 4 times slower take 4 turns if all
// cores take one, and 2 if the fast ones take two each. The team lets slow cores
// in only where that ends the loop sooner.
//
// What to look at: the columns of participants, and the turns measured beside the
// best that any assignment could reach, those of the fast cores alone, and those
// of tasks dealt out evenly. Slow cores come in at 17 tasks, not at 5.
//
//	go run ./examples/hybrid -machine "core:2:1024 + core:8:512"
//
// On a machine that is hybrid its own classes are shown; on others it's simulated:
// a task sleeps for as long as its worker's class is slow.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"slices"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"github.com/numateam/numateam/bench/cli"
	"github.com/numateam/numateam/team"
	"github.com/numateam/numateam/topology"
)

const (
	about     = "Shows which cores take part in launches of few tasks on a hybrid machine."
	simulated = "core:4:1024 + core:4:256"
)

// row is what came of one number of tasks.
type row struct {
	Tasks     int     `json:"tasks"`
	Fast      int     `json:"fast"` // workers of the fastest class that ran a task
	Slow      int     `json:"slow"`
	Turns     float64 `json:"turns"` // of a fast core's task
	Best      float64 `json:"best"`
	FastOnly  float64 `json:"fast_only"`
	OnePerCPU float64 `json:"one_per_core"`
}

func main() { cli.Main("hybrid", run) }

func run(ctx context.Context, args []string, o cli.IO) error {
	f := flag.NewFlagSet("hybrid", flag.ContinueOnError)
	description := f.String("machine", "", "`description` of the machine to simulate, as topology.Parse reads it")
	schedule := team.Static
	f.TextVar(&schedule, "schedule", schedule, "static, steal or auto")
	most := f.Int("tasks", 20, "up to how many tasks")
	turn := f.Duration("turn", 20*time.Millisecond, "how long a fast core's task takes")
	asJSON := f.Bool("json", false, "print one JSON array instead of text")
	if err := cli.Parse(f, args, o, about); err != nil {
		return err
	}
	if *most < 1 || *turn <= 0 {
		return cli.Usagef("-tasks must be at least 1 and -turn above 0")
	}
	m, err := choose(*description)
	if err != nil {
		return err
	}
	cores := m.Cores
	t, err := team.New(&team.Options{Topology: m, Workers: len(cores), Placement: team.Cores, Schedule: schedule})
	if err != nil {
		return err
	}
	defer t.Close()
	var costs []float64 // of each core's task, in turns
	for _, core := range cores {
		for cpu := range core.CPUs.All() {
			costs = append(costs, 1024/float64(m.Capacity(cpu)))
			break
		}
	}
	slices.Sort(costs) // worker i sits on the i-th fastest core

	var rows []row
	for n := 1; n <= *most; n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		rows = append(rows, launch(t, n, *turn, costs))
	}
	if *asJSON {
		return json.NewEncoder(o.Out).Encode(rows)
	}
	fmt.Fprint(o.Out, t.Report())
	fmt.Fprintf(o.Out, `
Launches of equal tasks: how many fast and slow cores ran some, and how many turns
of %v, a fast core's time for a task, it took. Beside it the best there is, the
fast cores alone, and tasks dealt out evenly.

`, *turn)
	w := tabwriter.NewWriter(o.Out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "tasks\tfast cores\tslow cores\tturns\tbest\tfast alone\tdealt out\t")
	for _, r := range rows {
		fmt.Fprintf(w, "%d\t%d\t%d\t%.2f\t%g\t%g\t%g\t\n", r.Tasks, r.Fast, r.Slow, r.Turns, r.Best, r.FastOnly, r.OnePerCPU)
	}
	return w.Flush()
}

// choose returns the machine described or, without a description, this one if
// it's hybrid and a simulated one otherwise.
func choose(description string) (*topology.Machine, error) {
	if description == "" {
		m, err := topology.Detect()
		if err != nil || len(m.Classes) > 1 {
			return m, err
		}
		description = simulated
	}
	m, err := topology.Parse(description)
	if err != nil {
		return nil, cli.UsageError{Err: err}
	}
	return m, nil
}

// launch runs n equal tasks and notes who took part and how long it took.
func launch(t *team.Team, n int, turn time.Duration, costs []float64) row {
	ran := make([]atomic.Int32, t.Size())
	start := time.Now()
	t.ForWorker(n, func(w *team.Worker, lo, hi int) {
		for range hi - lo {
			ran[w.ID()].Add(1)
			time.Sleep(time.Duration(float64(turn) * costs[w.ID()]))
		}
	})
	r := row{Tasks: n, Turns: float64(time.Since(start)) / float64(turn)}
	for i := range ran {
		switch {
		case ran[i].Load() == 0:
		case costs[i] == 1:
			r.Fast++
		default:
			r.Slow++
		}
	}
	r.Best, r.FastOnly, r.OnePerCPU = references(n, costs)
	return r
}

// references returns, in turns, the best time for n equal tasks, that of the fast
// cores alone, and that of tasks dealt out evenly over all cores.
func references(n int, costs []float64) (best, fastOnly, even float64) {
	fast := 0
	for _, c := range costs {
		if c == 1 {
			fast++
		}
	}
	fastOnly = math.Ceil(float64(n) / float64(fast))
	best = math.Inf(1)
	// The best time is a whole number of some core's tasks.
	for i, c := range costs {
		share := n / len(costs)
		if i < n%len(costs) {
			share++
		}
		even = max(even, float64(share)*c)
		for k := 1; k <= n; k++ {
			done, t := 0, float64(k)*c
			for _, other := range costs {
				done += int(t/other + 1e-9)
			}
			if done >= n {
				best = min(best, t)
				break
			}
		}
	}
	return best, fastOnly, even
}
