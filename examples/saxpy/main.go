// Saxpy runs y += a*x over two large arrays, the loop whose speed is the
// memory's and nobody else's.
//
// What to look at, in this order:
//
//   - The team: one pinned worker per core; "-placement numa" spreads them over
//     the nodes, "-workers 1" shows what one core gets.
//   - The two lines that place the arrays: team.Make puts each worker's part of
//     an array on that worker's own node, and the kernels hand each worker the
//     part that lies there. Nothing else in the program knows about nodes.
//   - The figures: fill moves 4 bytes per element (1 store), saxpy 12 (2 loads,
//     1 store), both verified. GB/s is 10^9 bytes per second. On one node
//     they should be what STREAM gives there; on several, their sum.
//   - The locality: the share of pages that lie on their owner's node.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"github.com/numateam/numateam/asm"
	"github.com/numateam/numateam/bench/cli"
	"github.com/numateam/numateam/bench/mem"
	"github.com/numateam/numateam/kernels"
	"github.com/numateam/numateam/numa"
	"github.com/numateam/numateam/team"
)

const (
	about = `Runs y += a*x over two owner-placed float32 arrays and prints what memory gives.`

	elemBytes   = 4
	repetitions = 10
	a           = 0.5 // x is 1, y starts at 2: all sums are exact
)

// result is the object that -json prints.
type result struct {
	N               int            `json:"n"`
	ElemBytes       int            `json:"elem_bytes"`
	Workers         int            `json:"workers"`
	Placement       team.Placement `json:"placement"`
	Schedule        team.Schedule  `json:"schedule"`
	Nodes           int            `json:"nodes"`
	FillGBps        float64        `json:"fill_gbps"`
	SaxpyGBps       float64        `json:"saxpy_gbps"`
	SaxpyGBpsMedian float64        `json:"saxpy_gbps_median"`
	Locality        float64        `json:"locality"` // 0..1
	Verified        bool           `json:"verified"`
}

func main() { cli.Main("saxpy", run) }

func run(ctx context.Context, args []string, o cli.IO) error {
	f := flag.NewFlagSet("saxpy", flag.ContinueOnError)
	n := f.Int("n", 1<<28, "elements of each array; fewer where two arrays would take over a third of the memory")
	options := team.Options{Placement: team.NUMA, Schedule: team.Auto}
	f.TextVar(&options.Placement, "placement", options.Placement, "where workers sit: numa, cores, threads or unpinned")
	f.TextVar(&options.Schedule, "schedule", options.Schedule, "static, steal or auto")
	f.IntVar(&options.Workers, "workers", 0, "how many workers; 0: one per core that we may use")
	verify := f.Bool("verify", true, "check every element of the result")
	asJSON := f.Bool("json", false, "print one JSON object instead of text")
	if err := cli.Parse(f, args, o, about); err != nil {
		return err
	}
	if *n < 1 || options.Workers < 0 {
		return cli.Usagef("-n must be at least 1 and -workers at least 0")
	}
	if fits := int(min(mem.Available()/3/(2*elemBytes), math.MaxInt)); *n > fits {
		fmt.Fprintf(o.Err, "saxpy: -n %d scaled down to %d: two arrays in a third of the memory available\n", *n, fits)
		*n = fits
	}
	say := o.Out
	if *asJSON {
		say = io.Discard
	}

	t, err := team.New(&options)
	if err != nil {
		return err
	}
	defer t.Close()
	x, err := team.Make[float32](t, *n)
	if err != nil {
		return err
	}
	defer x.Close()
	y, err := team.Make[float32](t, *n)
	if err != nil {
		return err
	}
	defer y.Close()
	introduce(say, t, *n)

	r := result{N: *n, ElemBytes: elemBytes, Workers: t.Size(), Placement: options.Placement,
		Schedule: options.Schedule, Nodes: len(t.Topology().Nodes)}

	// The first fill makes the system hand out the pages; only later ones tell
	// what the memory gives. It takes seconds, so it looks at ctx between chunks.
	start := time.Now()
	if err := errors.Join(firstFill(ctx, t, x.Slice(), 1), firstFill(ctx, t, y.Slice(), 2)); err != nil {
		return err
	}
	fmt.Fprintf(say, "first touch of both arrays: %v\n", time.Since(start).Round(10*time.Microsecond))
	fill, err := repeat(ctx, func() { kernels.Fill(t, y.Slice(), 2) })
	if err != nil {
		return err
	}
	saxpy, err := repeat(ctx, func() { kernels.Saxpy(t, a, x.Slice(), y.Slice()) })
	if err != nil {
		return err
	}
	r.FillGBps = gbps(*n, 1, fill[0])
	r.SaxpyGBps = gbps(*n, 3, saxpy[0])
	r.SaxpyGBpsMedian = gbps(*n, 3, saxpy[len(saxpy)/2])
	if r.Locality, err = locality(t, x, y); err != nil {
		fmt.Fprintf(o.Err, "saxpy: locality unknown: %v\n", err)
	}

	fmt.Fprintf(say, "fill   %8.2f GB/s best  %8.2f median\n", r.FillGBps, gbps(*n, 1, fill[len(fill)/2]))
	fmt.Fprintf(say, "saxpy  %8.2f GB/s best  %8.2f median\n", r.SaxpyGBps, r.SaxpyGBpsMedian)
	if err == nil {
		fmt.Fprintf(say, "locality %.1f %%: pages on the node of the worker that owns them\n", 100*r.Locality)
	}
	if *verify {
		want := float32(2 + a*repetitions)
		if i := firstWrong(t, y.Slice(), want); i >= 0 {
			return fmt.Errorf("wrong result: y[%d] = %v, want %v", i, y.Slice()[i], want)
		}
		r.Verified = true
		fmt.Fprintln(say, "verified")
	}
	if *asJSON {
		return json.NewEncoder(o.Out).Encode(r)
	}
	return nil
}

