package bench

import (
	"context"
	"fmt"
	"io"
	"math"
	"runtime"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/numateam/numateam/bench/mem"
	"github.com/numateam/numateam/bench/peers"
	"github.com/numateam/numateam/kernels"
	"github.com/numateam/numateam/numa"
	"github.com/numateam/numateam/team"
)

// A Case is one of the situations that the team is made for: what it and its
// references reached in one run, and whether that is what was aimed at.
type Case struct {
	Title   string   `json:"title"`
	Results []Result `json:"results"`
	Goals   []Goal   `json:"goals"`
}

// A Goal is a figure beside its bound.
type Goal struct {
	Text  string  `json:"text"`
	Got   float64 `json:"got"`
	Bound float64 `json:"bound"`
	Unit  string  `json:"unit,omitempty"`
}

// Met tells whether the figure keeps to its bound.
func (g Goal) Met() bool { return g.Got <= g.Bound }

// WriteCase writes one case as a table with its goals below it.
func WriteCase(w io.Writer, c Case) error {
	fmt.Fprintf(w, "\n%s\n", c.Title)
	if len(c.Results) > 0 {
		if err := writeColumns(w, c.Results[0].Bench(), c.Results); err != nil {
			return err
		}
	}
	for _, g := range c.Goals {
		verdict := "met"
		if !g.Met() {
			verdict = "MISSED"
		}
		fmt.Fprintf(w, "  %-6s %s%s <= %s%s  %s\n", verdict, digits(g.Got, 3), g.Unit, digits(g.Bound, 3), g.Unit, g.Text)
	}
	return nil
}

// helpDelay is how long an owner that is awake has for itself before it's
// helped, the A of the launch protocol, in seconds.
const helpDelay = 2e-6

// Launching measures the situations in turn and hands each to report as it's
// done. References are the peers that are given, by name, and goroutines.
func Launching(ctx context.Context, o Options, references map[string]*peers.Peer, report func(Case) error) error {
	steps := []func(context.Context, Options, map[string]*peers.Peer) ([]Case, error){
		hotLaunches, gapLaunches, loadedLaunches, lowRate, collectorPauses, lookupCost,
	}
	for i, step := range steps {
		o.progress(i, len(steps), "launch cases")
		cases, err := step(ctx, o, references)
		if err != nil {
			return err
		}
		for _, c := range cases {
			if err := report(c); err != nil {
				return err
			}
		}
	}
	return nil
}

// launchers returns ours, goroutines and the named peers that there are.
func launchers(t *team.Team, references map[string]*peers.Peer, names ...string) []Launcher {
	all := []Launcher{TeamLauncher("numateam", t), GoroutineLauncher(t.Size())}
	for _, name := range names {
		if p := references[name]; p != nil {
			all = append(all, PeerLauncher(p, t.Size()))
		}
	}
	return all
}

// find returns the result of one contender, if it has one that counts.
func find(results []Result, who string) (Result, bool) {
	for _, r := range results {
		if r.Key("who") == who && r.Failed == "" {
			return r, true
		}
	}
	return Result{}, false
}

// atMost makes the goal that ours takes no more than so many times the
// reference's median, if the reference was there.
func atMost(goals []Goal, results []Result, who string, factor float64, reference string) []Goal {
	ours, _ := find(results, who)
	theirs, ok := find(results, reference)
	if !ok {
		return goals
	}
	return append(goals, Goal{fmt.Sprintf("p50 of %s, %.2g times that of %s", who, factor, reference),
		ours.Summary.Median * 1e6, factor * theirs.Summary.Median * 1e6, " us"})
}

func hotLaunches(ctx context.Context, o Options, references map[string]*peers.Peer) ([]Case, error) {
	t, err := o.newTeam(0)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	results, err := Launch(ctx, o, LaunchGaps[:1], launchers(t, references, "libgomp", "libomp", "oneTBB"))
	if err != nil {
		return nil, err
	}
	ours := results[0].Summary
	goals := atMost(nil, results, "numateam", 0.5, "libgomp")
	goals = append(goals, Goal{"p99, 3 times p50 or the wait for an owner and 1 us", ours.P99 * 1e6,
		max(3*ours.Median, helpDelay+1e-6) * 1e6, " us"})
	return []Case{{fmt.Sprintf("Hot launches, empty body, %d workers", t.Size()), results, goals}}, nil
}

