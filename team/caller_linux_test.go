package team_test

import (
	"testing"
	"time"

	"github.com/numateam/numateam/numa"
	"github.com/numateam/numateam/team"
	"github.com/numateam/numateam/topology"
)

// A caller that runs on a worker's CPU moves away before a long launch, instead of
// keeping the worker from its block until the system moves one of them.
func TestCallerMovesOutOfTheWay(t *testing.T) {
	process := affinity(t, 0)
	if process.Len() < 2 {
		t.Skip("needs 2 CPUs")
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
		const launches = 20
		inTheWay := 0
		for range launches {
			bindThread(t, 0, topology.SetOf(worker))
			bindThread(t, 0, process)
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
