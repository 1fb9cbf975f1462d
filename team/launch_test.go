package team_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/numateam/numateam/numa"
	"github.com/numateam/numateam/team"
)

func TestEachIndexOnce(t *testing.T) {
	for _, workers := range []int{1, 2, 3, 7, 16, 64} {
		for _, schedule := range schedules {
			tm := newTeam(t, &team.Options{Workers: workers, Schedule: schedule})
			for _, n := range []int{0, 1, 2, 3, 7, 64, 127, 1009, 10007} {
				for _, grain := range []int{0, 1, 5, 64, 4096} {
					c := newCounter(n)
					for range 5 {
						tm.Launch(team.Launch{Grain: grain}, n, c.body)
					}
					c.check(t, 5)
				}
			}
			tm.Close()
		}
	}
}

// ranges collects the ranges that a body was called for.
type ranges struct {
	mu  sync.Mutex
	all [][2]int
}

func (r *ranges) body(lo, hi int) {
	r.mu.Lock()
	r.all = append(r.all, [2]int{lo, hi})
	r.mu.Unlock()
}

// check fails the test unless the ranges make up [0, n) and begin at multiples
// of grain. It returns them in order and forgets them.
func (r *ranges) check(tb testing.TB, n, grain int) [][2]int {
	tb.Helper()
	all := r.all
	r.all = nil
	slices.SortFunc(all, func(a, b [2]int) int { return a[0] - b[0] })
	at := 0
	for _, r := range all {
		if r[0] != at || r[1] <= r[0] || r[0]%grain != 0 {
			tb.Fatalf("n %d, grain %d: range [%d, %d) after %d", n, grain, r[0], r[1], at)
		}
		at = r[1]
	}
	if at != n {
		tb.Fatalf("n %d, grain %d: ranges end at %d", n, grain, at)
	}
	return all
}

// Bounds are multiples of the grain on every way through a launch: even blocks,
// blocks by class, blocks that follow an array, chunks, and serial launches.
func TestBounds(t *testing.T) {
	for _, description := range []string{"core:4", "core:3:1024 + core:2:430 + core:1:100", "node:2 core:2", "node:3 core:2"} {
		m := machine(t, description)
		for _, schedule := range schedules {
			tm := newTeam(t, &team.Options{Topology: m, Workers: m.Allowed.Len(), Placement: team.NUMA, Schedule: schedule})
			a, err := team.Make[float32](tm, 50_021)
			if err != nil {
				t.Fatal(err)
			}
			x := a.Slice()
			for _, n := range []int{1, 2, 5, 64, 1000, 4097, 50_021, 99_991} {
				for _, grain := range []int{1, 3, 64, 4096, math.MaxInt} {
					l := team.Launch{Grain: grain}
					r := new(ranges)
					tm.Launch(l, n, r.body)
					r.check(t, n, grain)
					for limit := range 4 {
						l.MaxWorkers = limit
						tm.Launch(l, n, r.body)
						r.check(t, n, grain)
					}
					l.MaxWorkers = 0
					// Over the array, a part of it, and more than it.
					for _, at := range []int{0, 1, 8192, len(x) - 1} {
						l.Over = team.Over(x[at:])
						tm.Launch(l, n, r.body)
						r.check(t, n, grain)
					}
					for stride := range uintptr(2) { // 0 is no span
						l.Over = team.Span{Base: l.Over.Base, Stride: stride}
						tm.Launch(l, n, r.body)
						r.check(t, n, grain)
					}
					ctx, cancel := context.WithCancel(context.Background())
					if err := tm.With(team.Launch{Grain: grain}).ForContext(ctx, n, r.body); err != nil {
						t.Fatal(err)
					}
					cancel()
					r.check(t, n, grain)
				}
			}
			tm.Close()
			a.Close()
		}
	}
}

// An array that was migrated to other parts has owners that no team knows.
func TestOverMigrated(t *testing.T) {
	const n = 100_000
	tm := newTeam(t, &team.Options{Topology: machine(t, "node:2 core:2"), Workers: 4, Placement: team.NUMA})
	for _, parts := range [][]numa.Part{
		{{End: n / 2, Node: 1}, {End: n, Node: 0}},
		{{End: n / 2, Node: 1, Worker: 9}, {End: n, Node: 0, Worker: -3}},
		{{End: n / 2, Node: 1}},
		{{End: n / 2, Node: -1}, {End: n, Node: 5}},
	} {
		a, err := team.Make[int16](tm, n)
		if err != nil {
			t.Fatal(err)
		}
		a.Migrate(numa.ByParts(parts)) // fails: this isn't the machine; the parts are kept
		r := new(ranges)
		tm.Launch(team.Launch{Over: team.Over(a.Slice())}, n, r.body)
		r.check(t, n, 1)
		if _, err := team.Locality(tm, a.Slice()); err != nil && !errors.Is(err, errors.ErrUnsupported) && !strings.Contains(err.Error(), "move_pages") {
			t.Error(err)
		}
		a.Close()
	}
}