func gapLaunches(ctx context.Context, o Options, references map[string]*peers.Peer) ([]Case, error) {
	t, err := o.newTeam(0)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	gap := time.Millisecond
	results, err := Launch(ctx, o, []time.Duration{gap}, launchers(t, references, "libgomp", "oneTBB"))
	if err != nil {
		return nil, err
	}
	goals := atMost(nil, results, "numateam", 1, "libgomp")
	time.Sleep(100 * time.Millisecond)
	const watch = time.Second
	idle := cpuSeconds()
	time.Sleep(watch)
	idle = (cpuSeconds() - idle) / watch.Seconds()
	goals = append(goals, Goal{"of a CPU used from 0.1 s after the last launch on", 100 * idle, 0.1, " %"})
	return []Case{{fmt.Sprintf("A launch each %v, empty body, %d workers", gap, t.Size()), results, goals}}, nil
}

func loadedLaunches(ctx context.Context, o Options, references map[string]*peers.Peer) ([]Case, error) {
	hogs, err := StartHogs(o.Machine.Allowed)
	if err != nil {
		return nil, fmt.Errorf("no busy processes: %w", err)
	}
	defer hogs.Stop()
	time.Sleep(50 * time.Millisecond)
	var cases []Case
	for _, workers := range []int{2, 16, 32, 64} {
		c, err := loadedCase(ctx, o, references, workers)
		if err != nil {
			return nil, err
		}
		cases = append(cases, c)
	}
	return cases, nil
}

func loadedCase(ctx context.Context, o Options, references map[string]*peers.Peer, workers int) (Case, error) {
	t, err := o.newTeam(workers)
	if err != nil {
		return Case{}, err
	}
	defer t.Close()
	contenders := []Launcher{
		TeamLauncher("static", t.With(team.Launch{Schedule: team.Static})),
		TeamLauncher("steal", t.With(team.Launch{Schedule: team.Steal})),
		GoroutineLauncher(workers),
	}
	if p := references["libgomp"]; p != nil {
		contenders = append(contenders, PeerLauncher(p, workers))
	}
	c := Case{Title: fmt.Sprintf("A busy process on each of %d CPUs, %d workers", o.Machine.Allowed.Len(), workers)}
	c.Results, err = alternateLaunches(ctx, contenders, 0, 3, 100, func(who string) string {
		return Name("loaded", "workers", workers, "who", who)
	})
	if err != nil {
		return Case{}, err
	}
	c.Goals = atMost(c.Goals, c.Results, "steal", 1.5, "static")
	c.Goals = atMost(c.Goals, c.Results, "static", 1, "libgomp")
	c.Goals = atMost(c.Goals, c.Results, "steal", 1, "libgomp")
	return c, nil
}

// lowRate launches two chunks each millisecond on a team of 16 and on one of 2:
// who isn't needed should sleep through.
func lowRate(ctx context.Context, o Options, _ map[string]*peers.Peer) ([]Case, error) {
	contenders := make([]Launcher, 2)
	for i, workers := range []int{16, 2} {
		t, err := o.newTeam(workers)
		if err != nil {
			return nil, err
		}
		defer t.Close()
		body := func(lo, hi int) {}
		contenders[i] = goLauncher(fmt.Sprintf("team of %d", workers), func() error { return eachOnce(t, 2) }, func() { t.For(2, body) })
	}
	c := Case{Title: "Two chunks each millisecond"}
	results, err := alternateLaunches(ctx, contenders, time.Millisecond, 4, o.launchesFor(time.Millisecond)/4, func(who string) string {
		return Name("lowrate", "who", who)
	})
	if err != nil {
		return nil, err
	}
	c.Results = results
	c.Goals = []Goal{{"CPU time of 16 workers, 1.2 times that of 2",
		results[0].CPUSeconds * 1e3, 1.2 * results[1].CPUSeconds * 1e3, " ms"}}
	return []Case{c}, nil
}

