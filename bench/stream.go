package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/numateam/numateam/bench/mem"
	"github.com/numateam/numateam/kernels"
	"github.com/numateam/numateam/numa"
	"github.com/numateam/numateam/team"
	"github.com/numateam/numateam/topology"
)

// Float is what the loops are measured on.
type Float interface{ float32 | float64 }

// Kernels are the loops under measurement. Tests put broken ones in their place
// to see that no figure comes of them.
type Kernels[T Float] struct {
	Fill  func(t *team.Team, dst []T, v T)
	Copy  func(t *team.Team, dst, src []T)
	Scale func(t *team.Team, dst []T, a T, src []T)
	Add   func(t *team.Team, dst, a, b []T)
	Triad func(t *team.Team, dst, a []T, s T, b []T)
	Axpy  func(t *team.Team, a T, x, y []T)
	Dot   func(t *team.Team, x, y []T) T
}

// Real returns the kernels of package kernels.
func Real[T Float]() *Kernels[T] {
	return &Kernels[T]{kernels.Fill[T], kernels.Copy[T], kernels.Scale[T], kernels.Add[T], kernels.Triad[T], kernels.Axpy[T], kernels.Dot[T]}
}

// Options say how to measure. Progress, if not nil, is told before each step
// which one of how many it is.
type Options struct {
	Machine     *topology.Machine
	Team        team.Options // its Topology and Workers may be set by the bench
	N           int          // elements of each array; 0: from the caches, within the memory available
	Repetitions int          // that count; 0: 10
	Quick       bool         // a tenth of the launches: to see that it works, not how fast
	Progress    func(step, steps int, what string)
}

func (o *Options) repetitions() int {
	if o.Repetitions == 0 {
		return 10
	}
	return o.Repetitions
}

func (o *Options) progress(step, steps int, what string) {
	if o.Progress != nil {
		o.Progress(step, steps, what)
	}
}

// elements returns how long each of k arrays is to be: the size asked for or
// that of ArrayBytes, but no more than all arrays together take a third of the
// memory available. A note says so where they had to be smaller than asked.
func (o *Options) elements(k, elemBytes int, cpus topology.Set) (n int, note string) {
	n = o.N
	if n == 0 {
		n = int(ArrayBytes(LastLevelCaches(o.Machine, cpus)) / int64(elemBytes))
	}
	if fits := int(min(mem.Available()/3/uint64(k*elemBytes), math.MaxInt)); n > fits {
		return fits, fmt.Sprintf("scaled down to n=%d: %d arrays in a third of the memory available", fits, k)
	}
	return n, ""
}

// scalar is the factor of scale, triad and axpy: a power of two, so that all
// results are exact.
const scalar = 0.5

// An operand's element i is a small whole number that changes with i, by a prime
// period, so that a kernel that reads the wrong place is caught.
func first[T Float](i int) T  { return T(i%251 + 1) }
func second[T Float](i int) T { return T(i%127 + 1) }

// unit is +1 or -1, with a sum that stays far below 2^24 and changes with each
// element: dot and sum over it are exact in float32.
func unit[T Float](i int) T {
	if i%8191 < 4096 {
		return 1
	}
	return -1
}

// unitSum is the sum of the first n units.
func unitSum(n int) int { return n/8191 + min(n%8191, 4096) - max(n%8191-4096, 0) }

// stale is what the destination holds before a measurement.
const stale = -3

// A loop is one kernel with what it takes to check it. It works on the arrays
// x and y and into dst.
type loop[T Float] struct {
	name string
	run  func(k *Kernels[T], t *team.Team, dst, x, y []T)
	want func(i, runs int) T // element i of dst after so many runs
}

