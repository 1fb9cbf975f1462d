package team

import "math"

// A group is the participants of one class of cores.
type group struct {
	workers int
	cost    float64 // time for one task; 1 for the fastest class
	tasks   int     // what shares gives the group
}

// shares deals m equal tasks out to groups of participants so that the last is
// done as early as can be.
//
// The least makespan T is a multiple of some class's cost, and the least such
// with room for all tasks: the sum of workers*floor(T/cost) is at least m. What
// is left over is taken from the slowest first, so that a class takes part only
// if it shortens the launch: 4 fast cores and 4 that are 4 times slower share 17
// equal tasks, but not 16.
func shares(groups []group, m int) {
	fits := func(t float64) int {
		room := 0
		for _, g := range groups {
			room += g.workers * tasksIn(t, g.cost)
		}
		return room
	}
	best := math.Inf(1)
	for _, g := range groups {
		lo, hi := 0, m // the least j in (lo, hi] for which t = j*cost fits
		if g.workers == 0 || fits(float64(hi)*g.cost) < m {
			continue
		}
		for hi-lo > 1 {
			if mid := lo + (hi-lo)/2; fits(float64(mid)*g.cost) >= m {
				hi = mid
			} else {
				lo = mid
			}
		}
		best = min(best, float64(hi)*g.cost)
	}
	extra := -m
	for i := range groups {
		groups[i].tasks = groups[i].workers * tasksIn(best, groups[i].cost)
		extra += groups[i].tasks
	}
	for extra > 0 {
		var slowest *group
		for i := range groups {
			if g := &groups[i]; g.tasks > 0 && (slowest == nil || g.cost >= slowest.cost) {
				slowest = g
			}
		}
		cut := min(extra, slowest.tasks)
		slowest.tasks -= cut
		extra -= cut
	}
}

// tasksIn returns how many tasks of a cost fit into time t, which may be off by
// rounding.
func tasksIn(t, cost float64) int { return int(t/cost + 1e-9) }

// worthwhile tells whether a participant that takes cost times as long as a fast
// one should claim one more of left unclaimed tasks: only if the fast ones, on
// their own, won't be done with them sooner.
func worthwhile(left, fast int, cost float64) bool {
	return float64(ceilDiv(left, max(fast, 1))) >= cost
}