func TestHugeN(t *testing.T) {
	for _, description := range []string{"core:4", "core:2:1024 + core:2:300", "node:2 core:2"} {
		m := machine(t, description)
		for _, schedule := range schedules {
			tm := newTeam(t, &team.Options{Topology: m, Workers: 4, Schedule: schedule})
			for _, n := range []int{math.MaxInt32, min(1<<40, math.MaxInt), math.MaxInt/8 + 2, math.MaxInt} {
				for _, grain := range []int{1, 4096, math.MaxInt/2 + 1} {
					r := new(ranges)
					tm.Launch(team.Launch{Grain: grain}, n, r.body)
					r.check(t, n, grain)
				}
			}
		}
	}
}

// Under Static the blocks are the same in every launch, and one call each.
func TestStaticBlocks(t *testing.T) {
	tm := newTeam(t, &team.Options{Workers: 5, Schedule: team.Static})
	r := new(ranges)
	tm.For(1003, r.body)
	want := r.check(t, 1003, 1)
	if len(want) != 5 {
		t.Errorf("blocks %v", want)
	}
	for range 1000 {
		tm.For(1003, r.body)
		if got := r.check(t, 1003, 1); !slices.Equal(got, want) {
			t.Fatalf("blocks %v, then %v", want, got)
		}
	}
}

// No two calls of one launch run at a time with the same worker, and who is told
// that it is worker 0 is the caller.
func TestWorkerIDs(t *testing.T) {
	for _, schedule := range schedules {
		tm := newTeam(t, &team.Options{Workers: 6, Schedule: schedule})
		inside := make([]atomic.Int32, tm.Size())
		body := func(w *team.Worker, lo, hi int) {
			if w.ID() < 0 || w.ID() >= tm.Size() {
				t.Errorf("worker %d", w.ID())
				return
			}
			if inside[w.ID()].Add(1) != 1 {
				t.Errorf("two calls at a time as worker %d", w.ID())
			}
			if lo%3 == 0 {
				runtime.Gosched()
			}
			inside[w.ID()].Add(-1)
		}
		for n := range 300 {
			tm.ForWorker(n, body)
		}
	}
}

func TestMaxWorkers(t *testing.T) {
	for _, schedule := range schedules {
		tm := newTeam(t, &team.Options{Workers: 8, Schedule: schedule})
		for limit := 1; limit <= 9; limit++ {
			v := tm.With(team.Launch{MaxWorkers: limit})
			for range 50 {
				var seen [8]atomic.Bool
				v.ForWorker(100, func(w *team.Worker, lo, hi int) { seen[w.ID()].Store(true) })
				n := 0
				for i := range seen {
					if seen[i].Load() {
						n++
					}
				}
				if n > limit {
					t.Fatalf("%v: %d workers took part, the limit is %d", schedule, n, limit)
				}
			}
		}
	}
}

func TestNilTeam(t *testing.T) {
	var tm *team.Team
	c := newCounter(100)
	tm.For(100, c.body)
	tm.ForWorker(100, func(w *team.Worker, lo, hi int) {
		if w.ID() != 0 || w.CPU() != -1 || w.Node() != -1 {
			t.Errorf("worker %d on CPU %d, node %d", w.ID(), w.CPU(), w.Node())
		}
		c.body(lo, hi)
	})
	tm.Launch(team.Launch{Grain: 7, MaxWorkers: 3, Schedule: team.Steal, Wait: true}, 100, c.body)
	if err := tm.ForContext(t.Context(), 100, c.body); err != nil {
		t.Error(err)
	}
	tm.With(team.Launch{Grain: 4}).For(100, c.body)
	tm.Bind(func() { tm.Hot(func() { tm.For(100, c.body) }) })
	c.check(t, 6)
	if got := team.Reduce(tm, 100, 0, func(lo, hi int) int { return hi - lo }, func(a, b int) int { return a + b }); got != 100 {
		t.Errorf("reduce: %d", got)
	}
	a, err := team.Make[int32](tm, 10)
	if err != nil || len(a.Slice()) != 10 {
		t.Errorf("make: %v", err)
	}
	if l, err := team.Locality(tm, a.Slice()); l != 1 || err != nil {
		t.Errorf("locality %v, %v", l, err)
	}
	if tm.Size() != 1 || tm.Closed() || tm.Close() != nil || tm.Stats() != (team.Stats{}) || tm.Topology() != nil {
		t.Error("a nil team isn't a team of one")
	}
	if r := tm.Report(); r != "team: none; loops run serially on the caller\n" {
		t.Errorf("report %q", r)
	}
	if p, ok := recovered(func() { tm.For(1, func(int, int) { panic("boom") }) }).(*team.Panic); !ok || p.Value != "boom" {
		t.Errorf("panic %v", p)
	}
}

