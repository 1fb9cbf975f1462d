// Command compare measures kernels.BLAS beside gonum's BLAS and OpenBLAS, which take turns in
// one run.
//
//	go run ./bench/peers/gemm/compare [-ops dgemm,sgemm] [-n 64,256,1024,2048] [-workers 1,2] [-turns 7]
//
// It prints, for each routine, number of workers and size, each side's median speed, and how
// many times faster we are: the median over the turns, with its quartiles. Speeds are in
// GFLOP/s for gemm and getrf, and in GB/s of the operands, each read and written once as the
// routine's definition says, for levels 1 and 2. gonum runs with GOMAXPROCS set to the number
// of workers, and stays out of sizes above -most, where it takes long. OpenBLAS chooses its
// kernel itself; without it (apt-get install libopenblas-pthread-dev) its column is empty.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"text/tabwriter"

	"gonum.org/v1/gonum/blas/gonum"

	"github.com/numateam/numateam/asm"
	"github.com/numateam/numateam/bench"
	"github.com/numateam/numateam/bench/cli"
	"github.com/numateam/numateam/bench/peers"
	"github.com/numateam/numateam/kernels"
	"github.com/numateam/numateam/team"
)

const about = `Measures kernels.BLAS beside gonum's BLAS and OpenBLAS, taking turns.`

func main() { cli.Main("compare", run) }

func run(ctx context.Context, args []string, o cli.IO) error {
	flags := flag.NewFlagSet("compare", flag.ContinueOnError)
	ops := flags.String("ops", "dgemm,sgemm", "routines to measure: all, or some of "+allRoutines)
	sizes := numbers{64, 256, 1024, 2048}
	widths := numbers{1}
	flags.Var(&sizes, "n", "sizes")
	flags.Var(&widths, "workers", "numbers of workers")
	turns := flags.Int("turns", 7, "turns of each side")
	most := flags.Int("most", 1024, "greatest size of a matrix for gonum")
	if err := cli.Parse(flags, args, o, about); err != nil {
		return err
	}
	if *turns < 1 {
		return cli.Usagef("-turns must be at least 1")
	}
	if *ops == "all" {
		*ops = allRoutines
	}
	var chosen []routine
	for op := range strings.SplitSeq(*ops, ",") {
		r, err := find(op)
		if err != nil {
			return cli.UsageError{Err: err}
		}
		chosen = append(chosen, r)
	}
	openblas, err := startOpenBLAS(ctx)
	if err != nil {
		fmt.Fprintln(o.Out, "without OpenBLAS:", err)
	} else {
		defer openblas.Close()
		fmt.Fprintln(o.Out, openblas.Name)
	}
	fmt.Fprintf(o.Out, "numateam on %v, %s\n", asm.Active(), runtime.Version())
	table := tabwriter.NewWriter(o.Out, 0, 0, 2, ' ', tabwriter.AlignRight)
	defer table.Flush()
	fmt.Fprintln(table, "routine\tworkers\tn\tgonum\tOpenBLAS\tours\t/gonum\t/OpenBLAS\tquartiles\t")
	for _, r := range chosen {
		for _, workers := range widths {
			for _, n := range sizes {
				line, err := compare(ctx, r, n, workers, *turns, r.matrix && n > *most, openblas)
				if err != nil {
					return err
				}
				fmt.Fprintf(table, "%s\t%d\t%d\t%s\n", r.name, workers, n, line)
			}
		}
	}
	return nil
}

// numbers is a flag: positive numbers with commas between.
type numbers []int

func (n *numbers) String() string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(*n), " ", ","), "[]")
}

func (n *numbers) Set(list string) error {
	*n = nil
	for word := range strings.SplitSeq(list, ",") {
		v, err := strconv.Atoi(word)
		if err != nil || v < 1 {
			return fmt.Errorf("%q isn't a positive number", word)
		}
		*n = append(*n, v)
	}
	return nil
}

// startOpenBLAS builds and starts the peer.
func startOpenBLAS(ctx context.Context) (*peers.Peer, error) {
	dir, err := os.MkdirTemp("", "gemm")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	program, _ := peers.Find("OpenBLAS")
	exe, err := program.Build(ctx, dir)
	if err != nil {
		return nil, err
	}
	return peers.Start(ctx, exe)
}

// compare measures one routine at one size and returns the rest of its line.
func compare(ctx context.Context, r routine, n, workers, turns int, noGonum bool, openblas *peers.Peer) (string, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	t, err := team.New(&team.Options{Workers: workers})
	if err != nil {
		return "", err
	}
	defer t.Close()
	reps := r.reps(n)
	ours := r.prepare(kernels.BLAS{Team: t}, n)
	sides := []bench.Contender{{Name: "numateam", Run: func(context.Context) ([]float64, error) { return measure(reps, ours), nil }}}
	if openblas != nil {
		request := fmt.Sprintf("%s %d %d %d", r.name, n, workers, reps)
		sides = append(sides, bench.Contender{Name: "OpenBLAS", Run: func(context.Context) ([]float64, error) { return openblas.Run(request) }})
	}
	if !noGonum {
		theirs := r.prepare(gonum.Implementation{}, n)
		sides = append(sides, bench.Contender{Name: "gonum", Run: func(context.Context) ([]float64, error) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(workers))
			return measure(min(reps, 20), theirs), nil
		}})
	}
	samples, err := bench.Alternate(ctx, turns, sides)
	if err != nil {
		return "", err
	}
	speed, ratio := map[string]string{}, map[string]bench.Spread{}
	for i, side := range sides {
		var medians []float64
		for _, s := range samples[i] {
			medians = append(medians, bench.Median(s))
		}
		speed[side.Name] = fmt.Sprintf("%.2f", r.work(n)/bench.Median(medians)*1e-9)
		ratio[side.Name] = bench.Ratio(samples[i], samples[0])
	}
	quotient := func(name string) (median, quartiles string) {
		if s, ok := ratio[name]; ok {
			return fmt.Sprintf("%.2f", s.Median), fmt.Sprintf("%.2f-%.2f", s.Low, s.High)
		}
		return "", ""
	}
	overGonum, _ := quotient("gonum")
	overOpenBLAS, quartiles := quotient("OpenBLAS")
	return strings.Join([]string{speed["gonum"], speed["OpenBLAS"], speed["numateam"], overGonum, overOpenBLAS, quartiles, ""}, "\t"), nil
}
