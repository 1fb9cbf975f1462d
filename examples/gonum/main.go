// Command gonum runs a program that knows gonum alone: a least-squares fit and a power
// iteration on mat.Dense. It runs twice, with gonum's own BLAS and on a team, which takes
// two lines, and prints both times and the largest difference of the results.
//
//	go run ./examples/gonum [-rows 3000] [-cols 600] [-n 1500] [-steps 50] [-placement cores] [-workers 0] [-team=false]
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"time"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/gonum"
	"gonum.org/v1/gonum/mat"

	"github.com/numateam/numateam/bench/cli"
	"github.com/numateam/numateam/kernels"
	"github.com/numateam/numateam/team"
)

const about = `Runs a least-squares fit and a power iteration with gonum's BLAS, then on a team.`

func main() { cli.Main("gonum", run) }

func run(ctx context.Context, args []string, o cli.IO) error {
	const most = 1 << 15 // 8 GiB for a matrix
	flags := flag.NewFlagSet("gonum", flag.ContinueOnError)
	rows := flags.Int("rows", 3000, "observations of the fit")
	cols := flags.Int("cols", 600, "parameters of the fit")
	n := flags.Int("n", 1500, "order of the matrix for the power iteration")
	steps := flags.Int("steps", 50, "steps of the power iteration")
	workers := flags.Int("workers", 0, "workers of the team; 0: as many as suit the machine")
	withTeam := flags.Bool("team", true, "run on a team too")
	var placement team.Placement
	flags.TextVar(&placement, "placement", team.Cores, "where the workers sit: cores, numa, threads or unpinned")
	if err := cli.Parse(flags, args, o, about); err != nil {
		return err
	}
	if *cols < 1 || *rows < *cols || *rows > most || *n < 1 || *n > most || *steps < 1 || *workers < 0 {
		return cli.Usagef("-cols must be from 1 to -rows, -rows and -n at most %d, -n and -steps at least 1, -workers at least 0", most)
	}
	random := rand.New(rand.NewPCG(1, 2))
	a, b := dense(random, *rows, *cols), dense(random, *rows, 1)
	m := dense(random, *n, *n)

	own, err := compute(ctx, a, b, m, *steps)
	if err != nil {
		return err
	}
	own.print(o.Out, "gonum")
	if !*withTeam {
		return nil
	}

	t, err := team.New(&team.Options{Placement: placement, Workers: *workers})
	if err != nil {
		return err
	}
	defer t.Close()
	blas64.Use(kernels.BLAS{Team: t})
	defer blas64.Use(gonum.Implementation{})
	ours, err := compute(ctx, a, b, m, *steps)
	if err != nil {
		return err
	}
	ours.print(o.Out, fmt.Sprintf("team of %d", t.Size()))
	fmt.Fprintf(o.Out, "largest difference: fit %.2g, eigenvalue %.2g\n",
		difference(own.fit, ours.fit), math.Abs(own.eigenvalue-ours.eigenvalue))
	return nil
}

// A result is what one run computed, and how long it took.
type result struct {
	fit               *mat.Dense
	eigenvalue        float64
	fitTime, iterTime time.Duration
}

func (r result) print(out io.Writer, name string) {
	fmt.Fprintf(out, "%-12s least squares %8.1f ms   power iteration %8.1f ms\n", name,
		r.fitTime.Seconds()*1e3, r.iterTime.Seconds()*1e3)
}

// compute is the program: nothing in it knows of a team.
func compute(ctx context.Context, a, b, m *mat.Dense, steps int) (r result, err error) {
	start := time.Now()
	r.fit = new(mat.Dense)
	if err := r.fit.Solve(a, b); err != nil { // min ||a*x - b||
		return r, err
	}
	r.fitTime = time.Since(start)

	start = time.Now()
	var gram mat.Dense
	gram.Mul(m.T(), m) // its greatest eigenvalue is the square of m's norm
	n, _ := m.Dims()
	x, y := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
	for i := range n {
		x.SetVec(i, 1/math.Sqrt(float64(n)))
	}
	for range steps {
		if err := ctx.Err(); err != nil {
			return r, err
		}
		y.MulVec(&gram, x)
		r.eigenvalue = mat.Norm(y, 2)
		x.ScaleVec(1/r.eigenvalue, y)
	}
	r.iterTime = time.Since(start)
	return r, nil
}

func dense(random *rand.Rand, rows, cols int) *mat.Dense {
	x := make([]float64, rows*cols)
	for i := range x {
		x[i] = random.NormFloat64()
	}
	return mat.NewDense(rows, cols, x)
}

// difference returns the largest difference between elements of a and b.
func difference(a, b *mat.Dense) float64 {
	var d mat.Dense
	d.Sub(a, b)
	return max(mat.Max(&d), -mat.Min(&d))
}