// A launch from a body runs serially, as worker 0, to any depth.
func TestNested(t *testing.T) {
	for _, schedule := range schedules {
		tm := newTeam(t, &team.Options{Workers: 4, Schedule: schedule})
		c := newCounter(10 * 10 * 10)
		for range 20 {
			tm.For(10, func(lo, hi int) {
				for i := lo; i < hi; i++ {
					tm.ForWorker(10, func(w *team.Worker, lo, hi int) {
						if lo != 0 || hi != 10 || w.ID() != 0 {
							t.Errorf("nested launch: [%d, %d) on worker %d", lo, hi, w.ID())
						}
						for j := lo; j < hi; j++ {
							tm.For(10, func(lo, hi int) { c.body(100*i+10*j+lo, 100*i+10*j+hi) })
						}
					})
				}
			})
		}
		c.check(t, 20)
	}
}

// Launches from several goroutines all run whole, serially or in turn.
func TestConcurrent(t *testing.T) {
	for _, wait := range []bool{false, true} {
		tm := newTeam(t, &team.Options{Workers: 3}).With(team.Launch{Wait: wait})
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				c := newCounter(97)
				for range 300 {
					tm.For(97, c.body)
				}
				c.check(t, 300)
			})
		}
		wg.Wait()
		if got := tm.Stats().Launches; wait && got != 8*300 {
			t.Errorf("%d launches were shared out, want all", got)
		}
	}
}

func TestWith(t *testing.T) {
	tm := newTeam(t, &team.Options{Workers: 4, Schedule: team.Static})
	v := tm.With(team.Launch{Grain: 10}).With(team.Launch{MaxWorkers: 2})
	r := new(ranges)
	v.For(95, r.body)
	if got := r.check(t, 95, 10); len(got) != 2 || got[0][1] != 50 {
		t.Errorf("grain 10 and 2 workers: %v", got)
	}
	v.Launch(team.Launch{Grain: 30, MaxWorkers: 3}, 95, r.body)
	if got := r.check(t, 95, 30); len(got) != 3 {
		t.Errorf("grain 30 and 3 workers: %v", got)
	}
	tm.For(95, r.body)
	if got := r.check(t, 95, 1); len(got) != 4 {
		t.Errorf("the team itself: %v", got)
	}
	if v.Size() != 4 || v.Stats() != tm.Stats() || v.Stats().Launches != 3 {
		t.Errorf("size %d, stats %+v", v.Size(), v.Stats())
	}
	v.Close()
	if !tm.Closed() {
		t.Error("closed by a view, and yet open")
	}
}

