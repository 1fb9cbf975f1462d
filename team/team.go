package team

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"strings"

	"github.com/numateam/numateam/numa"
	"github.com/numateam/numateam/topology"
)

// A Team runs loops on the CPUs of its workers. The goroutine that launches a
// loop takes part in it, as participant 0; the others are threads of the team's
// own, each bound to its CPU. See the package comment for what a launch does.
//
// A nil *Team is valid: it runs every loop serially on the caller.
//
// All methods can be called from any goroutine. A Team that is no longer
// reachable is closed by the collector; closing it is better.
type Team struct {
	core   *core
	launch Launch
	root   *Team // whose collection closes the team; views keep it alive
}

// New makes a team. It fails if the machine can't be read, or if o asks for CPUs
// that the process may not use. That the system refuses to bind a thread is no
// failure: the worker then runs unbound, and [Team.Report] says why.
func New(o *Options) (*Team, error) {
	if o == nil {
		o = &Options{}
	}
	m := o.Topology
	if m == nil {
		var err error
		if m, err = topology.Detect(); err != nil {
			return nil, fmt.Errorf("team: %w", err)
		}
	}
	procs := runtime.GOMAXPROCS(0)
	seats, err := seating(m, o, procs)
	if err != nil {
		return nil, err
	}
	c := newCore(m, seats, o, procs)
	c.review()
	c.done.Add(len(seats) - 1)
	for i := 1; i < len(seats); i++ {
		c.start(i)
	}
	c.warnRefused()
	t := &Team{core: c, launch: Launch{Schedule: o.Schedule}}
	if t.launch.Schedule == inherit {
		t.launch.Schedule = Auto
	}
	t.root = t
	runtime.AddCleanup(t, (*core).close, c)
	return t, nil
}

// Size returns the number of participants, the caller among them. It is at least 1.
func (t *Team) Size() int {
	if t == nil {
		return 1
	}
	return len(t.core.workers)
}

// Topology returns the machine that the team was placed on, nil for a nil team.
func (t *Team) Topology() *topology.Machine {
	if t == nil {
		return nil
	}
	return t.core.machine
}

// LLCShare returns how many bytes of last-level cache a worker has to itself: the
// size of the cache by the number of workers that share it, of the worker that
// has least. For a nil team it is what one worker would have. It is 0 if it isn't
// known: many virtual machines tell of each core's own caches only.
func (t *Team) LLCShare() int {
	if t == nil {
		return soleShare()
	}
	return t.core.llcShare
}

// With returns a view of the team whose launches take what they leave open from
// l, and what that leaves open from t. The view shares the workers, Close and
// Stats with t.
func (t *Team) With(l Launch) *Team {
	if t == nil {
		return nil
	}
	return &Team{core: t.core, launch: l.or(t.launch), root: t.root}
}

// For is the parallel form of
//
//	body(0, n)
//
// It calls body for ranges [lo, hi) that don't overlap and together make up
// [0, n), at the same time on several CPUs, and returns when all calls have. If n
// is 0 it does nothing.
//
// A launch on a busy team, from another goroutine or from a body, runs serially
// on the goroutine that asks for it (but see [Launch].Wait). If body panics, no
// further range is begun and For panics with a [*Panic] once all calls have
// returned; if it calls runtime.Goexit, For does so too.
//
// For allocates nothing if body doesn't: a function value kept from launch to
// launch costs nothing, a closure made for the call one allocation. It panics if
// n is negative or the team is closed.
func (t *Team) For(n int, body func(lo, hi int)) { t.Launch(Launch{}, n, body) }

// ForWorker is For with a body that is told which participant runs it, to use
// scratch memory of its own, say.
func (t *Team) ForWorker(n int, body func(w *Worker, lo, hi int)) {
	if check(n) {
		t.run(Launch{}, n, job{worker: body})
	}
}