// loops returns the loops of STREAM, with axpy, in the usual order. Dot is
// measured apart: it has no destination.
func loops[T Float]() []loop[T] {
	return []loop[T]{
		{"fill", func(k *Kernels[T], t *team.Team, dst, x, y []T) { k.Fill(t, dst, 7) }, func(i, runs int) T { return 7 }},
		{"copy", func(k *Kernels[T], t *team.Team, dst, x, y []T) { k.Copy(t, dst, x) }, func(i, runs int) T { return first[T](i) }},
		{"scale", func(k *Kernels[T], t *team.Team, dst, x, y []T) { k.Scale(t, dst, scalar, x) },
			func(i, runs int) T { return scalar * first[T](i) }},
		{"add", func(k *Kernels[T], t *team.Team, dst, x, y []T) { k.Add(t, dst, x, y) },
			func(i, runs int) T { return first[T](i) + second[T](i) }},
		{"triad", func(k *Kernels[T], t *team.Team, dst, x, y []T) { k.Triad(t, dst, x, scalar, y) },
			func(i, runs int) T { return first[T](i) + T(scalar*second[T](i)) }},
		{"axpy", func(k *Kernels[T], t *team.Team, dst, x, y []T) { k.Axpy(t, scalar, x, dst) },
			func(i, runs int) T { return stale + T(scalar*first[T](i))*T(runs) }},
	}
}

// A WrongError is a result that isn't what the plain loop gives.
type WrongError struct {
	Index     int // the first wrong one; -1 for a single result
	Got, Want float64
}

func (e *WrongError) Error() string {
	if e.Index < 0 {
		return fmt.Sprintf("result is %v, want %v", e.Got, e.Want)
	}
	return fmt.Sprintf("first wrong index %d: %v, want %v", e.Index, e.Got, e.Want)
}

// grain is that of the kernels, so that the operands are written, and their
// pages touched, by those who'll work on them.
const grain = 4096

// set makes x[i] = f(i), each part by its owner.
func set[T Float](t *team.Team, x []T, f func(i int) T) {
	t.Launch(team.Launch{Grain: grain, Over: team.Over(x)}, len(x), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			x[i] = f(i)
		}
	})
}

// check compares x with f and returns the first difference.
func check[T Float](t *team.Team, x []T, f func(i int) T) error {
	var wrong atomic.Int64
	wrong.Store(math.MaxInt64)
	t.Launch(team.Launch{Grain: grain, Over: team.Over(x)}, len(x), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if x[i] == f(i) {
				continue
			}
			for now := wrong.Load(); int64(i) < now && !wrong.CompareAndSwap(now, int64(i)); now = wrong.Load() {
			}
			return
		}
	})
	if i := int(wrong.Load()); i < math.MaxInt {
		return &WrongError{i, float64(x[i]), float64(f(i))}
	}
	return nil
}

// A rig is a team with three arrays placed for it.
type rig[T Float] struct {
	kernels   *Kernels[T]
	team      *team.Team
	dst, x, y []T
	arrays    []*numa.Array[T]
}

// newRig allocates by alloc, or by team.Make if that's nil.
func newRig[T Float](k *Kernels[T], t *team.Team, n int, alloc func(n int) (*numa.Array[T], error)) (*rig[T], error) {
	if alloc == nil {
		alloc = func(n int) (*numa.Array[T], error) { return team.Make[T](t, n) }
	}
	r := &rig[T]{kernels: k, team: t}
	for _, part := range []*[]T{&r.dst, &r.x, &r.y} {
		array, err := alloc(n)
		if err != nil {
			return nil, errors.Join(err, r.close())
		}
		r.arrays = append(r.arrays, array)
		*part = array.Slice()
	}
	set(t, r.x, first[T])
	set(t, r.y, second[T])
	return r, nil
}

func (r *rig[T]) close() error {
	var errs []error
	for _, a := range r.arrays {
		errs = append(errs, a.Close())
	}
	return errors.Join(errs...)
}

// elemBytes is the size of an element.
func elemBytes[T Float]() int { var e T; return int(unsafe.Sizeof(e)) }

// typeName is the element's type as it stands in names.
func typeName[T Float]() string { var e T; return fmt.Sprintf("%T", e) }

