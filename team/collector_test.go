package team_test

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/numateam/numateam/team"
)

// stopping returns how often the collector had to wait for the world to stop for
// longer than d.
func stopping(tb testing.TB, d time.Duration) (longer uint64) {
	tb.Helper()
	s := []metrics.Sample{{Name: "/sched/pauses/stopping/gc:seconds"}}
	metrics.Read(s)
	if s[0].Value.Kind() != metrics.KindFloat64Histogram {
		tb.Skip("the runtime doesn't tell how long it takes to stop the world")
	}
	h := s[0].Value.Float64Histogram()
	for i, n := range h.Counts {
		if h.Buckets[i] >= d.Seconds() || math.IsInf(h.Buckets[i+1], 1) {
			longer += n
		}
	}
	return longer
}

// The collector doesn't have to wait for a team, whether it spins or works. If it
// had to, each wait would take far more than 50 ms; where the machine is busy some
// do anyway.
func TestCollectorNeedntWait(t *testing.T) {
	for name, body := range map[string]func(lo, hi int){
		"spinning": func(lo, hi int) {},
		"working":  func(lo, hi int) { spin(time.Duration(hi-lo) * time.Microsecond) },
	} {
		tm := newTeam(t, nil)
		before := [2]uint64{stopping(t, 5*time.Millisecond), stopping(t, 50*time.Millisecond)}
		var done atomic.Bool
		var wg sync.WaitGroup
		wg.Go(func() {
			tm.Hot(func() {
				for !done.Load() {
					tm.For(1000, body)
				}
			})
		})
		collections := 0
		for range rounds(100, 2*time.Second) {
			runtime.GC()
			collections++
		}
		done.Store(true)
		wg.Wait()
		t.Logf("%s: %d collections, %d waits above 5 ms", name, collections, stopping(t, 5*time.Millisecond)-before[0])
		if n := int(stopping(t, 50*time.Millisecond) - before[1]); n > collections/2 {
			t.Errorf("%s: the collector waited for more than 50 ms %d times in %d", name, n, collections)
		}
	}
}

// Under a collector that never rests no launch loses anything.
func TestLaunchesUnderCollector(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(5))
	var done atomic.Bool
	var wg sync.WaitGroup
	wg.Go(func() {
		var keep [64][]byte
		for i := 0; !done.Load(); i++ {
			keep[i%64] = make([]byte, 64<<10)
		}
	})
	for _, schedule := range schedules {
		tm := newTeam(t, &team.Options{Workers: 4, Schedule: schedule})
		c := newCounter(33)
		launches := int32(0)
		for range rounds(10_000/3, 5*time.Second) {
			offset := new(int) // a new closure each time
			tm.For(33, func(lo, hi int) { c.body(lo+*offset, hi+*offset) })
			launches++
		}
		c.check(t, launches)
		t.Logf("%v: %d launches", schedule, launches)
	}
	done.Store(true)
	wg.Wait()
}
