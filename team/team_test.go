package team_test

import (
	"errors"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/numateam/numateam/team"
)

// newTeam makes a team that is closed when the test ends.
func newTeam(tb testing.TB, o *team.Options) *team.Team {
	tb.Helper()
	t, err := team.New(o)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { t.Close() })
	return t
}

// counter counts how often each index was run.
type counter struct{ n []atomic.Int32 }

func newCounter(n int) *counter { return &counter{make([]atomic.Int32, n)} }

func (c *counter) body(lo, hi int) {
	for i := lo; i < hi; i++ {
		c.n[i].Add(1)
	}
}

func (c *counter) check(tb testing.TB, want int32) {
	tb.Helper()
	for i := range c.n {
		if got := c.n[i].Load(); got != want {
			tb.Fatalf("index %d was run %d times, want %d", i, got, want)
		}
	}
}

var schedules = []team.Schedule{team.Static, team.Steal, team.Auto}

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
		}
	}
}

func TestPanic(t *testing.T) {
	tm := newTeam(t, &team.Options{Workers: 4})
	boom := errors.New("boom")
	for at := range 4 {
		func() {
			defer func() {
				p, ok := recover().(*team.Panic)
				if !ok || !errors.Is(p, boom) {
					t.Errorf("recovered %v", p)
				}
			}()
			tm.For(4, func(lo, hi int) {
				if lo <= at && at < hi {
					panic(boom)
				}
			})
		}()
	}
	c := newCounter(100)
	tm.For(100, c.body)
	c.check(t, 1)
}

func TestGoexit(t *testing.T) {
	tm := newTeam(t, &team.Options{Workers: 4, Schedule: team.Steal})
	for range 50 {
		done := make(chan bool)
		go func() {
			returned := false
			defer func() { done <- returned }()
			tm.For(4, func(lo, hi int) { runtime.Goexit() })
			returned = true
		}()
		if <-done {
			t.Fatal("For returned")
		}
		c := newCounter(100)
		tm.For(100, c.body)
		c.check(t, 1)
	}
}

func TestAllocs(t *testing.T) {
	for _, workers := range []int{2, 16} {
		for _, schedule := range schedules {
			tm := newTeam(t, &team.Options{Workers: workers, Schedule: schedule})
			body := func(lo, hi int) {}
			if n := testing.AllocsPerRun(1000, func() { tm.For(1000, body) }); n != 0 {
				t.Errorf("%d workers, %v: %v allocations per launch", workers, schedule, n)
			}
		}
	}
}

func BenchmarkLaunch(b *testing.B) {
	for _, schedule := range schedules {
		for _, workers := range []int{2, 16} {
			b.Run(schedule.String()+"/"+string(rune('0'+workers/10))+string(rune('0'+workers%10)), func(b *testing.B) {
				tm := newTeam(b, &team.Options{Schedule: schedule, Workers: workers})
				body := func(lo, hi int) {}
				lat := make([]time.Duration, b.N)
				b.ReportAllocs()
				for i := range lat {
					t := time.Now()
					tm.For(tm.Size(), body)
					lat[i] = time.Since(t)
				}
				slices.Sort(lat)
				b.ReportMetric(float64(lat[b.N/2]), "p50-ns")
				b.ReportMetric(float64(lat[b.N*99/100]), "p99-ns")
				s := tm.Stats()
				b.ReportMetric(float64(s.Rescued+s.Stolen)/float64(b.N), "rescued/op")
				b.ReportMetric(float64(s.Parks)/float64(b.N), "parks/op")
				b.ReportMetric(float64(s.Woken)/float64(b.N), "woken/op")
			})
		}
	}
}
