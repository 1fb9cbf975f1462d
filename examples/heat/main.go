// Heat finds the steady temperatures of a plate: a real solver in small, with the
// parts that most have.
//
// The plate's upper edge is hot, the others are cold, and a hot disc lies in its
// middle. Each step makes every other cell the mean of itself and its four
// neighbours (Jacobi's method, damped by 4/5), from one grid into another; it ends
// when no cell changes by more than the tolerance.
//
// What to look at:
//
//   - The grids are placed by team.Make, each worker's rows on its own node, and
//     launches go over rows by Over, so that whoever owns a row's pages works on it.
//   - The largest change comes from team.Reduce, whose result doesn't depend on
//     how many workers there are: neither does the number of steps, nor any bit of
//     the result, which is compared with the serial loop's.
//   - The bodies are made once, not per step: a launch allocates nothing.
//   - The picture: on the terminal, and with -out as a PNG.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"time"
	"unsafe"

	"github.com/numateam/numateam/bench/cli"
	"github.com/numateam/numateam/team"
)

const about = "Solves for the steady temperatures of a plate, on a team and serially."

// result is the object that -json prints.
type result struct {
	Size     int     `json:"size"`
	Workers  int     `json:"workers"`
	Steps    int     `json:"steps"`
	Change   float64 `json:"change"`
	Seconds  float64 `json:"seconds"`
	Serial   float64 `json:"serial_seconds"`
	GBps     float64 `json:"gbps"` // 1 load and 1 store of 8 bytes per cell and step
	Locality float64 `json:"locality"`
	Same     bool    `json:"same_bits_as_serial"`
}

func main() { cli.Main("heat", run) }

func run(ctx context.Context, args []string, o cli.IO) error {
	f := flag.NewFlagSet("heat", flag.ContinueOnError)
	size := f.Int("size", 512, "cells along each side")
	steps := f.Int("steps", 20000, "at most so many steps")
	tolerance := f.Float64("tolerance", 5e-5, "end when no cell changes by more; temperatures are from 0 to 1")
	workers := f.Int("workers", 0, "how many workers; 0: one per core that we may use")
	out := f.String("out", "", "write a picture to this PNG `file`")
	asJSON := f.Bool("json", false, "print one JSON object instead of text")
	if err := cli.Parse(f, args, o, about); err != nil {
		return err
	}
	if *size < 3 || *size > 1<<15 || *steps < 1 || !(*tolerance >= 0) || *workers < 0 {
		return cli.Usagef("-size must be from 3 to %d, -steps at least 1, -tolerance and -workers at least 0", 1<<15)
	}
	if *out != "" {
		if err := cli.Writable(*out); err != nil {
			return err
		}
	}
	t, err := team.New(&team.Options{Placement: team.NUMA, Workers: *workers})
	if err != nil {
		return err
	}
	defer t.Close()

	parallel, err := solve(ctx, t, *size, *steps, *tolerance)
	if err != nil {
		return err
	}
	defer parallel.close()
	serial, err := solve(ctx, nil, *size, *steps, *tolerance)
	if err != nil {
		return err
	}
	defer serial.close()

	r := result{Size: *size, Workers: t.Size(), Steps: parallel.steps, Change: parallel.change,
		Seconds: parallel.took.Seconds(), Serial: serial.took.Seconds(),
		GBps: 16 * float64(*size) * float64(*size) * float64(parallel.steps) / parallel.took.Seconds() / 1e9,
		Same: parallel.steps == serial.steps && firstDifference(parallel.now, serial.now) < 0,
	}
	if r.Locality, err = team.Locality(t, parallel.now); err != nil {
		fmt.Fprintf(o.Err, "heat: locality unknown: %v\n", err)
	}
	if *out != "" {
		if err := savePNG(*out, parallel.now, *size); err != nil {
			return err
		}
	}
	if *asJSON {
		err = json.NewEncoder(o.Out).Encode(r)
	} else {
		report(o.Out, r, t, parallel.now)
	}
	if err == nil && !r.Same {
		i := firstDifference(parallel.now, serial.now)
		err = fmt.Errorf("the team's result differs from the serial one: %d and %d steps, first at cell %d", parallel.steps, serial.steps, i)
	}
	return err
}

