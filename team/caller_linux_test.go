//go:build linux && (amd64 || arm64)

package team_test

import (
	"runtime"
	"slices"
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
		if both := testing.AllocsPerRun(5, func() { sit(); launch() }); both > sits {
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

// While as many goroutines launch as there are CPUs, short launches leave the workers alone.
func TestOneCallerForEachCPU(t *testing.T) {
	process := affinity(t, 0)
	if process.Len() < 2 || runtime.GOMAXPROCS(0) < 2 {
		topologytest.Missing(t, "needs 2 CPUs")
	}
	cpus := slices.Collect(process.All())[:2]
	tm := newTeam(t, &team.Options{CPUs: topology.SetOf(cpus...), Workers: 2})
	short := func(lo, hi int) {}
	for range 10 {
		tm.For(2, short)
	}
	busy, outside, end := make(chan bool), make(chan bool), make(chan bool)
	var wg sync.WaitGroup
	wg.Go(func() {
		tm.For(2, func(lo, hi int) {
			if lo == 0 {
				close(busy)
				<-outside
			}
		})
	})
	<-busy
	wg.Go(func() {
		tm.For(2, func(lo, hi int) {
			if lo == 0 {
				close(outside)
				<-end
			}
		})
	})
	<-outside
	launches := tm.With(team.Launch{Wait: true}) // the first may not be over yet
	launches.For(2, short)
	before := tm.Stats()
	for range 10 {
		launches.For(2, short)
	}
	if s := tm.Stats(); s.Posted != before.Posted || s.Launches != before.Launches {
		t.Errorf("before %+v, after %+v", before, s)
	}
	close(end)
	wg.Wait()
	launches.For(2, short)
	if s := tm.Stats(); s.Launches != before.Launches+1 {
		t.Errorf("before %+v, after one that was shared out %+v", before, s)
	}
}
