// Numabench measures this machine with numateam's kernels and teams, compares
// them with what else is installed, and draws the figures.
//
//	go run ./bench/numabench           explains
//	go run ./bench/numabench stream    bandwidth of each loop on arrays in memory
//	go run ./bench/numabench peers     ours beside libgomp, libomp, oneTBB, OpenBLAS, Halide, OpenCV
//
// What to look at: medians and spread rather than best figures, and the line
// about the machine above them, without which no figure means anything.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/numateam/numateam/bench"
	"github.com/numateam/numateam/bench/cli"
	"github.com/numateam/numateam/team"
	"github.com/numateam/numateam/topology"
)

func main() {
	bench.HogMain()
	cli.Main("numabench", run)
}

// A command is one thing that can be measured.
type command struct {
	name  string
	about string // one line
	help  string // what it measures and how to read it
	run   func(ctx context.Context, s *session) error
}

var commands = []command{
	{"stream", "bandwidth of each loop on arrays in memory",
		`Runs fill, copy, scale, add, triad, axpy and dot over arrays of four times the
last-level caches, each worker on the part that lies on its own node. GB/s
count what the loop says it loads and stores; a store that isn't streaming
also reads its line first, which isn't counted.`, stream},
	{"sweep", "bandwidth over sizes, through the cache levels",
		`Runs fill, copy and triad over sizes from 4 KiB per array to those of stream.
Look for the steps where all arrays together outgrow a level, marked in the
plot.`, sweep},
	{"scaling", "bandwidth over the number of workers",
		`Runs fill, copy and triad with one worker, two, and so on to all. Memory is
saturated where the lines turn flat: more workers help only cached work there.`, scaling},
	{"matrix", "each node's CPUs against each node's memory",
		`Triad with all workers of a node on memory bound to each node, and the latency
of dependent loads. The diagonal is local memory.`, matrix},
	{"launch", "time from launch to return of an empty loop",
		`Launches an empty body back to back and after gaps, beside goroutines with a
WaitGroup and the OpenMP and oneTBB that are installed. p50 is what a launch
costs, the tail is what a program feels; CPU s is what waiting cost.`, launch},
	{"scenarios", "144 parallel loops of all sizes, alone and contended",
		`Loops of 1 to 256 tasks of four sizes, arithmetic and reading 400 MB, launched
by one caller and by eight at once, beside one goroutine per worker and
libgomp. Ratios above 1: ours is faster. Takes some minutes; -quick takes 1, 8
and 64 tasks only.`, scenarios},
	{"roofline", "what bounds loops here: bandwidths and arithmetic, measured",
		`Triad in each cache level and in memory gives the slanted roofs, dgemm the
flat one; the other loops are the points below them.`, roofline},
	{"peers", "ours beside other libraries, in one alternating run",
		`Builds small C and C++ programs over the libraries that are installed, says
which are missing and how to get them, and lets ours and theirs take turns.`, peersTable},
	{"compare", "two result files, before and after",
		`numabench compare BEFORE.json AFTER.json: the change of each median with its
95 % interval; ~ marks changes that may be chance. Files come from -o.`, nil},
	{"record", "everything above into one directory, with plots",
		`numabench record DIR: runs every measurement and writes results as JSON, in
Go's benchmark format for benchstat, and as SVG and PNG.`, nil},
}

// A session is what every command gets: the machine, how to measure, where to.
type session struct {
	bench.Options
	env      bench.Env
	float32s bool
	out      io.Writer
	remarks  io.Writer
	prefix   string // of the files to write; empty: none
	asJSON   bool
}

func run(ctx context.Context, args []string, o cli.IO) error {
	if len(args) == 0 || args[0] == "-h" || args[0] == "-help" || args[0] == "--help" || args[0] == "help" {
		usage(o.Out)
		return nil
	}
	name := args[0]
	var c *command
	for i := range commands {
		if commands[i].name == name {
			c = &commands[i]
		}
	}
	if c == nil {
		return cli.Usagef("unknown command %q", name)
	}
	s := &session{out: o.Out, remarks: o.Err}
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	var cpus topology.Set
	f.IntVar(&s.N, "n", 0, "elements of each array; 0: from the caches")
	f.IntVar(&s.Repetitions, "reps", 10, "repetitions that count, after one that doesn't")
	f.BoolVar(&s.float32s, "float32", false, "measure float32 instead of float64")
	f.IntVar(&s.Team.Workers, "workers", 0, "workers; 0: one per core that we may use")
	f.TextVar(&s.Team.Placement, "placement", team.NUMA, "where workers sit: numa, cores, threads or unpinned")
	f.TextVar(&s.Team.Schedule, "schedule", team.Auto, "static, steal or auto")
	f.TextVar(&cpus, "cpus", topology.Set{}, "only these CPUs, such as 0-3,8")
	f.BoolVar(&s.Quick, "quick", false, "fewer cases")
	f.BoolVar(&s.asJSON, "json", false, "print results as JSON instead of text")
	f.StringVar(&s.prefix, "o", "", "also write to `PREFIX`.json, .bench, and plots to .svg and .png")
	rest, err := cli.ParseArgs(f, args[1:], o, c.about+"\n\n"+c.help)
	switch {
	case err != nil:
		return err
	case s.N < 0 || s.Team.Workers < 0 || s.Repetitions < 1 || s.Repetitions > maxRepetitions:
		return cli.Usagef("-n and -workers must be at least 0, -reps from 1 to %d", maxRepetitions)
	case name == "compare":
		if len(rest) != 2 {
			return cli.Usagef("compare takes two result files")
		}
		return compare(s, rest[0], rest[1])
	case name == "record":
		if len(rest) != 1 {
			return cli.Usagef("record takes a directory")
		}
	case len(rest) > 0:
		return cli.Usagef("unexpected argument %q", rest[0])
	}
	if s.prefix != "" {
		if err := writable(s.prefix); err != nil {
			return err
		}
	}
	if s.Machine, err = topology.Detect(); err != nil {
		return err
	}
	s.Team.CPUs = cpus
	s.env = bench.Describe(s.Machine)
	bar := newProgress(o.Err)
	s.Progress = bar.step
	defer bar.clear()
	if !s.asJSON {
		fmt.Fprintln(s.out, s.env)
	}
	if name == "record" {
		return record(ctx, s, rest[0])
	}
	return c.run(ctx, s)
}