func TestContext(t *testing.T) {
	for _, schedule := range schedules {
		for _, workers := range []int{1, 4} {
			tm := newTeam(t, &team.Options{Workers: workers, Schedule: schedule})
			done, cancel := context.WithCancel(context.Background())
			cancel()
			if err := tm.ForContext(done, 100, func(lo, hi int) { t.Errorf("[%d, %d) was run", lo, hi) }); err != context.Canceled {
				t.Errorf("cancelled before: %v", err)
			}
			if err := tm.ForContext(done, 0, nil); err != nil {
				t.Errorf("nothing to do: %v", err)
			}
			for range 100 {
				ctx, cancel := context.WithCancel(context.Background())
				c := newCounter(1000)
				err := tm.ForContext(ctx, 1000, func(lo, hi int) {
					c.body(lo, hi)
					cancel()
				})
				ran := 0
				for i := range c.n {
					switch c.n[i].Load() {
					case 0:
					case 1:
						ran++
					default:
						t.Fatalf("index %d was run twice", i)
					}
				}
				if (err == nil) != (ran == 1000) || err != nil && err != context.Canceled || ran == 0 {
					t.Fatalf("%v, %d workers, cancelled in the body: %v after %d indices", schedule, workers, err, ran)
				}
				if ran > 1000*workers/8+1000/8 {
					t.Fatalf("%v, %d workers: %d indices were run after a cancel in the first call", schedule, workers, ran)
				}
			}
			// A context that is done only after the last chunk hasn't stopped anything.
			late, cancelLate := context.WithCancel(context.Background())
			c := newCounter(1000)
			var left atomic.Int32
			left.Store(1000)
			err := tm.ForContext(late, 1000, func(lo, hi int) {
				c.body(lo, hi)
				if left.Add(int32(lo-hi)) == 0 {
					cancelLate()
				}
			})
			if err != nil {
				t.Errorf("cancelled by the last chunk: %v", err)
			}
			cancelLate()
			c.check(t, 1)
			timeout, cancelTimeout := context.WithTimeout(context.Background(), 5*time.Millisecond)
			err = tm.ForContext(timeout, 100_000, func(lo, hi int) { time.Sleep(20 * time.Millisecond) })
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("deadline: %v", err)
			}
			cancelTimeout()
			c = newCounter(100)
			tm.For(100, c.body)
			c.check(t, 1)
		}
	}
}

func TestAllocs(t *testing.T) {
	if builtWith("-asan") {
		t.Skip("the sanitizer has variables on the heap that else aren't")
	}
	body := func(lo, hi int) {}
	worker := func(w *team.Worker, lo, hi int) {}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for _, workers := range []int{1, 2, 16} {
		for _, schedule := range schedules {
			tm := newTeam(t, &team.Options{Topology: machine(t, "node:2 core:8"), Workers: workers, Placement: team.NUMA, Schedule: schedule})
			a, err := team.Make[float32](tm, 1000)
			if err != nil {
				t.Fatal(err)
			}
			over := team.Over(a.Slice())
			nested := func(lo, hi int) { tm.For(100, body) }
			for name, launch := range map[string]func(){
				"For":        func() { tm.For(1000, body) },
				"For(1)":     func() { tm.For(1, body) },
				"ForWorker":  func() { tm.ForWorker(1000, worker) },
				"ForContext": func() { tm.ForContext(ctx, 1000, body) },
				"Over":       func() { tm.Launch(team.Launch{Over: over}, 1000, body) },
				"Wait":       func() { tm.Launch(team.Launch{Wait: true, MaxWorkers: 2}, 1000, body) },
				"nested":     func() { tm.For(workers, nested) },
				"nil":        func() { (*team.Team)(nil).For(1000, body) },
			} {
				if n := testing.AllocsPerRun(300, launch); n != 0 {
					t.Errorf("%s, %d workers, %v: %v allocations per launch", name, workers, schedule, n)
				}
			}
		}
	}
}

func TestStats(t *testing.T) {
	tm := newTeam(t, &team.Options{Workers: 4, Schedule: team.Static})
	body := func(lo, hi int) { time.Sleep(time.Millisecond) }
	for range 20 {
		tm.For(4, body)
	}
	tm.For(1, body)
	if s := tm.Stats(); s.Launches != 20 || s.Posted < 20 || s.Posted > 60 || s.Stolen != 0 || s.Rescued > 60 {
		t.Errorf("static: %+v", s)
	}
	time.Sleep(50 * time.Millisecond)
	if s := tm.Stats(); s.Parks < 3 {
		t.Errorf("idle: %+v", s)
	}
	tm = newTeam(t, &team.Options{Workers: 4, Schedule: team.Steal})
	slow := func(lo, hi int) {
		if lo < 8 { // the caller's block
			time.Sleep(2 * time.Millisecond)
		}
	}
	for range 20 {
		tm.For(32, slow)
	}
	if s := tm.Stats(); s.Stolen == 0 {
		t.Errorf("steal: %+v", s)
	}
}