// Launch is For with options for this one launch. It panics too if l.Schedule is none of
// the constants.
func (t *Team) Launch(l Launch, n int, body func(lo, hi int)) {
	if check(n) {
		t.run(l, n, job{body: body})
	}
}

// ForContext is For with a context that is looked at between chunks, at least 8
// for each participant. Once it is done no further chunk is begun. ForContext
// returns nil if all of [0, n) was run, and the context's error otherwise.
func (t *Team) ForContext(ctx context.Context, n int, body func(lo, hi int)) error {
	if check(n) && !t.run(Launch{}, n, job{body: body, cancel: ctx.Done()}) {
		return ctx.Err()
	}
	return nil
}

// check reports whether there is anything to do.
func check(n int) bool {
	if n < 0 {
		panic("team: negative n")
	}
	return n > 0
}

// Close ends the workers and returns when they have. It waits for a launch that
// they take part in, not for one that runs serially. A closed team can't launch;
// closing it again does nothing. Arrays outlive their team. Close always returns
// nil. It panics if it is called from a body of a launch, which it would wait for.
func (t *Team) Close() error {
	if t != nil {
		t.core.close()
		runtime.KeepAlive(t.root)
	}
	return nil
}

// Closed reports whether Close has been called.
func (t *Team) Closed() bool { return t != nil && t.core.lock.Load() == closed }

func (c *core) close() {
	for !c.lock.CompareAndSwap(free, closed) {
		if c.lock.Load() == closed {
			c.done.Wait()
			return
		}
		if insideBody() {
			panic("team: Close called from the body of a launch")
		}
		c.queue.wait(&c.lock)
	}
	c.queue.notify()
	for i := 1; i < len(c.slots); i++ {
		s := &c.slots[i]
		if s.cmd.Swap(leave) == parked {
			c.workers[i].bed.wake(&s.cmd)
		}
	}
	c.done.Wait()
}

// insideBody reports whether the calling goroutine runs a body of some team.
func insideBody() bool {
	pcs := make([]uintptr, 256)
	n := runtime.Callers(1, pcs)
	for ; n == len(pcs); n = runtime.Callers(1, pcs) {
		pcs = make([]uintptr, 2*n)
	}
	frames := runtime.CallersFrames(pcs[:n])
	for {
		f, more := frames.Next()
		if strings.HasSuffix(f.Function, "/team.(*region).call") {
			return true
		}
		if !more {
			return false
		}
	}
}

// Hot keeps the workers spinning while f runs, so that launches find them awake
// whatever the gaps between them. It costs a CPU for each worker, and is ignored
// while there are more workers than CPUs for them. Other goroutines then wait for the
// scheduler's time slices, 20 to 40 ms, and a collection for several of them: leave a CPU
// out of the team where that matters.
func (t *Team) Hot(f func()) {
	if t != nil {
		t.core.hot.Add(1)
		defer t.core.hot.Add(-1)
	}
	f()
}

// Bind runs f with the calling goroutine locked to its thread and the thread
// bound to the CPU of participant 0, for launches within f that first touch
// memory or mustn't move. The old affinity is back when Bind returns, also by a
// panic. Bind may be nested. While one goroutine is in it, f runs unbound on any
// other, and the report says so.
func (t *Team) Bind(f func()) {
	if t != nil {
		defer t.core.bind()()
	}
	f()
}

// bind is the first half of Bind; it returns the second.
func (c *core) bind() (unbind func()) {
	runtime.LockOSThread()
	me := int64(thread())
	switch {
	case c.binder.Load() == me: // nested
		return runtime.UnlockOSThread
	case !c.binder.CompareAndSwap(0, me):
		c.turnedAway.Add(1)
		return runtime.UnlockOSThread
	}
	unpin := c.pinCaller()
	return func() {
		unpin()
		c.binder.Store(0)
		runtime.UnlockOSThread()
	}
}