// measure runs l on the first n elements, calls at a time, one sample more than
// asked for, drops the first, and verifies.
func (r *rig[T]) measure(ctx context.Context, l loop[T], n, samples, calls int) ([]float64, error) {
	dst, x, y := r.dst[:n], r.x[:n], r.y[:n]
	set(r.team, dst, func(int) T { return stale })
	seconds := make([]float64, 0, samples)
	for s := -1; s < samples; s++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		start := time.Now()
		for range calls {
			l.run(r.kernels, r.team, dst, x, y)
		}
		if s >= 0 {
			seconds = append(seconds, time.Since(start).Seconds()/float64(calls))
		}
	}
	return seconds, check(r.team, dst, func(i int) T { return l.want(i, (samples+1)*calls) })
}

// measureDot is measure for dot, whose result is one number.
func (r *rig[T]) measureDot(ctx context.Context, n, samples, calls int) ([]float64, error) {
	x, y := r.dst[:n], r.y[:n]
	set(r.team, x, unit[T])
	set(r.team, y, func(int) T { return 1 })
	defer set(r.team, y, second[T])
	want := T(unitSum(n))
	var seconds []float64
	for s := -1; s < samples; s++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var got T
		start := time.Now()
		for range calls {
			got = r.kernels.Dot(r.team, x, y)
		}
		if s >= 0 {
			seconds = append(seconds, time.Since(start).Seconds()/float64(calls))
		}
		if got != want {
			return seconds, &WrongError{-1, float64(got), float64(want)}
		}
	}
	return seconds, nil
}

// result makes a result of a measurement. A wrong one becomes a failed result, any
// other error is handed on.
func result(name, kernel string, n, elemBytes int, seconds []float64, err error) (Result, error) {
	var wrong *WrongError
	if err != nil && !errors.As(err, &wrong) {
		return Result{}, err
	}
	if wrong != nil {
		return Result{Name: name, Failed: wrong.Error()}, nil
	}
	traffic, _ := TrafficOf(kernel)
	r := NewResult(name, traffic.Bytes(int64(n), elemBytes), seconds)
	r.Traffic = traffic.String()
	return r, nil
}

// Stream measures the loops of STREAM, axpy and dot on arrays that don't fit the
// caches, each part of them on its owner's node.
func Stream[T Float](ctx context.Context, o Options, k *Kernels[T]) ([]Result, error) {
	t, err := o.newTeam(0)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	n, note := o.elements(3, elemBytes[T](), o.Machine.Allowed)
	r, err := newRig(k, t, n, nil)
	if err != nil {
		return nil, err
	}
	defer r.close()
	results, err := r.stream(ctx, o)
	if locality, err := team.Locality(t, r.dst); err == nil {
		note = strings.TrimPrefix(fmt.Sprintf("%s; locality %.1f %%: pages on the node of their owner", note, 100*locality), "; ")
	}
	return annotate(results, note), err
}

// newTeam makes a team as asked for, of so many workers if not 0.
func (o *Options) newTeam(workers int) (*team.Team, error) {
	options := o.Team
	options.Topology = o.Machine
	if workers > 0 {
		options.Workers = workers
	}
	return team.New(&options)
}

// annotate adds a note to all results.
func annotate(results []Result, note string) []Result {
	for i := range results {
		results[i].Note = note
	}
	return results
}

func (r *rig[T]) stream(ctx context.Context, o Options) ([]Result, error) {
	n, bytes := len(r.dst), elemBytes[T]()
	var results []Result
	all := loops[T]()
	for step := range len(all) + 1 {
		kernel := "dot"
		if step < len(all) {
			kernel = all[step].name
		}
		o.progress(step, len(all)+1, kernel)
		var seconds []float64
		var err error
		if step < len(all) {
			seconds, err = r.measure(ctx, all[step], n, o.repetitions(), 1)
		} else {
			seconds, err = r.measureDot(ctx, n, o.repetitions(), 1)
		}
		name := Name("stream", "kernel", kernel, "type", typeName[T](), "n", n,
			"placement", o.Team.Placement, "workers", r.team.Size())
		res, err := result(name, kernel, n, bytes, seconds, err)
		if err != nil {
			return nil, err
		}
		results = append(results, res)
	}
	return results, nil
}
