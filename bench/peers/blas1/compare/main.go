// Command compare measures the BLAS-1 kernels on one thread beside OpenBLAS, loops compiled by
// gcc -O3 -march=native, and gonum, which take turns in one run, on the same operands in memory that
// both processes have mapped. With -all, OpenBLAS and we have all CPUs.
//
//	go run ./bench/peers/blas1/compare [-n 1000,10000,1000000] [-only float32] [-turns 9] [-all]
//	go run ./bench/peers/blas1/compare -accuracy 134217728
//
// It prints, for each kernel, type and length, the median nanoseconds of one call of each side,
// how many times faster than the best peer we are, and the quartiles of that over the turns.
// With -accuracy it prints each side's relative errors of float32 sums and dot products.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
	"unsafe"

	"github.com/numateam/numateam/asm"
	"github.com/numateam/numateam/bench"
	"github.com/numateam/numateam/bench/peers"
	"github.com/numateam/numateam/kernels"
	"github.com/numateam/numateam/team"
	"gonum.org/v1/gonum/blas/gonum"
)

func main() {
	sizes := flag.String("n", "1000,10000,1000000,10000000", "lengths")
	only := flag.String("only", "", "only kernels whose name and type hold this, such as \"dot\" or \"float32\"")
	turns := flag.Int("turns", 9, "turns of each side")
	all := flag.Bool("all", false, "OpenBLAS and we on all CPUs")
	pairs := flag.Int("accuracy", 0, "measure the errors over this many random pairs instead")
	flag.Parse()
	if err := run(context.Background(), os.Stdout, *sizes, *only, *turns, *all, *pairs); err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer, sizes, only string, turns int, all bool, pairs int) error {
	for _, name := range []string{"OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"} { // OpenBLAS's own choice
		os.Unsetenv(name)
	}
	dir, err := os.MkdirTemp("", "blas1")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	exe, err := peers.Program{
		Name: "OpenBLAS", Source: "blas1/blas1.c", Compiler: []string{"gcc"}, Flags: []string{"-O3", "-march=native", "-fopenmp-simd"},
		Libs: []string{"-lopenblas", "-lm"}, Debian: "gcc libopenblas-pthread-dev",
	}.Build(ctx, dir)
	if err != nil {
		return err
	}
	peer, err := peers.Start(ctx, exe)
	if err != nil {
		return err
	}
	defer peer.Close()
	if pairs > 0 {
		return accuracy(out, peer, pairs)
	}
	openblas, t := "openblas", (*team.Team)(nil)
	if all {
		openblas = "openblas-all"
		if t, err = team.New(nil); err != nil {
			return err
		}
		defer t.Close()
	}
	fmt.Fprintf(out, "%s, numateam on %v, %s\n", peer.Name, asm.Active(), runtime.Version())
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "ns per call\tn\tOpenBLAS\tgcc\tgonum\tours\tours/best\tquartiles\t")
	for size := range strings.SplitSeq(sizes, ",") {
		n, err := strconv.Atoi(size)
		if err != nil {
			return err
		}
		mem, err := newShared(2*8*n + 3*4096)
		if err != nil {
			return err
		}
		for _, r := range append(rivals32(t, mem, n), rivals64(t, mem, n)...) {
			if !strings.Contains(r.name, only) {
				continue
			}
			if err = compare(ctx, table, peer, openblas, mem.file, r, n, turns); err != nil {
				break
			}
		}
		if err := errors.Join(err, mem.close(), table.Flush()); err != nil {
			return err
		}
	}
	return nil
}

// accuracy writes each side's relative errors of asum and dot over n pairs of random float32 in
// [0, 1), which are those of the peer.
func accuracy(out io.Writer, peer *peers.Peer, n int) error {
	x, y := make([]float32, n), make([]float32, n)
	state, sum, dot := uint64(1), 0.0, 0.0
	next := func() float32 {
		state ^= state << 13
		state ^= state >> 7
		state ^= state << 17
		return float32(state>>40) / (1 << 24)
	}
	for i := range x {
		x[i], y[i] = next(), next()
		sum += float64(x[i])
		dot += float64(x[i]) * float64(y[i])
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "relative error\tasum\tdot\t")
	for _, who := range []string{"openblas", "gcc"} {
		errs, err := peer.Run(fmt.Sprintf("%s accuracy %d", who, n))
		if err != nil {
			return err
		}
		fmt.Fprintf(table, "%s\t%.1e\t%.1e\t\n", who, errs[0], errs[1])
	}
	var g gonum.Implementation
	for _, side := range []struct {
		name      string
		asum, dot float32
	}{
		{"gonum", g.Sasum(n, x, 1), g.Sdot(n, x, 1, y, 1)},
		{"ours", kernels.Asum(nil, x), kernels.Dot(nil, x, y)},
	} {
		fmt.Fprintf(table, "%s\t%.1e\t%.1e\t\n", side.name, math.Abs(float64(side.asum)/sum-1),
			math.Abs(float64(side.dot)/dot-1))
	}
	return table.Flush()
}

