//go:build linux && (amd64 || arm64)

package team_test

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/numateam/numateam/numa"
	"github.com/numateam/numateam/team"
	"github.com/numateam/numateam/topology"
	"github.com/numateam/numateam/topology/topologytest"
)

// A caller that runs on a worker's CPU moves away before a long launch, instead of
// keeping the worker from its block until the system moves one of them.
func TestCallerMovesOutOfTheWay(t *testing.T) {
	process := affinity(t, 0)
	if process.Len() < 2 {
		topologytest.Missing(t, "needs 2 CPUs")
	}
	tm := newTeam(t, &team.Options{Workers: 2, Schedule: team.Static})
	worker, caller := -1, -1
	body := func(w *team.Worker, lo, hi int) {
		if w.ID() == 0 {
			caller, _ = numa.Getcpu()
		} else {
			worker = w.CPU()
		}
		spin(time.Millisecond)
	}
	launch := func() { tm.ForWorker(2, body) }
	for worker < 0 {
		launch()
	}
	onThread(t, process, func() {
		sit := func() { // where the worker belongs, free to leave
			bindThread(t, 0, topology.SetOf(worker))
			bindThread(t, 0, process)
		}
		sits := testing.AllocsPerRun(5, sit)
		if both := testing.AllocsPerRun(5, func() { sit(); launch() }); both > sits && !builtWith("-asan") { // as in TestAllocs
			t.Errorf("a launch that moves its caller allocates: %v, %v without it", both, sits)
		}
		const launches = 20
		inTheWay := 0
		for range launches {
			sit()
			launch()
			if caller == worker {
				inTheWay++
			}
		}
		if inTheWay > launches/2 {
			t.Errorf("the caller ran beside the worker in %d of %d launches", inTheWay, launches)
		}
	})
}

// A caller that is bound to a worker's CPU isn't sent away, to be back at once.
func TestBoundCallerStays(t *testing.T) {
	if affinity(t, 0).Len() < 2 {
		topologytest.Missing(t, "needs 2 CPUs")
	}
	tm := newTeam(t, &team.Options{Workers: 2})
	body := func(lo, hi int) { spin(time.Millisecond) }
	var worker int
	onWorkers(tm, func(w *team.Worker) {
		if w.ID() == 1 {
			worker = w.CPU()
		}
	})
	onThread(t, topology.SetOf(worker), func() {
		before := migrations(t)
		for range 20 {
			tm.For(2, body)
		}
		if n := migrations(t) - before; n > 0 {
			t.Errorf("%d moves in 20 launches", n)
		}
	})
}

// migrations returns how often the calling thread was moved to another CPU.
func migrations(t *testing.T) int {
	text, _ := os.ReadFile("/proc/thread-self/sched")
	_, count, _ := strings.Cut(string(text), "se.nr_migrations")
	n := 0
	if _, err := fmt.Sscanf(count, " : %d", &n); err != nil {
		t.Skip("the system doesn't count moves")
	}
	return n
}

// outside makes a launch that finds the team busy, and isn't over until end is called.
func outside(tm *team.Team) (end func()) {
	busy, running, over := make(chan bool), make(chan bool), make(chan bool)
	var wg sync.WaitGroup
	wg.Go(func() {
		tm.For(2, func(lo, hi int) {
			if lo == 0 {
				close(busy)
				<-running
			}
		})
	})
	<-busy
	wg.Go(func() {
		tm.For(2, func(lo, hi int) {
			if lo == 0 {
				close(running)
				<-over
			}
		})
	})
	<-running
	tm.Launch(team.Launch{Wait: true}, 2, func(lo, hi int) {}) // the first is over
	return func() {
		close(over)
		wg.Wait()
	}
}

// While there are as many callers as CPUs, the workers are left alone, and the caller
// where it is. As long as there are CPUs for them they are not, wherever they sit.
func TestOneCallerForEachCPU(t *testing.T) {
	process := affinity(t, 0)
	if process.Len() < 2 || runtime.GOMAXPROCS(0) < 2 {
		topologytest.Missing(t, "needs 2 CPUs")
	}
	cpus := slices.Collect(process.All())[:2]
	for _, procs := range slices.Compact([]int{2, min(runtime.GOMAXPROCS(0), runtime.NumCPU())}) {
		setProcs(t, procs)
		tm := newTeam(t, &team.Options{CPUs: topology.SetOf(cpus...), Workers: 2})
		posted := func(launches int) uint64 {
			before := tm.Stats().Posted
			c := newCounter(100)
			tm.Hot(func() { // nobody is left aside for being asleep
				for range launches {
					tm.For(100, c.body)
				}
			})
			c.check(t, int32(launches))
			return tm.Stats().Posted - before
		}
		end := outside(tm)
		if procs > 2 {
			if n := posted(10); n != 10 {
				t.Errorf("%d commands to workers in 10 launches, with 2 callers for %d CPUs", n, procs)
			}
			end()
			continue
		}
		if n := posted(10); n > 0 {
			t.Errorf("%d commands to workers, with a caller for each CPU", n)
		}
		onThread(t, process, func() {
			moved := 0
			for range 20 {
				bindThread(t, 0, topology.SetOf(cpus[1]))
				bindThread(t, 0, process)
				tm.For(2, func(lo, hi int) { spin(time.Millisecond) })
				if cpu, _ := numa.Getcpu(); cpu != cpus[1] {
					moved++
				}
			}
			if moved > 10 {
				t.Errorf("the caller was moved in %d of 20 launches, with a caller for each CPU", moved)
			}
		})
		// One that begins so and goes on when there are CPUs again calls them.
		before := tm.Stats().Posted
		ended := false
		tm.With(team.Launch{Schedule: team.Static}).For(2, func(lo, hi int) {
			if !ended {
				end()
				time.Sleep(time.Millisecond) // more than a wake takes
				ended = true
			}
		})
		if n := tm.Stats().Posted - before; n != 1 {
			t.Errorf("%d commands to workers once there were CPUs for them", n)
		}
		if n := posted(10); n != 10 {
			t.Errorf("%d commands to workers in 10 launches, with one caller", n)
		}
	}
}
