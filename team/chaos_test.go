package team_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/numateam/numateam/numa"
	"github.com/numateam/numateam/team"
)

// disorder makes launches of all kinds on a team and checks what comes of each.
// It is used by many goroutines.
type disorder struct {
	t       *testing.T
	launch  atomic.Int64
	stopped atomic.Int64 // ns for which the process itself seems to have been stopped

	mu    sync.Mutex
	worst time.Duration // the longest launch, without the time that the process was stopped

	goroutines, arrays, threads int // before it all
}

func newDisorder(t *testing.T) *disorder {
	return &disorder{t: t, goroutines: runtime.NumGoroutine(), arrays: len(numa.Live()), threads: osThreads()}
}

// sum is a launch that is checked by the number of its indices and their sum.
type sum struct{ n, sum, calls atomic.Int64 }

func (s *sum) body(lo, hi int) {
	s.calls.Add(1)
	s.n.Add(int64(hi - lo))
	s.sum.Add(int64(hi-lo) * int64(lo+hi-1) / 2)
}

func (s *sum) check(t *testing.T, what string, n int) {
	if got := s.n.Load(); got != int64(n) || s.sum.Load() != int64(n)*int64(n-1)/2 {
		t.Errorf("%s of %d: %d indices, whose sum is %d", what, n, got, s.sum.Load())
	}
}

var errChaos = errors.New("chaos")

// one makes one random launch, of depth levels of nesting at most. A team that
// was closed meanwhile ends it.
func (d *disorder) one(tm *team.Team, depth int) (open bool) {
	t := d.t
	n := []int{0, 1, 2, 3, 7, 64, 1000, 10_007, min(1<<40, math.MaxInt)}[rand.N(9)]
	l := team.Launch{Grain: []int{0, 1, 7, 4096}[rand.N(4)], MaxWorkers: rand.N(6), Schedule: team.Schedule(rand.N(4)), Wait: depth == 0 && rand.N(4) == 0}
	v := tm.With(l)
	s := new(sum)
	body := s.body
	switch rand.N(6) {
	case 0:
		body = func(lo, hi int) { s.body(lo, hi); time.Sleep(rand.N(300 * time.Microsecond)) }
	case 1:
		body = func(lo, hi int) { s.body(lo, hi); runtime.Gosched() }
	case 2:
		if depth > 0 {
			break
		}
		body = func(lo, hi int) {
			s.body(lo, hi)
			d.one(tm, depth+1) // closed meanwhile if this body runs serially
		}
	}
	if n >= math.MaxInt32 { // sums overflow
		body = func(lo, hi int) { s.n.Add(int64(hi - lo)) }
	}
	start, stopped := time.Now(), d.stopped.Load()
	defer func() { d.launch.Add(1) }()
	what := rand.N(9)
	switch v := recovered(func() {
		switch what {
		case 0: // a panic somewhere
			at := rand.N(max(n, 1))
			p, ok := recovered(func() {
				v.For(n, func(lo, hi int) {
					body(lo, hi)
					if lo <= at && at < hi {
						panic(errChaos)
					}
				})
			}).(*team.Panic)
			if n > 0 && (!ok || !errors.Is(p, errChaos)) && !tm.Closed() {
				t.Errorf("a panic at %d of %d: %v", at, n, p)
			}
		case 1: // a Goexit somewhere
			at := rand.N(max(n, 1))
			if !goexits(func() {
				v.For(n, func(lo, hi int) {
					if lo <= at && at < hi {
						runtime.Goexit()
					}
				})
			}) && n > 0 && !tm.Closed() {
				t.Errorf("a Goexit at %d of %d: For returned", at, n)
			}
		case 2: // a context that may be cancelled on the way
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			stop := rand.N(40)
			err := v.ForContext(ctx, n, func(lo, hi int) {
				if body(lo, hi); s.calls.Load() == int64(stop) {
					cancel()
				}
			})
			if all := s.n.Load() == int64(n); all != (err == nil) {
				t.Errorf("context: %v after %d of %d indices", err, s.n.Load(), n)
			}
		case 3:
			v.ForWorker(n, func(w *team.Worker, lo, hi int) { body(lo, hi) })
			s.checkN(t, "ForWorker", n)
		case 4:
			if got := team.Reduce(v, n, 0, func(lo, hi int) int { return hi - lo }, func(a, b int) int { return a + b }); got != n {
				t.Errorf("Reduce of %d: %d", n, got)
			}
		case 5:
			v.Bind(func() { v.For(n, body) })
			s.checkN(t, "Bind", n)
		case 6:
			n = min(n, 10_007)
			a, err := team.Make[int16](v, n)
			if err != nil {
				t.Error(err)
				return
			}
			defer a.Close()
			x := a.Slice()
			v.Launch(team.Launch{Over: team.Over(x)}, n, func(lo, hi int) {
				body(lo, hi)
				for i := range x[lo:hi] {
					x[lo+i]++
				}
			})
			if i := slices.IndexFunc(x, func(v int16) bool { return v != 1 }); i >= 0 {
				t.Errorf("over an array of %d: element %d was run %d times", n, i, x[i])
			}
		default:
			v.For(n, body)
			s.checkN(t, "For", n)
			if n < math.MaxInt32 {
				s.check(t, "For", n)
			}
		}
	}).(type) {
	case nil:
	case string:
		if v != "team: launch on a closed team" || !tm.Closed() {
			t.Errorf("panic %q", v)
		}
		return false
	default:
		t.Errorf("panic %v", v)
	}
	d.ended(time.Since(start), stopped)
	return true
}

