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

// While as many goroutines launch as there are CPUs, the workers are left alone.
func TestOneCallerForEachCPU(t *testing.T) {
	process := affinity(t, 0)
	if process.Len() < 2 || runtime.GOMAXPROCS(0) < 2 {
		t.Skip("needs 2 CPUs")
	}
	cpus := slices.Collect(process.All())[:2]
	tm := newTeam(t, &team.Options{CPUs: topology.SetOf(cpus...), Workers: 2})
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
		tm.For(2, func(lo, hi int) { // finds the team busy
			if lo == 0 {
				close(outside)
				<-end
			}
		})
	})
	<-outside
	posted := func(launches int) uint64 {
		before := tm.Stats().Posted
		c := newCounter(100)
		v := tm.With(team.Launch{Wait: true}) // the first may not be over yet
		tm.Hot(func() {                       // nobody is left aside for being asleep
			for range launches {
				v.For(100, c.body)
			}
		})
		c.check(t, int32(launches))
		return tm.Stats().Posted - before
	}
	if n := posted(10); n > 0 {
		t.Errorf("%d commands to workers, with a caller for each CPU", n)
	}
	// One that begins so and goes on when there are CPUs again calls them.
	before := tm.Stats().Posted
	ended := false
	tm.With(team.Launch{Schedule: team.Static}).For(2, func(lo, hi int) {
		if !ended {
			close(end)
			wg.Wait()
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
