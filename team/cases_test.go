package team_test

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/numateam/numateam/team"
)

// TestLiveCases checks those of the collected behaviours that need threads and
// have no test that says the same: team-04 is TestOnOneCPU and TestWorkersAreBound,
// team-05 TestBindingDoesNotLeak, team-06 TestIdleTeamSleeps. Those with tables are
// in TestCases.
func TestLiveCases(t *testing.T) {
	t.Run("team-01", func(t *testing.T) {
		for _, schedule := range schedules {
			for _, victim := range []int{2, 0} {
				tm := newTeam(t, &team.Options{Workers: 4, Schedule: schedule})
				var inside atomic.Int32
				raised := false
				within(t, 10*time.Second, func() {
					for !raised { // others may have run worker 2's part
						p, ok := recovered(func() {
							tm.ForWorker(400, func(w *team.Worker, lo, hi int) {
								inside.Add(1)
								defer inside.Add(-1)
								if w.ID() == victim {
									panic("boom")
								}
								time.Sleep(50 * time.Microsecond)
							})
						}).(*team.Panic)
						if ok && (p.Value != "boom" || p.Worker != victim) {
							t.Fatalf("recovered %v", p)
						}
						if n := inside.Load(); n != 0 {
							t.Fatalf("%d parts haven't finished", n)
						}
						raised = ok
					}
				})
				c := newCounter(100)
				tm.For(100, c.body)
				c.check(t, 1)
			}
		}
	})
	t.Run("team-02", func(t *testing.T) {
		tm := newTeam(t, &team.Options{Workers: 2})
		within(t, 10*time.Second, func() {
			c := newCounter(100)
			tm.For(2, func(lo, hi int) {
				for range hi - lo {
					tm.For(100, c.body)
				}
			})
			c.check(t, 2)
		})
	})
	t.Run("team-03", func(t *testing.T) {
		tm := newTeam(t, &team.Options{Workers: 4, Schedule: team.Static})
		tm.For(0, func(lo, hi int) { t.Error("called for nothing") })
		r := new(ranges)
		tm.For(10, r.body)
		for _, b := range r.check(t, 10, 1) {
			if n := b[1] - b[0]; n < 2 || n > 3 {
				t.Errorf("a part of %d", n)
			}
		}
	})
	t.Run("team-07", func(t *testing.T) {
		empty := func() {
			for _, procs := range []int{1, 2} {
				old := runtime.GOMAXPROCS(procs)
				defer runtime.GOMAXPROCS(old)
				tm := newTeam(t, &team.Options{Workers: 8})
				var ran atomic.Int64
				body := func(lo, hi int) { ran.Add(int64(hi - lo)) }
				for range 10_000 {
					tm.For(8, body)
				}
				if ran.Load() != 80_000 {
					t.Errorf("%d of 80,000 indices", ran.Load())
				}
			}
		}
		within(t, 20*time.Second, empty)
		startHogs(t, runtime.NumCPU())
		within(t, 60*time.Second, empty)
	})
	t.Run("team-08", func(t *testing.T) {
		setProcs(t, 1)
		for _, schedule := range schedules {
			tm := newTeam(t, &team.Options{Workers: 4, Schedule: schedule})
			var stop atomic.Bool
			var wg sync.WaitGroup
			wg.Go(func() {
				for !stop.Load() {
					runtime.GC()
				}
			})
			within(t, 30*time.Second, func() {
				c := newCounter(10)
				launches := int32(0)
				for i := range rounds(1000, 5*time.Second) {
					tm.For(10, func(lo, hi int) {
						c.body(lo, hi)
						if lo == 0 && i%100 == 0 {
							runtime.GC()
						}
					})
					launches++
				}
				c.check(t, launches)
			})
			stop.Store(true)
			wg.Wait()
		}
	})
	t.Run("team-09", func(t *testing.T) {
		tm := newTeam(t, &team.Options{Workers: 4})
		var wg sync.WaitGroup
		c := newCounter(64)
		begun := make(chan bool, 64)
		wg.Go(func() {
			tm.For(64, func(lo, hi int) {
				begun <- true
				time.Sleep(time.Millisecond)
				c.body(lo, hi)
			})
		})
		<-begun
		for range 3 {
			wg.Go(func() {
				tm.Close()
				c.check(t, 1) // the launch in progress has ended
			})
		}
		wg.Wait()
		tm.Close()
		if p := recovered(func() { tm.For(2, c.body) }); p != "team: launch on a closed team" {
			t.Errorf("panic %v", p)
		}
	})
}