// ended takes note of a launch: how long it took, and d.stopped when it began.
func (d *disorder) ended(took time.Duration, stopped int64) {
	if took > 3*time.Second {
		time.Sleep(3 * time.Second) // the watch may not have seen the stop yet
		took -= time.Duration(d.stopped.Load() - stopped)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.worst = max(d.worst, took)
}

func (s *sum) checkN(t *testing.T, what string, n int) {
	if got := s.n.Load(); got != int64(n) {
		t.Errorf("%s of %d: %d indices", what, n, got)
	}
}

// run makes launches for d, from 3 goroutines, on teams that are closed now and
// then in the middle of it. It returns when all of them are done.
func (d *disorder) run(workers func() int, until time.Time) {
	for time.Now().Before(until) && !d.t.Failed() {
		tm, err := team.New(&team.Options{Workers: workers(), Placement: team.Placement(rand.N(4)), Schedule: schedules[rand.N(3)]})
		if err != nil {
			d.t.Error(err)
			return
		}
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				for time.Now().Before(until) && d.one(tm, 0) {
				}
			})
		}
		time.Sleep(rand.N(400 * time.Millisecond))
		switch rand.N(3) {
		case 0:
			tm.Close()
			wg.Wait()
		case 1:
			tm.Hot(func() { time.Sleep(time.Millisecond) })
			tm.Close()
			wg.Wait()
		default:
			wg.Go(func() { tm.Close() })
			tm.Close()
			wg.Wait()
		}
	}
}

// watch ends the test program with all stacks if no launch ends in 60 looks, a
// second apart: they don't count the time for which the process was stopped.
func (d *disorder) watch() (stop func()) {
	quit := make(chan bool)
	go func() {
		last, idle := int64(-1), 0
		for idle < 60 {
			start := time.Now()
			select {
			case <-quit:
				return
			case <-time.After(time.Second):
			}
			if late := time.Since(start) - time.Second; late > time.Second {
				d.stopped.Add(int64(late))
			}
			now := d.launch.Load()
			if idle++; now != last {
				last, idle = now, 0
			}
		}
		buf := make([]byte, 1<<20)
		panic("no launch has ended for a minute:\n" + string(buf[:runtime.Stack(buf, true)]))
	}()
	return func() { close(quit) }
}

