package bench

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/numateam/numateam/bench/peers"
	"github.com/numateam/numateam/kernels"
	"github.com/numateam/numateam/team"
)

// A Lineup is the peers that could be built and started, and why the others
// couldn't.
type Lineup struct {
	Running map[string]*peers.Peer
	Missing []error
}

// StartPeers builds the named programs, or all, in dir and starts them. What
// can't be built is noted, and no error; only the end of ctx is.
func StartPeers(ctx context.Context, dir string, names ...string) (*Lineup, error) {
	l := &Lineup{Running: map[string]*peers.Peer{}}
	for _, program := range peers.Programs() {
		if len(names) > 0 && !slices.Contains(names, program.Name) {
			continue
		}
		exe, err := program.Build(ctx, dir)
		var p *peers.Peer
		if err == nil {
			p, err = peers.Start(ctx, exe)
		}
		if ctx.Err() != nil {
			l.Close()
			return nil, ctx.Err()
		}
		if err != nil {
			l.Missing = append(l.Missing, err)
			continue
		}
		l.Running[program.Name] = p
	}
	return l, nil
}

// Close ends all peers.
func (l *Lineup) Close() {
	for _, p := range l.Running {
		p.Close()
	}
}

// A comparison is one case with ours and what each peer is asked for it.
type comparison struct {
	name    string
	bytes   int64
	ours    func(ctx context.Context) ([]float64, error)
	request map[string]string // by peer
	extra   int               // figures at the end of a peer's reply that aren't repetitions
}

// theirs returns a peer as a contender for c.
func (c *comparison) theirs(name string, peer *peers.Peer) Contender {
	return Contender{Name: name, Guest: true, Run: func(context.Context) ([]float64, error) {
		seconds, err := peer.Run(c.request[name])
		if err != nil {
			return nil, err
		}
		return seconds[:len(seconds)-c.extra], nil
	}}
}

// Peers measures ours and each peer that runs, case by case and in turn. A peer
// that fails, or ends, has failed results; ours that is wrong is an error.
func Peers(ctx context.Context, o Options, l *Lineup) ([]Result, error) {
	var results []Result
	for _, group := range []func(context.Context, Options, *Lineup) ([]Result, error){peersStream, peersLaunch, peersBLAS, peersBlur} {
		some, err := group(ctx, o, l)
		if err != nil {
			return nil, err
		}
		results = append(results, some...)
	}
	return results, nil
}

// compare lets ours and the peers take turns at each case. The note of a peer's
// result is what it calls itself, where that says more than its name.
func compare(ctx context.Context, o Options, l *Lineup, cases []comparison) ([]Result, error) {
	turns := 10
	if o.Quick {
		turns = 2
	}
	var results []Result
	for step, c := range cases {
		o.progress(step, len(cases), c.name)
		contenders := []Contender{{Name: "numateam", Run: func(ctx context.Context) ([]float64, error) {
			seconds, err := c.ours(ctx)
			settle()
			return seconds, err
		}}}
		for _, program := range peers.Programs() {
			if peer := l.Running[program.Name]; peer != nil && c.request[program.Name] != "" {
				contenders = append(contenders, c.theirs(program.Name, peer))
			}
		}
		samples, err := Alternate(ctx, turns, contenders)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		for _, r := range besides(contenders, samples, c.bytes, func(who string) string { return Name("peers", "case", c.name, "who", who) }) {
			if peer := l.Running[r.Key("who")]; peer != nil && peer.Name != r.Key("who") && r.Failed == "" {
				r.Note = peer.Name
			}
			results = append(results, r)
		}
	}
	return results, nil
}

