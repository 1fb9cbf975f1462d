package team

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/numateam/numateam/numa"
	"github.com/numateam/numateam/topology"
)

// STUB: signatures only, replaced by the real team.

type Team struct {
	machine *topology.Machine
	size    int
	l       Launch
	closed  *atomic.Bool
}

type Worker struct{ id int }

func (w *Worker) ID() int { return w.id }

type Stats struct{ Launches, Posted, Woken, Stolen, Rescued, Parks, Deadlines uint64 }

type Panic struct {
	Value  any
	Stack  []byte
	Worker int
}

func New(o *Options) (*Team, error) {
	if o == nil {
		o = &Options{}
	}
	m := o.Topology
	if m == nil {
		var err error
		if m, err = topology.Detect(); err != nil {
			return nil, err
		}
	}
	n := o.Workers
	if n == 0 {
		n = m.Allowed.Len()
	}
	return &Team{machine: m, size: n, closed: new(atomic.Bool)}, nil
}

func (t *Team) Size() int {
	if t == nil {
		return 1
	}
	return t.size
}

// Topology returns the machine of the team; nil for the nil team.
func (t *Team) Topology() *topology.Machine {
	if t == nil {
		return nil
	}
	return t.machine
}

// LLCShare returns how many bytes of last-level cache each worker has to itself at least; 0 if unknown. Nil team: the caller's whole LLC.
func (t *Team) LLCShare() int { return 0 }
func (t *Team) Close() error {
	if t != nil {
		t.closed.Store(true)
	}
	return nil
}

// Closed reports whether Close was called (BLAS drop-in: a closed team is serial).
func (t *Team) Closed() bool   { return t != nil && t.closed.Load() }
func (t *Team) Stats() Stats   { return Stats{} }
func (t *Team) Report() string { return "" }
func (t *Team) Bind(f func())  { f() }
func (t *Team) Hot(f func())   { f() }
func (t *Team) With(l Launch) *Team {
	if t == nil {
		return nil
	}
	c := *t
	c.l = l
	return &c
}
func (t *Team) For(n int, body func(lo, hi int)) { t.Launch(Launch{}, n, body) }
func (t *Team) ForWorker(n int, body func(w *Worker, lo, hi int)) {
	t.Launch(Launch{}, n, func(lo, hi int) { body(&Worker{}, lo, hi) })
}
func (t *Team) ForContext(ctx context.Context, n int, body func(lo, hi int)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	t.For(n, body)
	return nil
}
func (t *Team) Launch(l Launch, n int, body func(lo, hi int)) {
	g := max(l.Grain, 1)
	m := (n + g - 1) / g
	w := min(t.Size(), m)
	if w <= 1 {
		if n > 0 {
			body(0, n)
		}
		return
	}
	var wg sync.WaitGroup
	for p := range w {
		lo, hi := m*p/w*g, min(m*(p+1)/w*g, n)
		wg.Go(func() { body(lo, hi) })
	}
	wg.Wait()
}
func Make[T numa.Elem](t *Team, n int) (*numa.Array[T], error) { return numa.Alloc[T](n, nil) }
func Locality[T numa.Elem](t *Team, x []T) (float64, error)    { return 1, nil }
func Reduce[T any](t *Team, n int, zero T, body func(lo, hi int) T, join func(a, b T) T) T {
	if n == 0 {
		return zero
	}
	return body(0, n)
}
