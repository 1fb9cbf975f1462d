package team

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/numateam/numateam/topology/topologytest"
)

// A worker that is awake while its word says parked, since it was revoked before its
// waker said that it was woken, goes to sleep, and wakes up for the next launch.
func TestParkedWhileAwake(t *testing.T) {
	tm, err := New(&Options{Workers: 2, Schedule: Static})
	if err != nil {
		t.Fatal(err)
	}
	defer tm.Close()
	if tm.core.crowded.Load() {
		topologytest.Missing(t, "needs 2 CPUs")
	}
	s := &tm.core.slots[1]
	both := func() { // both take part
		var came atomic.Bool
		tm.ForWorker(2, func(w *Worker, lo, hi int) {
			for came.CompareAndSwap(false, w.ID() == 1); !came.Load(); {
				runtime.Gosched()
			}
		})
	}
	for range 3 {
		tm.Hot(func() {
			both()
			if !s.cmd.CompareAndSwap(idle, parked) {
				t.Errorf("the worker is %d, not idle", s.cmd.Load())
			}
		})
		time.Sleep(20 * time.Millisecond)
		parks := s.count.parks.Load()
		time.Sleep(20 * time.Millisecond)
		if n := s.count.parks.Load() - parks; n > 1 {
			t.Errorf("the worker tried to sleep %d times", n)
		}
	}
	both()
}
