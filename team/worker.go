package team

import (
	"context"
	"runtime"
	"runtime/pprof"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/numateam/numateam/topology"
)

// A Worker is a participant as the body of [Team.ForWorker] sees it.
type Worker struct {
	id    int
	cpu   int          // OS id; -1 if it isn't bound to one
	node  int          // OS id; -1 unknown
	home  int          // the node for its memory: node, or the nearest that has some
	class int          // index into core.classCosts
	mask  topology.Set // what it is bound to; empty: nothing

	victims []int32      // the other slots, those on the same node first
	pinErr  error        // why it isn't bound to mask
	tid     atomic.Int64 // its thread, if it is bound
	bed     sleeper

	_    [64]byte // what follows is written in each launch, what is before is read by others
	gaps gaps
	_    [64]byte
}

// ID returns the participant's number, from 0 (the caller) to Size()-1. No two
// participants of one launch have the same; a launch that runs serially is run
// by number 0.
func (w *Worker) ID() int { return w.id }

// CPU returns the OS id of the CPU that the worker belongs on, -1 if there is no
// one such; [Team.Report] tells whether it is bound to it. The caller is not.
func (w *Worker) CPU() int { return w.cpu }

// Node returns the OS id of the node that the worker belongs to, -1 if unknown.
func (w *Worker) Node() int { return w.node }

// start starts worker i on a thread of its own and returns once it is bound.
func (c *core) start(i int) {
	ready := make(chan struct{})
	go c.live(&c.workers[i], &c.slots[i], ready)
	<-ready
}

// live is a worker's goroutine. It never unlocks its thread, so that the thread
// ends with it and takes its mask along. The main thread can't end, though: a
// worker that finds itself on it hands over to a successor on another.
func (c *core) live(w *Worker, s *slot, ready chan struct{}) {
	runtime.LockOSThread()
	if onMainThread() {
		handed := make(chan struct{})
		go func() {
			close(handed) // we run, and not on the main thread: that is still locked
			c.live(w, s, ready)
		}()
		<-handed
		runtime.UnlockOSThread()
		return
	}
	err := c.settle(w)
	pprof.SetGoroutineLabels(pprof.WithLabels(context.Background(),
		pprof.Labels("team", strconv.FormatUint(c.id, 10), "worker", strconv.Itoa(w.id))))
	if ready != nil { // else pinErr may be read meanwhile
		w.pinErr = err
		close(ready)
	}
	left := false
	defer func() {
		if left {
			c.done.Done()
			return
		}
		// A Goexit in the body, which the region has on record, ends this
		// goroutine and its thread. Another takes the slot over.
		w.tid.Store(0) // the id may soon be another's
		c.leaveRunning(s, idle)
		go c.live(w, s, nil)
	}()
	c.serve(w, s)
	left = true
}

// settle binds the calling thread to the worker's CPUs.
func (c *core) settle(w *Worker) error {
	shortTimerSlack()
	if w.mask.IsEmpty() {
		return nil
	}
	err := setAffinity(0, w.mask)
	if err == nil {
		w.tid.Store(int64(thread()))
	}
	return err
}

// serve carries out commands until the team is closed.
func (c *core) serve(w *Worker, s *slot) {
	for {
		at("serve", 0, 0, 0, false, false)
		cmd := c.await(w, s)
		if cmd == leave {
			return
		}
		if s.cmd.CompareAndSwap(cmd, running) { // else it was taken back
			c.takePart(w, s)
		}
	}
}

// takePart runs a worker's part of a region. The worker is running.
func (c *core) takePart(w *Worker, s *slot) {
	in := c.reg.view
	c.wakeNext()
	c.wakeNext()
	for !in.steal || c.joins(w) {
		k, ok := s.front()
		if !ok {
			break
		}
		c.reg.block(w, s, k)
	}
	if !in.steal {
		c.leaveRunning(s, idle)
		return
	}
	s.rng.Or(startedBit) // a slow worker may leave its block to the others untouched
	c.scavenge(w, s, in)
}

// await waits for a command: it spins for as long as launches are likely to come
// soon, then sleeps.
func (c *core) await(w *Worker, s *slot) (cmd uint32) {
	since := nanotime()
	rest := w.gaps.rest(c.crowded.Load())
	for i := 1; ; i++ {
		at("await", 0, 0, 0, rest.nap > 0, false)
		if cmd = s.cmd.Load(); cmd > parked {
			gap := int64(0)
			if i > clockSpins {
				gap = nanotime() - since
			}
			w.gaps.add(gap)
			return cmd
		}
		if i%clockSpins == 0 && nanotime()-since > rest.spin && !c.keepSpinning() {
			s.count.parks.Add(1)
			c.park(w, s, rest.nap)
			rest = rest.afterNap()
		}
		pause(spinPause)
	}
}

// keepSpinning tells whether somebody asked for hot workers, within reason.
func (c *core) keepSpinning() bool { return c.hot.Load() > 0 && !c.crowded.Load() }

// park sleeps until there is a command, or for d if d > 0. It returns with the
// worker's word anything but parked.
func (c *core) park(w *Worker, s *slot, d time.Duration) {
	s.woken.Store(0) // a wake may have come late, while it was already awake
	// It may be parked although awake: revoked before its waker said that it was woken.
	s.cmd.CompareAndSwap(idle, parked)
	for s.cmd.Load() == parked {
		at("park", 0, 0, 0, d > 0, false)
		w.bed.sleep(&s.cmd, parked, d)
		if d > 0 && s.cmd.CompareAndSwap(parked, idle) {
			return
		}
	}
	if at := s.woken.Load(); at > 0 {
		c.learnWake(nanotime() - at)
	}
}