// finish checks what is left when all is over.
func (d *disorder) finish() {
	t := d.t
	t.Logf("%d launches, the longest %v, stopped for %v; %d threads, %d before",
		d.launch.Load(), d.worst, time.Duration(d.stopped.Load()), osThreads(), d.threads)
	if d.worst > 20*time.Second {
		t.Errorf("a launch took %v", d.worst)
	}
	if !settles(func() bool { runtime.GC(); return runtime.NumGoroutine() <= d.goroutines+2 }) { // the watch, the cleanups' own
		t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), d.goroutines)
	}
	if n := len(numa.Live()); n != d.arrays {
		t.Errorf("%d arrays, %d before", n, d.arrays)
	}
	if n := osThreads(); n > d.threads+50 { // the runtime keeps some
		t.Errorf("%d threads, %d before", n, d.threads)
	}
}

// osThreads returns how many threads the process has; 0 where that isn't told.
func osThreads() int {
	tasks, _ := os.ReadDir("/proc/self/task")
	return len(tasks)
}

// TestStress makes random launches; -stress tells for how long.
func TestStress(t *testing.T) {
	d := newDisorder(t)
	defer d.watch()()
	d.run(func() int { return []int{0, 2, 3, 8, 16}[rand.N(5)] }, time.Now().Add(*stressTime))
	d.finish()
}

// TestChaos does so in a hostile world: busy processes come and go, GOMAXPROCS
// changes, collections are forced. -chaos tells for how long.
func TestChaos(t *testing.T) {
	procs := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(procs)
	until := time.Now().Add(*chaosTime)
	d := newDisorder(t)
	defer d.watch()()
	var wg sync.WaitGroup
	often := func(pause time.Duration, f func()) {
		wg.Go(func() {
			for time.Now().Before(until) {
				f()
				time.Sleep(rand.N(pause))
			}
		})
	}
	often(100*time.Millisecond, func() { runtime.GOMAXPROCS(1 + rand.N(procs+2)) })
	often(50*time.Millisecond, runtime.GC)
	often(time.Millisecond, func() { garbage = append(garbage[:0], make([]byte, rand.N(1<<20))...) })
	often(time.Second, func() {
		t.Run("hogs", func(t *testing.T) {
			startHogs(t, 1+rand.N(runtime.NumCPU()))
			time.Sleep(rand.N(500 * time.Millisecond))
		})
	})
	d.run(func() int { return []int{0, 1, 2, 4, 16, 64}[rand.N(6)] }, until)
	wg.Wait()
	d.finish()
}

var garbage []byte

// Launches of a team that is larger than the machine are late at times, but not lost.
func TestOversubscribed(t *testing.T) {
	for _, hogs := range []int{0, runtime.NumCPU()} {
		startHogs(t, hogs)
		for _, workers := range []int{16, 64} {
			for _, schedule := range schedules {
				tm := newTeam(t, &team.Options{Workers: workers, Schedule: schedule})
				c := newCounter(workers)
				var took []time.Duration
				for range rounds(2000, 2*time.Second) {
					start := time.Now()
					tm.For(workers, c.body)
					took = append(took, time.Since(start))
				}
				c.check(t, int32(len(took)))
				slices.Sort(took)
				t.Logf("%d hogs, %d workers, %v: %d launches, p50 %v, p99.9 %v, longest %v", hogs, workers, schedule,
					len(took), took[len(took)/2], took[len(took)*999/1000], took[len(took)-1])
				if p := took[len(took)*9/10]; p > time.Second { // other tests may run beside this
					t.Errorf("p90 %v", p)
				}
				tm.Close()
			}
		}
	}
}

// Two teams may have the same CPUs.
func TestTwoTeams(t *testing.T) {
	a, b := newTeam(t, nil), newTeam(t, nil)
	var wg sync.WaitGroup
	for _, tm := range []*team.Team{a, b} {
		wg.Go(func() {
			other := a
			if tm == a {
				other = b
			}
			c, inner := newCounter(100), newCounter(10)
			for range rounds(300, 3*time.Second) {
				tm.For(100, c.body)
				tm.For(1, func(lo, hi int) { other.For(10, inner.body) })
			}
			c.check(t, c.n[0].Load())
			inner.check(t, c.n[0].Load())
		})
	}
	wg.Wait()
}