// What the documentation calls misuse panics with a text that says what is wrong.
func TestMisuse(t *testing.T) {
	var zero *team.Team
	tm := newTeam(t, &team.Options{Workers: 2})
	gone := newTeam(t, &team.Options{Workers: 2})
	gone.Close()
	body := func(lo, hi int) {}
	sum := func(a, b int) int { return a + b }
	negative, after, inside := "team: negative n", "team: launch on a closed team", "team: Close called from the body of a launch"
	for name, c := range map[string]struct {
		want string
		f    func()
	}{
		"For":                   {negative, func() { tm.For(-1, body) }},
		"For, nil team":         {negative, func() { zero.For(-1, body) }},
		"For, closed team":      {negative, func() { gone.For(math.MinInt, body) }},
		"ForWorker":             {negative, func() { tm.ForWorker(-1, func(*team.Worker, int, int) {}) }},
		"ForContext":            {negative, func() { tm.ForContext(context.Background(), -1, body) }},
		"Launch":                {negative, func() { tm.Launch(team.Launch{}, -1, body) }},
		"Reduce":                {negative, func() { team.Reduce(tm, -1, 0, func(lo, hi int) int { return 0 }, sum) }},
		"unknown schedule":      {"team: unknown schedule Schedule(9)", func() { tm.Launch(team.Launch{Schedule: 9}, 100, body) }},
		"unknown in a view":     {"team: unknown schedule Schedule(9)", func() { tm.With(team.Launch{Schedule: 9}).For(100, body) }},
		"closed For":            {after, func() { gone.For(100, body) }},
		"closed For, serial":    {after, func() { gone.For(1, body) }},
		"closed ForWorker":      {after, func() { gone.ForWorker(100, func(*team.Worker, int, int) {}) }},
		"closed ForContext":     {after, func() { gone.ForContext(context.Background(), 100, body) }},
		"closed Launch, Wait":   {after, func() { gone.Launch(team.Launch{Wait: true}, 100, body) }},
		"closed view":           {after, func() { gone.With(team.Launch{Grain: 3}).For(100, body) }},
		"closed Reduce":         {after, func() { team.Reduce(gone, 10, 0, func(lo, hi int) int { return 0 }, sum) }},
		"Close in a body":       {inside, func() { tm.For(100, func(lo, hi int) { tm.Close() }) }},
		"Close in a nested one": {inside, func() { tm.For(100, func(lo, hi int) { tm.For(100, func(lo, hi int) { tm.Close() }) }) }},
	} {
		v := recovered(c.f)
		if p, ok := v.(*team.Panic); ok {
			v = p.Value
		}
		if v != c.want {
			t.Errorf("%s: panic %v, want %q", name, v, c.want)
		}
	}
	for _, f := range []func(){
		func() { tm.For(0, nil) },
		func() { zero.For(0, nil) },
		func() { tm.Launch(team.Launch{Grain: -5, MaxWorkers: -5}, 100, body) },
	} {
		if v := recovered(f); v != nil {
			t.Errorf("panic %v", v)
		}
	}
	if p, ok := recovered(func() { tm.For(10, nil) }).(*team.Panic); !ok || !strings.Contains(fmt.Sprint(p.Value), "nil pointer") {
		t.Errorf("no body: %v", p)
	}
}

func TestOptionsText(t *testing.T) {
	for p := team.Cores; p <= team.Unpinned; p++ {
		text, err := p.MarshalText()
		var back, colon team.Placement
		if err != nil || back.UnmarshalText(text) != nil || colon.UnmarshalText([]byte(":"+strings.ToUpper(string(text)))) != nil || back != p || colon != p {
			t.Errorf("placement %v: %q, %v, %v", p, text, back, colon)
		}
	}
	for _, s := range schedules {
		text, err := s.MarshalText()
		var back, colon team.Schedule
		if err != nil || back.UnmarshalText(text) != nil || colon.UnmarshalText([]byte(" :"+string(text))) != nil || back != s || colon != s {
			t.Errorf("schedule %v: %q, %v, %v", s, text, back, colon)
		}
	}
	var p team.Placement
	if err := p.UnmarshalText([]byte("socket")); err == nil || err.Error() != `team: unknown placement "socket" (one of cores, numa, threads, unpinned)` {
		t.Errorf("%v", err)
	}
	var s team.Schedule
	if err := s.UnmarshalText([]byte("guided")); err == nil || !strings.Contains(err.Error(), `team: unknown schedule "guided" (one of static, steal, auto)`) {
		t.Errorf("%v", err)
	}
	if got := team.Placement(200).String(); got != "Placement(200)" {
		t.Errorf("%q", got)
	}
}

// A body that asks for the queue of its own team would wait for itself: it runs
// serially instead.
func TestWaitFromABody(t *testing.T) {
	tm := newTeam(t, &team.Options{Workers: 3})
	outer, inner := newCounter(30), newCounter(30)
	tm.For(30, func(lo, hi int) {
		outer.body(lo, hi)
		tm.Launch(team.Launch{Wait: true}, hi-lo, func(a, b int) { inner.body(lo+a, lo+b) })
	})
	outer.check(t, 1)
	inner.check(t, 1)
}