// pinCaller binds the calling goroutine to the CPU of participant 0 until unpin
// is called. Where the system refuses, it does nothing.
func (c *core) pinCaller() (unpin func()) {
	runtime.LockOSThread()
	old, err := mask{}.get(0)
	if err == nil && !c.workers[0].mask.IsEmpty() {
		err = c.own.set(0)
	}
	if err != nil {
		return runtime.UnlockOSThread
	}
	return func() {
		old.set(0)
		runtime.UnlockOSThread()
	}
}

// inTheWay reports whether the caller runs on a CPU that a worker of the region is
// bound to. One of the two would have to wait for the other: the system doesn't move
// the caller, which runs, and can't move the worker.
func (c *core) inTheWay() bool {
	cpu, _ := numa.Getcpu()
	for _, i := range c.order {
		if w := &c.workers[i]; i > 0 && w.cpu == cpu && cpu >= 0 && w.tid.Load() != 0 {
			return true
		}
	}
	return false
}

// longLaunch is the serial time in ns from which a launch looks whether its caller is
// in a worker's way, and moves it: what the move takes in a virtual machine, 20 to 50 µs,
// is a tenth of it or less.
const longLaunch = 500_000

// sharesCPU reports whether the caller runs on the CPU that worker i is bound to,
// and which can't start for that reason.
func (c *core) sharesCPU(i int32) bool {
	w := &c.workers[i]
	cpu, _ := numa.Getcpu()
	return cpu >= 0 && cpu == w.cpu && w.tid.Load() != 0 && c.slots[i].cmd.Load() == pending
}

// moveCaller moves the caller off a CPU that it shares with a worker, to the one
// that is meant for it. It is free to move again. Where the system refuses, or the
// caller is bound to others and would be back at once, it does nothing.
func (c *core) moveCaller() {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var err error
	if c.wide, err = c.wide.get(0); err == nil && c.wide.has(c.workers[0].cpu) && c.own.set(0) == nil {
		c.wide.set(0)
	}
}

// nearCaller returns the slots in use with those on the caller's node first, the
// caller's own before all. Without the call that tells the node, and after the
// machine has shrunk, it returns them as they are.
func (c *core) nearCaller() []int32 {
	_, node := numa.Getcpu()
	if near, ok := c.near[node]; ok && len(near) == len(c.inOrder) {
		return near
	}
	return c.inOrder
}

// Reduce combines the results of body over ranges that make up [0, n) with join,
// and returns zero if n is 0. The ranges and the order in which their results
// are joined depend on n and the team's grain alone (see [Team.With]): the same
// input gives the same result, whatever the team's size, the schedule and who ran
// what. There are at most 1,024 ranges, of a power of two of grains.
//
// join(a, b) gets a from the lower indices. It is called by the caller alone.
// Reduce allocates the results. It panics as [Team.For] does.
func Reduce[T any](t *Team, n int, zero T, body func(lo, hi int) T, join func(a, b T) T) T {
	if !check(n) {
		return zero
	}
	grain := 1
	if t != nil {
		grain = max(t.launch.Grain, 1)
	}
	for ceilDiv(n, grain) > maxRanges {
		if grain > math.MaxInt/2 {
			break
		}
		grain *= 2
	}
	results := make([]T, ceilDiv(n, grain))
	l := Launch{Grain: 1}
	if t != nil {
		l.Over = Span{t.launch.Over.Base, t.launch.Over.Stride * uintptr(grain)}
	}
	t.Launch(l, len(results), func(lo, hi int) {
		for k := lo; k < hi; k++ {
			results[k] = body(k*grain, k*grain+min(grain, n-k*grain))
		}
	})
	// Fold neighbours until one is left: the shape of a tree over k.
	for len(results) > 1 {
		half := results[:0]
		for k := 0; k < len(results); k += 2 {
			r := results[k]
			if k+1 < len(results) {
				r = join(r, results[k+1])
			}
			half = append(half, r)
		}
		results = half
	}
	return results[0]
}

const maxRanges = 1024