// peersStream compares fill and saxpy on arrays of 2^26 float32.
func peersStream(ctx context.Context, o Options, l *Lineup) ([]Result, error) {
	const repetitions = 5
	if o.N == 0 {
		o.N = 1 << 26
	}
	t, err := o.newTeam(0)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	n, _ := o.elements(2*(1+len(l.Running)), 4, o.Machine.Allowed)
	x, err := team.Make[float32](t, n)
	if err != nil {
		return nil, err
	}
	defer x.Close()
	y, err := team.Make[float32](t, n)
	if err != nil {
		return nil, err
	}
	defer y.Close()
	repeat := func(want float32, f func()) func(context.Context) ([]float64, error) {
		run := timed(repetitions, 1, f, func() error { return check(t, y.Slice(), func(int) float32 { return want }) })
		return func(ctx context.Context) ([]float64, error) {
			kernels.Fill(t, x.Slice(), 1)
			kernels.Fill(t, y.Slice(), 2)
			return run(ctx)
		}
	}
	ask := func(op string) map[string]string {
		request := fmt.Sprintf("%s %d %d", op, n, repetitions)
		return map[string]string{"libgomp": request, "libomp": request}
	}
	return compare(ctx, o, l, []comparison{
		{name: fmt.Sprintf("fill n=%d float32", n), bytes: 4 * int64(n), request: ask("fill"),
			ours: repeat(3, func() { kernels.Fill(t, y.Slice(), 3) })},
		{name: fmt.Sprintf("saxpy n=%d", n), bytes: 12 * int64(n), request: ask("saxpy"),
			ours: repeat(2+0.5*repetitions, func() { kernels.Saxpy(t, 0.5, x.Slice(), y.Slice()) })},
	})
}

// peersLaunch compares empty launches, one after the other and after a gap.
func peersLaunch(ctx context.Context, o Options, l *Lineup) ([]Result, error) {
	t, err := o.newTeam(0)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	ours := TeamLauncher("numateam", t)
	var cases []comparison
	for _, gap := range []time.Duration{0, time.Millisecond} {
		count := o.launchesFor(gap) / 10
		request := fmt.Sprintf("launch %d %g %d", t.Size(), float64(gap)/1e3, count)
		cases = append(cases, comparison{
			name: fmt.Sprintf("launch gap=%v", gap),
			ours: func(ctx context.Context) ([]float64, error) {
				seconds, _, err := ours.Run(ctx, gap, count)
				return seconds, err
			},
			request: map[string]string{"libgomp": request, "libomp": request, "oneTBB": request},
			extra:   1, // CPU seconds
		})
	}
	return compare(ctx, o, l, cases)
}

// WritePeers writes the table of a comparison: ratios are of the peer's time to
// ours, so that above 1 ours is faster.
func WritePeers(w io.Writer, results []Result, missing []error) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "case\twho\tmedian\tGB/s\tratio\tquartiles")
	last := ""
	var notes []string
	for _, r := range results {
		name := r.Key("case")
		if name == last {
			name = ""
		} else {
			last = name
		}
		note := r.Note
		if !strings.HasPrefix(note, r.Key("who")) {
			note = r.Key("who") + ": " + note
		}
		if r.Note != "" && !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
		if r.Failed != "" {
			fmt.Fprintf(t, "%s\t%s\tfailed\t\t\t\n", name, r.Key("who"))
			notes = append(notes, "failed: "+r.Key("case")+": "+r.Failed)
			continue
		}
		gbps, ratio, spread := "", "", ""
		if r.Bytes > 0 {
			gbps = FormatGBps(r.MedianGBps)
		}
		if r.Ratio != nil {
			ratio, spread = r.Ratio.median(), r.Ratio.quartiles()
		}
		fmt.Fprintf(t, "%s\t%s\t%s us\t%s\t%s\t%s\n", name, r.Key("who"), microseconds(r.Summary.Median), gbps, ratio, spread)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, note := range notes {
		fmt.Fprintln(w, note)
	}
	for _, err := range missing {
		fmt.Fprintf(w, "missing: %s\n", strings.ReplaceAll(err.Error(), "\n", " "))
	}
	return nil
}
