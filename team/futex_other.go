//go:build !linux && !teamcheck

package team

import "time"

// sleeper is what a thread sleeps on where there is no futex: a channel that
// holds at most one wake. A wake may find nobody and be taken later, for no
// reason; whoever sleeps looks at its word again in any case.
type sleeper struct{ c chan struct{} }

// newSleeper returns a sleeper nobody sleeps on.
func newSleeper() sleeper { return sleeper{make(chan struct{}, 1)} }

// sleep returns when w doesn't hold val, when it was woken, after d if d > 0, or
// for no reason at all.
func (s sleeper) sleep(w *word32, val uint32, d time.Duration) {
	if w.Load() != val {
		return
	}
	if d <= 0 {
		<-s.c
		return
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-s.c:
	case <-t.C:
	}
}

// wake wakes the thread that sleeps on w.
func (s sleeper) wake(*word32) {
	select {
	case s.c <- struct{}{}:
	default:
	}
}