// maxRepetitions bounds -reps: each takes a place in memory before the first is measured.
const maxRepetitions = 1_000_000

// writable tells why the files of a prefix can't be written: now, not after an hour.
func writable(prefix string) error {
	for _, ext := range []string{".json", ".bench"} {
		if err := cli.Writable(prefix + ext); err != nil {
			return err
		}
	}
	return nil
}

func usage(w io.Writer) {
	fmt.Fprint(w, `Numabench measures what this machine's memory gives and what a launch costs.

usage: numabench COMMAND [flags]      numabench COMMAND -h explains one

`)
	for _, c := range commands {
		fmt.Fprintf(w, "  %-10s %s\n", c.name, c.about)
	}
	fmt.Fprint(w, `
Close other programs first, and look at the spread before you trust a median.
Start with: numabench stream
`)
}

// finish prints a report, writes the files asked for and fails if a result was
// wrong.
func (s *session) finish(results []bench.Result, text func(io.Writer) error, figures map[string]func() (*bench.Figure, error)) error {
	report := &bench.Report{Env: s.env, Results: results}
	if text == nil {
		text = report.WriteText
	}
	var err error
	if s.asJSON {
		err = report.WriteJSON(s.out)
	} else {
		fmt.Fprintln(s.out)
		err = text(s.out)
	}
	if err != nil {
		return err
	}
	if s.prefix != "" {
		if err := s.save(report, figures); err != nil {
			return err
		}
	}
	return report.Err()
}

func (s *session) save(report *bench.Report, figures map[string]func() (*bench.Figure, error)) error {
	for _, part := range []struct {
		ext   string
		write func(io.Writer) error
	}{{".json", report.WriteJSON}, {".bench", report.WriteBenchmark}} {
		if err := writeFile(s.prefix+part.ext, part.write); err != nil {
			return err
		}
	}
	for suffix, draw := range figures {
		figure, err := draw()
		if err != nil {
			fmt.Fprintf(s.remarks, "no plot: %v\n", err)
			continue
		}
		for _, ext := range []string{".svg", ".png"} {
			if err := figure.Save(s.prefix + suffix + ext); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeFile writes a file whole or not at all.
func writeFile(path string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"*")
	if err != nil {
		return fmt.Errorf("%s can't be written: %w", path, err)
	}
	defer os.Remove(f.Name())
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Chmod(f.Name(), 0o644); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

func compare(s *session, before, after string) error {
	b, err := bench.ReadReport(before)
	if err != nil {
		return err
	}
	a, err := bench.ReadReport(after)
	if err != nil {
		return err
	}
	if b.Env.Title() != a.Env.Title() {
		fmt.Fprintf(s.out, "Not the same machine or toolchain:\n  before: %s\n  after:  %s\n", b.Env.Title(), a.Env.Title())
	}
	switch compared, err := bench.WriteComparison(s.out, b, a); {
	case err != nil:
		return err
	case compared == 0:
		return fmt.Errorf("%s and %s have no result in common", before, after)
	}
	return nil
}

// record runs every measurement into one directory.
func record(ctx context.Context, s *session, dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, c := range commands {
		if c.run == nil {
			continue
		}
		if err := writable(filepath.Join(dir, c.name)); err != nil {
			return err
		}
	}
	var failed []string
	for _, c := range commands {
		if c.run == nil {
			continue
		}
		one := *s
		one.prefix = filepath.Join(dir, c.name)
		if err := c.run(ctx, &one); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			fmt.Fprintf(s.remarks, "%s: %v\n", c.name, err)
			failed = append(failed, c.name)
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("failed: %s", strings.Join(failed, ", "))
	}
	return nil
}
