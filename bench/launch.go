package bench

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/numateam/numateam/bench/peers"
	"github.com/numateam/numateam/team"
)

// A Launcher starts empty parallel work again and again. Run lets it do so count
// times, gap after one another, and returns the seconds of each and the CPU
// seconds that all took. Guest is as a Contender's.
type Launcher struct {
	Name  string
	Guest bool
	Run   func(ctx context.Context, gap time.Duration, count int) (seconds []float64, cpu float64, err error)
}

// TeamLauncher launches one index per participant on t.
func TeamLauncher(name string, t *team.Team) Launcher {
	body := func(lo, hi int) {}
	return goLauncher(name, func() error { return eachOnce(t, t.Size()) }, func() { t.For(t.Size(), body) })
}

// GoroutineLauncher starts so many goroutines and waits for them: what a Go
// program does without a team.
func GoroutineLauncher(workers int) Launcher {
	return goLauncher("goroutines", nil, func() {
		var wg sync.WaitGroup
		wg.Add(workers - 1)
		for range workers - 1 {
			go wg.Done()
		}
		wg.Wait()
	})
}

// PeerLauncher lets a peer launch on so many threads.
func PeerLauncher(p *peers.Peer, threads int) Launcher {
	return Launcher{p.Name, true, func(ctx context.Context, gap time.Duration, count int) ([]float64, float64, error) {
		figures, err := p.Run(fmt.Sprintf("launch %d %g %d", threads, float64(gap)/1e3, count))
		if err != nil {
			return nil, 0, err
		}
		return figures[:len(figures)-1], figures[len(figures)-1], nil
	}}
}

// goLauncher times launch within this process. check, if there's one, is asked
// first whether launches do what they should.
func goLauncher(name string, check func() error, launch func()) Launcher {
	return Launcher{name, false, func(ctx context.Context, gap time.Duration, count int) ([]float64, float64, error) {
		if check != nil {
			if err := check(); err != nil {
				return nil, 0, err
			}
		}
		runtime.GC() // not within the measurement
		seconds := make([]float64, count)
		cpu := cpuSeconds()
		for i := range seconds {
			if gap > 0 {
				if ctx.Err() != nil {
					return nil, 0, ctx.Err()
				}
				time.Sleep(gap)
			}
			start := time.Now()
			launch()
			seconds[i] = time.Since(start).Seconds()
		}
		cpu = cpuSeconds() - cpu
		settle()
		return seconds, cpu, nil
	}}
}

// eachOnce launches over n indices and returns the first that didn't run exactly once.
func eachOnce(t *team.Team, n int) error {
	ran := make([]atomic.Int32, n)
	t.For(n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			ran[i].Add(1)
		}
	})
	for i := range ran {
		if times := ran[i].Load(); times != 1 {
			return &WrongError{i, float64(times), 1}
		}
	}
	return nil
}

// settle waits until this process's workers have gone to sleep, as peers do
// before they answer, so that nobody's spinning is another's noise.
func settle() {
	for range 100 {
		before := cpuSeconds()
		time.Sleep(5 * time.Millisecond)
		if cpuSeconds()-before < 0.0005 {
			return
		}
	}
}

// LaunchGaps are the pauses between launches that are measured.
var LaunchGaps = []time.Duration{0, 50 * time.Microsecond, time.Millisecond, 10 * time.Millisecond}

// Launch measures the time from launch to return of an empty body with each
// launcher in turn, and its CPU time. The first one is ours: ratios are of the
// others' medians to its.
func Launch(ctx context.Context, o Options, gaps []time.Duration, launchers []Launcher) ([]Result, error) {
	const turns = 5
	var results []Result
	for step, gap := range gaps {
		count := o.launchesFor(gap)
		o.progress(step, len(gaps), fmt.Sprintf("gap %v", gap))
		some, err := alternateLaunches(ctx, launchers, gap, turns, count/turns, func(who string) string {
			return Name("launch", "gap", gap, "who", who)
		})
		if err != nil {
			return nil, err
		}
		results = append(results, some...)
	}
	return results, nil
}

// launchesFor returns how many launches to measure so that a gap's share takes
// at most some 2 seconds, and enough for percentiles all the same.
func (o *Options) launchesFor(gap time.Duration) int {
	count := 20000
	if gap > 0 {
		count = min(count, int(2*time.Second/(gap+60*time.Microsecond)))
	}
	if o.Quick {
		count /= 10
	}
	return max(count, 100)
}

// alternateLaunches is Alternate for launchers: the results have their CPU time too.
func alternateLaunches(ctx context.Context, launchers []Launcher, gap time.Duration, turns, count int, name func(who string) string) ([]Result, error) {
	cpu := make([]float64, len(launchers))
	contenders := make([]Contender, len(launchers))
	for i, l := range launchers {
		dropped := false
		contenders[i] = Contender{Name: l.Name, Guest: l.Guest, Run: func(ctx context.Context) ([]float64, error) {
			seconds, used, err := l.Run(ctx, gap, count)
			if dropped {
				cpu[i] += used
			}
			dropped = true
			return seconds, err
		}}
	}
	samples, err := Alternate(ctx, turns, contenders)
	if err != nil {
		return nil, err
	}
	results := besides(contenders, samples, 0, name)
	for i := range results {
		if results[i].Failed == "" {
			results[i].CPUSeconds = cpu[i]
		}
	}
	return results, nil
}

// LaunchAll is Launch over all gaps with a team as asked for, goroutines and the
// peers that run.
func LaunchAll(ctx context.Context, o Options, l *Lineup) ([]Result, error) {
	t, err := o.newTeam(0)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	return Launch(ctx, o, LaunchGaps, launchers(t, l.Running, "libgomp", "libomp", "oneTBB"))
}
