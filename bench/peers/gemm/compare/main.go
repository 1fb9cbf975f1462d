// Command compare measures kernels.BLAS beside gonum's BLAS and OpenBLAS, which take turns in one run.
//
//	go run ./bench/peers/gemm/compare [-ops dgemm,sgemm] [-n 64,256,1024,2048] [-workers 1,2] [-turns 7]
//
// It prints, for each routine, number of workers and size, each side's median speed, and how many times faster we are: the median over
// the turns, with its quartiles. Speeds are in GFLOP/s for gemm and getrf, and in GB/s of the operands, each read and written once as the
// routine's definition says, for levels 1 and 2. gonum runs with GOMAXPROCS set to the number of workers, and stays out of sizes above
// -most, where it takes long. Without OpenBLAS (apt-get install libopenblas-pthread-dev) its column is empty.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/numateam/numateam/asm"
	"github.com/numateam/numateam/bench"
	"github.com/numateam/numateam/bench/peers"
	"github.com/numateam/numateam/kernels"
	"github.com/numateam/numateam/team"
	"gonum.org/v1/gonum/blas/gonum"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, os.Stdout, os.Args[1:])
	switch {
	case errors.Is(err, errFlag):
		os.Exit(2)
	case err != nil && !errors.Is(err, flag.ErrHelp):
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

var errFlag = errors.New("bad flag")

func run(ctx context.Context, out io.Writer, args []string) error {
	flags := flag.NewFlagSet("compare", flag.ContinueOnError)
	ops := flags.String("ops", "dgemm,sgemm", "routines to measure, or all")
	sizes := flags.String("n", "64,256,1024,2048", "sizes")
	widths := flags.String("workers", "1", "numbers of workers")
	turns := flags.Int("turns", 7, "turns of each side")
	most := flags.Int("most", 1024, "greatest size of a matrix for gonum")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return err
		}
		return errFlag
	}
	openblas, err := startOpenBLAS(ctx)
	if err != nil {
		fmt.Fprintln(out, "without OpenBLAS:", err)
	} else {
		defer openblas.Close()
		fmt.Fprintln(out, openblas.Name)
	}
	fmt.Fprintf(out, "numateam on %v, %s\n", asm.Active(), runtime.Version())
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	defer table.Flush()
	fmt.Fprintln(table, "routine\tworkers\tn\tgonum\tOpenBLAS\tours\t/gonum\t/OpenBLAS\tquartiles\t")
	if *ops == "all" {
		*ops = allRoutines
	}
	for op := range strings.SplitSeq(*ops, ",") {
		r, err := find(op)
		if err != nil {
			return err
		}
		for w := range strings.SplitSeq(*widths, ",") {
			workers, err := strconv.Atoi(w)
			if err != nil {
				return err
			}
			for size := range strings.SplitSeq(*sizes, ",") {
				n, err := strconv.Atoi(size)
				if err != nil {
					return err
				}
				line, err := compare(ctx, r, n, workers, *turns, r.matrix && n > *most, openblas)
				if err != nil {
					return err
				}
				fmt.Fprintf(table, "%s\t%d\t%d\t%s\n", op, workers, n, line)
				if workers > 1 || n > 1000 {
					table.Flush()
				}
			}
		}
	}
	return nil
}

// startOpenBLAS builds and starts the peer, with OpenBLAS's own choice of kernel and sizes.
func startOpenBLAS(ctx context.Context) (*peers.Peer, error) {
	for _, name := range []string{"OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"} {
		os.Unsetenv(name)
	}
	dir, err := os.MkdirTemp("", "gemm")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	exe, err := peers.Program{
		Name: "OpenBLAS", Source: "gemm/gemm.c", Compiler: []string{"gcc", "clang"},
		Flags: []string{"-O2"}, Libs: []string{"-lopenblas", "-lm"}, Debian: "gcc libopenblas-pthread-dev",
	}.Build(ctx, dir)
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