// collectorPauses asks for collections while a team is kept spinning, and while
// it runs a long kernel, and reads how long the collector waited for all threads
// to stop.
func collectorPauses(ctx context.Context, o Options, _ map[string]*peers.Peer) ([]Case, error) {
	t, err := o.newTeam(0)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	n, _ := o.elements(2, 4, o.Machine.Allowed)
	x, err := team.Make[float32](t, n)
	if err != nil {
		return nil, err
	}
	defer x.Close()
	kernels.Fill(t, x.Slice(), 1)

	c := Case{Title: "The collector's wait for a stop"}
	body := func(lo, hi int) {}
	for _, work := range []struct {
		name string
		f    func()
	}{
		{"while the team spins", func() { t.For(t.Size(), body) }},
		{"while it adds up " + mem.Text(int64(4*n)), func() { kernels.Sum(t, x.Slice()) }},
	} {
		var stop atomic.Bool
		var wg sync.WaitGroup
		wg.Go(func() {
			t.Hot(func() {
				for !stop.Load() {
					work.f()
				}
			})
		})
		before := stopping()
		for range 20 {
			if ctx.Err() == nil {
				runtime.GC()
				time.Sleep(5 * time.Millisecond)
			}
		}
		after := stopping()
		stop.Store(true)
		wg.Wait()
		c.Goals = append(c.Goals, Goal{"longest wait " + work.name, longestSince(before, after) * 1e3, 5, " ms"})
	}
	return []Case{c}, ctx.Err()
}

func stopping() *metrics.Float64Histogram {
	s := []metrics.Sample{{Name: "/sched/pauses/stopping/gc:seconds"}}
	metrics.Read(s)
	return s[0].Value.Float64Histogram()
}

// longestSince returns the upper bound of the highest bucket that grew.
func longestSince(before, after *metrics.Float64Histogram) float64 {
	for i := len(after.Counts) - 1; i >= 0; i-- {
		if after.Counts[i] > before.Counts[i] {
			if upper := after.Buckets[i+1]; !math.IsInf(upper, 1) {
				return upper
			}
			return after.Buckets[i]
		}
	}
	return 0
}

// lookupCost asks where an address lies, from one goroutine and from one on each
// CPU, beside maps behind a mutex and a read-write mutex.
func lookupCost(ctx context.Context, o Options, _ map[string]*peers.Peer) ([]Case, error) {
	const arrays, asked = 64, 1 << 16
	var pointers []unsafe.Pointer
	known := map[unsafe.Pointer]bool{}
	for range arrays {
		a, err := numa.Alloc[float64](1024, nil)
		if err != nil {
			return nil, err
		}
		defer a.Close()
		p := unsafe.Pointer(unsafe.SliceData(a.Slice()))
		pointers, known[p] = append(pointers, p), true
	}
	var mutex sync.Mutex
	var rw sync.RWMutex
	ways := []struct {
		name string
		ask  func(p unsafe.Pointer) bool
	}{
		{"numateam", func(p unsafe.Pointer) bool { _, ok := numa.Lookup(p); return ok }},
		{"RWMutex", func(p unsafe.Pointer) bool { rw.RLock(); defer rw.RUnlock(); return known[p] }},
		{"Mutex", func(p unsafe.Pointer) bool { mutex.Lock(); defer mutex.Unlock(); return known[p] }},
	}
	c := Case{Title: "Cost of a lookup"}
	medians := map[string]float64{}
	for _, way := range ways {
		for _, readers := range []int{1, max(2, runtime.GOMAXPROCS(0))} {
			var missed atomic.Bool
			var samples []float64
			for s := -1; s < 10; s++ {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				var wg sync.WaitGroup
				start := time.Now()
				for range readers {
					wg.Go(func() {
						for i := range asked {
							if !way.ask(pointers[i%arrays]) {
								missed.Store(true)
							}
						}
					})
				}
				wg.Wait()
				if s >= 0 {
					samples = append(samples, time.Since(start).Seconds()/asked)
				}
			}
			r := NewResult(Name("lookup", "readers", readers, "who", way.name), 0, samples)
			if missed.Load() {
				r.Failed = "a placed array wasn't found"
			}
			medians[fmt.Sprint(way.name, readers > 1)] = r.Summary.Median
			c.Results = append(c.Results, r)
		}
	}
	c.Goals = []Goal{{"for each of all CPUs, 1.5 times one alone", medians["numateamtrue"] * 1e9, 1.5 * medians["numateamfalse"] * 1e9, " ns"}}
	return []Case{c}, nil
}