func report(w io.Writer, r result, t *team.Team, grid []float64) {
	fmt.Fprint(w, t.Report())
	draw(w, grid, r.Size)
	fmt.Fprintf(w, "%d x %d cells, %d steps, last change %.2g\n", r.Size, r.Size, r.Steps, r.Change)
	fmt.Fprintf(w, "team of %d: %.3f s, %.1f GB/s (1 load, 1 store per cell), locality %.1f %%\n", r.Workers, r.Seconds, r.GBps, 100*r.Locality)
	fmt.Fprintf(w, "serial:    %.3f s, %.2f times as long\n", r.Serial, r.Serial/r.Seconds)
	if r.Same {
		fmt.Fprintln(w, "same bits as the serial loop")
	}
}

// A plate is the two grids of a solution and how it was found.
type plate struct {
	now, next []float64 // size*size cells, by rows
	size      int
	disc      [][2]int // of each row, the cells that stay hot
	steps     int
	change    float64
	took      time.Duration
	close     func()
}

// solve runs the method on t; a nil team is the serial loop.
func solve(ctx context.Context, t *team.Team, size, steps int, tolerance float64) (*plate, error) {
	a, err := team.Make[float64](t, size*size)
	if err != nil {
		return nil, err
	}
	b, err := team.Make[float64](t, size*size)
	if err != nil {
		a.Close()
		return nil, err
	}
	p := &plate{now: a.Slice(), next: b.Slice(), size: size, disc: disc(size), close: func() { a.Close(); b.Close() }}

	// Index i of a launch is row i, whose memory begins at Base + i*Stride: so the
	// team knows whose rows they are.
	rows := t.With(team.Launch{Over: team.Span{Base: unsafe.Pointer(&p.now[0]), Stride: uintptr(size) * 8}})
	rows.For(size, p.start)
	step := func(lo, hi int) float64 { return p.step(lo, hi) }
	begin := time.Now()
	for p.steps < steps && (p.steps == 0 || p.change > tolerance) {
		if err := ctx.Err(); err != nil {
			p.close()
			return nil, err
		}
		p.change = team.Reduce(rows, size, 0, step, math.Max)
		p.now, p.next = p.next, p.now
		p.steps++
	}
	p.took = time.Since(begin)
	return p, nil
}

// start sets both grids' rows: a hot upper edge and disc, all else cold.
func (p *plate) start(lo, hi int) {
	for y := lo; y < hi; y++ {
		for x := range p.size {
			v := 0.0
			if y == 0 || p.disc[y][0] <= x && x < p.disc[y][1] {
				v = 1
			}
			p.now[y*p.size+x], p.next[y*p.size+x] = v, v
		}
	}
}

// disc returns the cells of each row, from the first to before the last, that
// belong to a disc of an eighth of the plate's width.
func disc(size int) [][2]int {
	rows := make([][2]int, size)
	middle, radius := float64(size-1)/2, float64(size)/16
	for y := range rows {
		half := radius*radius - (float64(y)-middle)*(float64(y)-middle)
		if half > 0 {
			half = math.Sqrt(half)
			rows[y] = [2]int{int(middle - half), int(middle+half) + 1}
		}
	}
	return rows
}

// step makes rows [lo, hi) of the next grid, but for the edges and the disc, and
// returns their largest change.
func (p *plate) step(lo, hi int) float64 {
	n, change := p.size, 0.0
	for y := max(lo, 1); y < min(hi, n-1); y++ {
		if left, right := p.disc[y][0], p.disc[y][1]; left < right {
			change = p.cells(y, 1, left, change)
			change = p.cells(y, right, n-1, change)
		} else {
			change = p.cells(y, 1, n-1, change)
		}
	}
	return change
}

// cells makes the cells [from, to) of a row and returns the largest of their
// changes and of change.
func (p *plate) cells(y, from, to int, change float64) float64 {
	n, k := p.size, to-from
	next := p.next[y*n+from:][:k]
	above, below := p.now[(y-1)*n+from:][:k], p.now[(y+1)*n+from:][:k]
	left, here, right := p.now[y*n+from-1:][:k], p.now[y*n+from:][:k], p.now[y*n+from+1:][:k]
	for x := range next {
		v := 0.2 * (here[x] + ((above[x] + below[x]) + (left[x] + right[x])))
		next[x] = v
		if d := v - here[x]; d > change {
			change = d
		} else if -d > change {
			change = -d
		}
	}
	return change
}
