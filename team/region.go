package team

import (
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
)

// A job is what a launch runs: one of the two bodies, and where it may be
// cancelled, the context's channel.
type job struct {
	body   func(lo, hi int)
	worker func(w *Worker, lo, hi int)
	cancel <-chan struct{}
}

// A region is one launch's work. The caller writes it while no worker is inside;
// a participant reads it between claiming its command and leaving running.
// Whoever merely scans uses the copy that it took inside (view).
type region struct {
	view
	job
	step    int64 // indices of one call of the body at most
	atStake bool  // it touches pages first that no policy places

	sleepers word32 // how many entries of core.sleepers are to be woken
	woken    word32 // how many of them somebody has taken on
	stop     word32 // not 0: no new chunk starts
	skipped  word32 // not 0: some chunk was not run
	began    stamp  // when a participant first had to wait; -epoch before that

	paced bool               // chunks are timed, to compare classes of cores
	pace  [maxClasses]word64 // by class: ns that the last chunk took for 1,024 indices

	panicking word32 // not 0: somebody writes or has written panic
	panic     *Panic // the first
	goexit    word32 // not 0: a body called Goexit
}

// A view is what a participant must know of a region to look for work in it.
type view struct {
	epoch   int64
	steal   bool  // any participant may take chunks; else the caller alone takes whole blocks
	protect bool  // a sleeping owner's block is kept for it until the deadline
	chunk   int64 // indices of a chunk
	limit   int64 // ns after which nothing is kept for anybody
}

// A failure is why a region stopped early.
type failure struct {
	panic  *Panic
	goexit bool
}

// A Panic is what a launch panics with when its body did: the value, the stack
// of the goroutine that raised it, and the participant (0 is the caller).
type Panic struct {
	Value  any
	Stack  []byte
	Worker int
}

// Error describes the panic, its stack included. Panic satisfies error so that
// errors.As finds it in what recover gives.
func (p *Panic) Error() string {
	return fmt.Sprintf("team: panic in worker %d: %v\n\n%s", p.Worker, p.Value, p.Stack)
}

// Unwrap returns the value if it is an error.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// cancelled reports whether no new chunk may start.
func (r *region) cancelled() bool {
	if r.cancel != nil {
		select {
		case <-r.cancel:
			r.stop.Store(1)
		default:
		}
	}
	return r.stop.Load() != 0
}

// block runs chunk k of s's block on worker w.
func (r *region) block(w *Worker, s *slot, k int) {
	lo := s.base + int64(k)*r.chunk
	hi := s.end
	if hi-lo > r.chunk {
		hi = lo + r.chunk
	}
	for lo < hi {
		if r.cancelled() {
			r.skipped.Store(1)
			return
		}
		to := hi
		if to-lo > r.step {
			to = lo + r.step
		}
		if r.paced {
			r.timed(w, lo, to)
		} else {
			r.call(w, int(lo), int(to))
		}
		lo = to
	}
}

// timed is call with a look at how fast the worker's class is at this body.
func (r *region) timed(w *Worker, lo, hi int64) {
	t := nanotime()
	r.call(w, int(lo), int(hi))
	r.pace[min(w.class, maxClasses-1)].Store(uint64(max((nanotime()-t)*1024/(hi-lo), 1)))
}

// call runs the body. The first panic of a region is kept, and whether there was a
// Goexit, which goes on unwinding.
func (r *region) call(w *Worker, lo, hi int) {
	done := false
	defer func() {
		if !done {
			r.failed(w.id, recover())
		}
	}()
	if r.worker != nil {
		r.worker(w, lo, hi)
	} else {
		r.body(lo, hi)
	}
	done = true
}

func (r *region) failed(worker int, v any) {
	r.stop.Store(1)
	switch {
	case v == nil:
		r.goexit.Store(1)
	case r.panicking.CompareAndSwap(0, 1):
		r.panic = asPanic(v, worker)
	}
}

// failure returns why the region stopped early, if it did.
func (r *region) failure() failure { return failure{r.panic, r.goexit.Load() != 0} }

// asPanic wraps a recovered value, unless a nested launch has done so already.
func asPanic(v any, worker int) *Panic {
	if p, ok := v.(*Panic); ok {
		return p
	}
	return &Panic{Value: v, Stack: debug.Stack(), Worker: worker}
}

// raise hands the failure to the caller: a panic rather than a Goexit.
func (f failure) raise() {
	switch {
	case f.panic != nil:
		panic(f.panic)
	case f.goexit:
		runtime.Goexit()
	}
}

// serial runs a launch on the calling goroutine alone, in chunks if it can be
// cancelled, and reports whether it ran whole.
func (j job) serial(n, grain int) (whole bool) {
	r := region{job: j, view: view{chunk: math.MaxInt64}, step: math.MaxInt64}
	if j.cancel != nil {
		r.step = int64(chunkOf(n, grain, 1))
	}
	r.block(&outside, &slot{end: int64(n)}, 0)
	r.failure().raise()
	return r.skipped.Load() == 0
}

// outside is the worker that a body sees which runs outside of a team's region.
var outside = Worker{cpu: -1, node: -1}

// chunkOf returns how many indices make a chunk: what gives each of width
// participants about 8 chunks, rounded up to whole grains.
func chunkOf(n, grain, width int) int {
	return grain * ceilDiv(ceilDiv(n, grain), 8*width)
}

// ceilDiv returns a/b rounded up, for a >= 0 and b > 0, without overflow.
func ceilDiv[T int | int64](a, b T) T {
	if a == 0 {
		return 0
	}
	return (a-1)/b + 1
}