// introduce prints the machine and who works where.
func introduce(w io.Writer, t *team.Team, n int) {
	m := t.Topology()
	fmt.Fprintf(w, "machine: packages %d, cores %d, nodes %d, CPUs allowed %v, memory %s, %v\n",
		len(m.Packages), len(m.Cores), len(m.Nodes), m.Allowed, mem.Text(int64(m.Memory)), asm.Active())
	fmt.Fprintf(w, "arrays: 2 x %d float32, %s each\n", n, mem.Text(int64(n)*elemBytes))
	fmt.Fprint(w, t.Report())
}

// firstFill is kernels.Fill that ends early, between chunks, once ctx is done. Over
// tells the team whose part of the array is where, as the kernels do.
func firstFill(ctx context.Context, t *team.Team, x []float32, v float32) error {
	return t.With(team.Launch{Grain: 4096, Over: team.Over(x)}).ForContext(ctx, len(x), func(lo, hi int) {
		kernels.Fill(nil, x[lo:hi], v)
	})
}

// repeat runs f and returns the sorted times in seconds, best first.
func repeat(ctx context.Context, f func()) ([]float64, error) {
	var seconds []float64
	for range repetitions {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		start := time.Now()
		f()
		seconds = append(seconds, time.Since(start).Seconds())
	}
	slices.Sort(seconds)
	return seconds, nil
}

func gbps(n, streams int, seconds float64) float64 {
	return float64(n) * elemBytes * float64(streams) / seconds / 1e9
}

// locality returns the lower one of the two arrays.
func locality(t *team.Team, x, y *numa.Array[float32]) (float64, error) {
	lx, err := team.Locality(t, x.Slice())
	if err != nil {
		return 0, err
	}
	ly, err := team.Locality(t, y.Slice())
	return min(lx, ly), err
}

// firstWrong returns the first index whose element isn't want, or -1.
func firstWrong(t *team.Team, y []float32, want float32) int {
	var first atomic.Int64
	first.Store(math.MaxInt64)
	t.Launch(team.Launch{Grain: 4096, Over: team.Over(y)}, len(y), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if y[i] != want {
				for now := first.Load(); int64(i) < now && !first.CompareAndSwap(now, int64(i)); now = first.Load() {
				}
				return
			}
		}
	})
	if i := first.Load(); i < math.MaxInt64 {
		return int(i)
	}
	return -1
}
