package team

import (
	"sync"
	"sync/atomic"
	"time"
)

// How long who spins before he sleeps. A PAUSE takes 10 to 140 cycles, by CPU, so
// loops count them only up to the next look at the clock (see clockSpins).
const (
	spinPause = 1 // PAUSEs between two looks at a word

	warmSpin    = 50_000     // ns that a worker spins after a launch, whatever comes
	shortGap    = 200_000    // ns: gaps between launches up to this are spun through
	longestGap  = 10_000_000 // ns: longer ones are slept through without a plan
	joinSpin    = 100_000    // ns that the caller spins for a body that runs
	crowdedSpin = 2_000      // ns, when there are more workers than CPUs for them
	deadline    = 64         // wake latencies after which no block is kept for its owner
)

// A rest is how a worker waits: it spins until spin ns have gone by, then sleeps
// for nap, spins until until, and then sleeps until it is called. Without a nap
// it sleeps until called at once.
type rest struct {
	spin  int64
	nap   time.Duration
	until int64
}

// afterNap is what is left of the rest once the first sleep is over.
func (r rest) afterNap() rest { return rest{spin: r.until} }

// gaps holds the last times, in ns, that a worker waited between two commands.
type gaps struct {
	ns [4]int64
	n  uint32
}

func (g *gaps) add(ns int64) {
	g.ns[g.n%4] = ns
	g.n++
}

// rest plans the next wait by the last ones. Through short gaps it spins. Long
// gaps that are alike, as in a program that launches every millisecond, it
// sleeps through for the most part and is awake again before the next is due:
// 0.85 of the gap, and spinning up to 1.3 of it.
func (g *gaps) rest(crowded bool) rest {
	if crowded {
		return rest{spin: crowdedSpin}
	}
	least, most := g.ns[0], g.ns[0]
	for _, ns := range g.ns[1:] {
		least, most = min(least, ns), max(most, ns)
	}
	switch {
	case most <= shortGap:
		return rest{spin: max(warmSpin, 2*most)}
	case most <= longestGap && least >= most-most/4:
		g := most/2 + least/2
		return rest{spin: warmSpin, nap: time.Duration(g*85/100 - warmSpin), until: g * 13 / 10}
	}
	return rest{spin: warmSpin}
}

// A queue is where goroutines wait for a busy team. Passing by costs a load.
type queue struct {
	waiting atomic.Int32
	mu      sync.Mutex
	cond    sync.Cond // L is &mu
}

// wait returns once the lock isn't busy, if only for a moment.
func (q *queue) wait(lock *atomic.Uint32) {
	q.waiting.Add(1)
	q.mu.Lock()
	for lock.Load() == busy {
		q.cond.Wait()
	}
	q.mu.Unlock()
	q.waiting.Add(-1)
}

// notify lets those who wait look again. Call it after the lock was released:
// whoever isn't counted yet will see that.
func (q *queue) notify() {
	if q.waiting.Load() > 0 {
		q.mu.Lock()
		q.cond.Broadcast()
		q.mu.Unlock()
	}
}
