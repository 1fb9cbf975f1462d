package team_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/numateam/numateam/team"
)

// A panic at any index comes back to the caller as a Panic, after which the team
// is as good as new.
func TestPanic(t *testing.T) {
	boom := errors.New("boom")
	for _, schedule := range schedules {
		for _, workers := range []int{1, 2, 4} {
			tm := newTeam(t, &team.Options{Workers: workers, Schedule: schedule})
			const n = 37
			for at := range n {
				body := func(lo, hi int) {
					if lo <= at && at < hi {
						panic(boom)
					}
				}
				for name, launch := range map[string]func(){
					"For":        func() { tm.For(n, body) },
					"ForWorker":  func() { tm.ForWorker(n, func(_ *team.Worker, lo, hi int) { body(lo, hi) }) },
					"ForContext": func() { tm.ForContext(t.Context(), n, body) },
					"nested":     func() { tm.For(workers, func(lo, hi int) { tm.For(n, body) }) },
					"Reduce": func() {
						team.Reduce(tm, n, 0, func(lo, hi int) int { body(lo, hi); return 0 }, func(a, b int) int { return a + b })
					},
				} {
					p, ok := recovered(launch).(*team.Panic)
					switch {
					case !ok || !errors.Is(p, boom) || p.Value != boom:
						t.Fatalf("%s, %v, %d workers, index %d: recovered %v", name, schedule, workers, at, p)
					case p.Worker < 0 || p.Worker >= workers:
						t.Errorf("%s: worker %d", name, p.Worker)
					case !strings.Contains(string(p.Stack), "team_test.TestPanic") || !strings.Contains(p.Error(), "boom\n\n"+string(p.Stack)):
						t.Errorf("%s: doesn't tell where: %v", name, p)
					}
				}
				c := newCounter(n)
				tm.For(n, c.body)
				c.check(t, 1)
			}
		}
	}
}

// A Panic tells what a body panicked with, whatever it is.
func TestPanicValues(t *testing.T) {
	tm := newTeam(t, &team.Options{Workers: 2})
	for _, c := range []struct {
		do   func()
		text string
	}{
		{func() { panic("text") }, "text"},
		{func() { panic(42) }, "42"},
		{func() { panic(nil) }, "panic called with nil argument"},
		{func() { panic(errors.New("an error")) }, "an error"},
		{func() { var x []int; _ = x[5] }, "index out of range"},
		{func() { panic(&team.Panic{Value: "wrapped already", Worker: 1}) }, "wrapped already"},
	} {
		p, ok := recovered(func() { tm.For(2, func(lo, hi int) { c.do() }) }).(*team.Panic)
		if !ok || !strings.Contains(p.Error(), c.text) {
			t.Errorf("%s: recovered %v", c.text, p)
		}
	}
}

// After the first panic no further chunk is begun.
func TestPanicStops(t *testing.T) {
	for _, schedule := range schedules {
		tm := newTeam(t, &team.Options{Workers: 2, Schedule: schedule})
		var late atomic.Int32
		var raised atomic.Int64
		recovered(func() {
			tm.ForContext(cancellable(t), 16_000, func(lo, hi int) {
				if raised.Load() == 0 {
					raised.Store(1)
					panic("boom")
				}
				late.Add(1)
				time.Sleep(time.Millisecond)
			})
		})
		// Each participant may have been past its look at the state.
		if n := late.Load(); n > 2 {
			t.Errorf("%v: %d chunks were begun after a panic", schedule, n)
		}
	}
}

func cancellable(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	return ctx
}

// goexits reports whether f ends its goroutine by Goexit.
func goexits(f func()) bool {
	done := make(chan bool)
	go func() {
		exited := true
		defer func() { done <- exited && recover() == nil }()
		f()
		exited = false
	}()
	return <-done
}

// A Goexit at any index ends the caller's goroutine in the same way, and the team
// is whole again: the worker is replaced.
func TestGoexit(t *testing.T) {
	for _, schedule := range schedules {
		for _, workers := range []int{1, 2, 4} {
			tm := newTeam(t, &team.Options{Workers: workers, Schedule: schedule})
			const n = 37
			for at := range n {
				if !goexits(func() {
					tm.For(n, func(lo, hi int) {
						if lo <= at && at < hi {
							runtime.Goexit()
						}
					})
				}) {
					t.Fatalf("%v, %d workers, Goexit at %d: For returned", schedule, workers, at)
				}
				c := newCounter(n)
				tm.For(n, c.body)
				c.check(t, 1)
			}
			if !goexits(func() { tm.For(n, func(lo, hi int) { runtime.Goexit() }) }) {
				t.Errorf("%v, %d workers, Goexit everywhere: For returned", schedule, workers)
			}
			_ = tm.Report() // of workers that are being replaced
			tm.Close()      // while they are
		}
	}
}

// A Goexit within Bind, and one in a launch that Bind surrounds, unlock the thread.
func TestGoexitInBind(t *testing.T) {
	tm := newTeam(t, &team.Options{Workers: 2})
	for range 20 {
		if !goexits(func() { tm.Bind(func() { tm.For(2, func(lo, hi int) { runtime.Goexit() }) }) }) {
			t.Fatal("Bind returned")
		}
		if recovered(func() { tm.Bind(func() { tm.Hot(func() { panic("boom") }) }) }) != "boom" {
			t.Fatal("a panic in Bind is another")
		}
	}
	ran := false
	tm.Bind(func() { ran = true })
	if !ran || strings.Contains(tm.Report(), "Bind ran unbound") {
		t.Error(tm.Report())
	}
}

// A panic of a worker's reaches the caller, also if the caller's own part ends by
// Goexit, or another's did before.
func TestPanicBesideGoexit(t *testing.T) {
	for _, panicFirst := range []bool{true, false} {
		tm := newTeam(t, &team.Options{Workers: 2, Schedule: team.Static})
		for range 50 {
			var inside atomic.Int32
			var first atomic.Bool
			end := func(mine bool, f func()) {
				for inside.Add(1); inside.Load() < 2; {
					runtime.Gosched()
				}
				if mine {
					defer first.Store(true)
				} else {
					for !first.Load() {
						runtime.Gosched()
					}
					time.Sleep(50 * time.Microsecond) // until the first is on record
				}
				f()
			}
			var value any
			done := make(chan bool)
			go func() {
				defer close(done)
				defer func() { value = recover() }()
				tm.Hot(func() {
					tm.ForWorker(2, func(w *team.Worker, lo, hi int) { // Hot: nobody is left asleep
						if w.ID() == 0 {
							end(!panicFirst, runtime.Goexit)
						} else {
							end(panicFirst, func() { panic("boom") })
						}
					})
				})
			}()
			<-done
			if p, ok := value.(*team.Panic); !ok || p.Value != "boom" {
				t.Fatalf("panic first: %v: recovered %v", panicFirst, value)
			}
		}
	}
}