// A rival is one kernel, as calls in a row of ours and of gonum's: the loop is here, as the
// peer's is in C, so that no side pays for a call through a function value.
type rival struct {
	name        string
	ours, gonum func(calls int)
}

func rivals32(t *team.Team, mem *shared, n int) []rival {
	var g gonum.Implementation
	x, y := operands[float32](mem, n)
	return []rival{
		{"axpy float32", func(calls int) {
			for range calls {
				kernels.Axpy(t, 1e-6, x, y)
			}
		}, func(calls int) {
			for range calls {
				g.Saxpy(n, 1e-6, x, 1, y, 1)
			}
		}},
		{"scale float32", func(calls int) {
			for range calls {
				kernels.Scale(t, y, -1, y)
			}
		}, func(calls int) {
			for range calls {
				g.Sscal(n, -1, y, 1)
			}
		}},
		{"dot float32", func(calls int) {
			for range calls {
				kernels.Dot(t, x, y)
			}
		}, func(calls int) {
			for range calls {
				g.Sdot(n, x, 1, y, 1)
			}
		}},
		{"asum float32", func(calls int) {
			for range calls {
				kernels.Asum(t, x)
			}
		}, func(calls int) {
			for range calls {
				g.Sasum(n, x, 1)
			}
		}},
	}
}

func rivals64(t *team.Team, mem *shared, n int) []rival {
	var g gonum.Implementation
	x, y := operands[float64](mem, n)
	return []rival{
		{"axpy float64", func(calls int) {
			for range calls {
				kernels.Axpy(t, 1e-6, x, y)
			}
		}, func(calls int) {
			for range calls {
				g.Daxpy(n, 1e-6, x, 1, y, 1)
			}
		}},
		{"scale float64", func(calls int) {
			for range calls {
				kernels.Scale(t, y, -1, y)
			}
		}, func(calls int) {
			for range calls {
				g.Dscal(n, -1, y, 1)
			}
		}},
		{"dot float64", func(calls int) {
			for range calls {
				kernels.Dot(t, x, y)
			}
		}, func(calls int) {
			for range calls {
				g.Ddot(n, x, 1, y, 1)
			}
		}},
		{"asum float64", func(calls int) {
			for range calls {
				kernels.Asum(t, x)
			}
		}, func(calls int) {
			for range calls {
				g.Dasum(n, x, 1)
			}
		}},
	}
}

// compare measures one kernel at one length and writes its line.
func compare(ctx context.Context, table io.Writer, peer *peers.Peer, openblas, file string, r rival, n, turns int) error {
	// Many short samples: what else runs on the machine then spoils some, and not their median.
	calls, reps := max(1, 500_000/max(n, 100)), 5
	if n <= 100_000 {
		reps = 40
	} else if n > 50_000_000 {
		reps = 2
	}
	request := func(who string) func(context.Context) ([]float64, error) {
		return func(context.Context) ([]float64, error) {
			return peer.Run(fmt.Sprintf("%s %s %d %d %d %s", who, r.name, n, calls, reps, file))
		}
	}
	local := func(f func(calls int)) func(context.Context) ([]float64, error) {
		return func(context.Context) ([]float64, error) {
			// For some milliseconds after the wait for the peer, the runtime's monitor and this
			// thread disturb each other.
			for start := time.Now(); time.Since(start) < 10*time.Millisecond; {
				f(calls)
			}
			seconds := make([]float64, reps)
			for i := range seconds {
				start := time.Now()
				f(calls)
				seconds[i] = time.Since(start).Seconds() / float64(calls)
			}
			return seconds, nil
		}
	}
	samples, err := bench.Alternate(ctx, turns, []bench.Contender{
		{Name: "OpenBLAS", Run: request(openblas)},
		{Name: "gcc", Run: request("gcc")},
		{Name: "gonum", Run: local(r.gonum)},
		{Name: "numateam", Run: local(r.ours)},
	})
	if err != nil {
		return err
	}
	best, medians := 0, make([]float64, len(samples))
	for i, turns := range samples {
		var all []float64
		for _, s := range turns {
			all = append(all, bench.Median(s))
		}
		medians[i] = bench.Median(all)
		if i < 3 && medians[i] < medians[best] {
			best = i
		}
	}
	ratio := bench.Ratio(samples[best], samples[3])
	fmt.Fprintf(table, "%s\t%d\t", r.name, n)
	for _, m := range medians {
		fmt.Fprintf(table, "%.4g\t", 1e9*m)
	}
	_, err = fmt.Fprintf(table, "%.2f\t%.2f-%.2f\t\n", ratio.Median, ratio.Low, ratio.High)
	return err
}

// operands returns n elements at 64 and n at 192 modulo 4,096, the peer's x and y. It sets them for each request.
func operands[T float32 | float64](mem *shared, n int) (x, y []T) {
	at := func(offset int) []T { return unsafe.Slice((*T)(unsafe.Pointer(&mem.bytes[offset])), n) }
	return at(64), at((64+n*int(unsafe.Sizeof(x[0]))+4095)/4096*4096 + 192)
}
