package kernels

import (
	"unsafe"

	"github.com/numateam/numateam/asm/f32"
	"github.com/numateam/numateam/asm/f64"
	"github.com/numateam/numateam/asm/mem"
	"github.com/numateam/numateam/numa"
	"github.com/numateam/numateam/team"
)

// Float is any type made from float32 or float64.
type Float interface{ ~float32 | ~float64 }

// grain is the number of elements on whose multiples a launch is cut: a whole number of
// pages for every type of element, and the blocks of the reductions.
const grain = 4096

// serial is the greatest number of elements that a kernel works on without its team, whatever
// their type: at that size a loop takes 1 to 8 microseconds.
const serial = 16 * grain

// worthwhile is the least number of bytes in all operands of a kernel for which it uses its
// team; tests set it to 0. Where the workers sleep, a launch costs the caller some 0.3
// microseconds that come to nothing, and a loop over less ends before they're awake. On two CPUs of
// a virtual EPYC (Zen 5), in bursts of calls, no loop over less than this gained more than 5 %
// from the team, and most over more took half the time: see README.md.
var worthwhile = 1 << 20

const (
	lengths = "kernels: slices of different length"
	overlap = "kernels: the destination overlaps with a source"
)

// Fill sets every element of dst to v:
//
//	for i := range dst {
//		dst[i] = v
//	}
//
// Traffic: 1 store per element.
func Fill[E numa.Elem](t *team.Team, dst []E, v E) {
	loop := fillLoop
	if beyondCache(t, 1, dst) {
		loop = fillStreamLoop
	}
	if alone(t, 1, dst) {
		t = nil
	}
	d := mem.Bytes(dst)
	launchBytes(t, team.Over(dst), len(dst), loop, d, d, mem.PatternOf(v))
}

// Copy copies src to dst:
//
//	copy(dst, src)
//
// The slices may overlap; they're then copied serially. It panics if the lengths differ.
// Traffic: 1 load, 1 store per element.
func Copy[E numa.Elem](t *team.Team, dst, src []E) {
	if len(src) != len(dst) {
		panic(lengths)
	}
	loop := copyLoop
	if overlaps(dst, src) {
		t = nil
	} else if beyondCache(t, 2, dst) {
		loop = copyStreamLoop
	}
	if alone(t, 2, dst) {
		t = nil
	}
	launchBytes(t, team.Over(dst), len(dst), loop, mem.Bytes(dst), mem.Bytes(src), mem.Pattern{})
}

// Scale sets dst to a times src:
//
//	for i := range dst {
//		dst[i] = a * src[i]
//	}
//
// It panics if the lengths differ or the slices overlap in part. Traffic: 1 load, 1
// store per element.
func Scale[T Float](t *team.Team, dst []T, a T, src []T) {
	check(dst, src)
	if unsafe.Sizeof(a) == 4 {
		dst, a, src := as[float32](dst), float32(a), as[float32](src)
		if len(dst) <= serial {
			f32.Scale(dst, a, src)
		} else {
			launch(t, &scale32, dst, a, src, src)
		}
	} else {
		dst, a, src := as[float64](dst), float64(a), as[float64](src)
		if len(dst) <= serial {
			f64.Scale(dst, a, src)
		} else {
			launch(t, &scale64, dst, a, src, src)
		}
	}
}

// Add sets dst to the sum of a and b:
//
//	for i := range dst {
//		dst[i] = a[i] + b[i]
//	}
//
// It panics if the lengths differ or dst overlaps with a or b in part. Traffic: 2
// loads, 1 store per element.
func Add[T Float](t *team.Team, dst, a, b []T) {
	check(dst, a)
	check(dst, b)
	var zero T
	if unsafe.Sizeof(zero) == 4 {
		dst, a, b := as[float32](dst), as[float32](a), as[float32](b)
		if len(dst) <= serial {
			f32.Add(dst, a, b)
		} else {
			launch(t, &add32, dst, 0, a, b)
		}
	} else {
		dst, a, b := as[float64](dst), as[float64](a), as[float64](b)
		if len(dst) <= serial {
			f64.Add(dst, a, b)
		} else {
			launch(t, &add64, dst, 0, a, b)
		}
	}
}

// Triad sets dst to a plus s times b:
//
//	for i := range dst {
//		dst[i] = a[i] + T(s*b[i])
//	}
//
// It panics if the lengths differ or dst overlaps with a or b in part. Traffic: 2
// loads, 1 store per element.
func Triad[T Float](t *team.Team, dst, a []T, s T, b []T) {
	check(dst, a)
	check(dst, b)
	if unsafe.Sizeof(s) == 4 {
		dst, a, s, b := as[float32](dst), as[float32](a), float32(s), as[float32](b)
		if len(dst) <= serial {
			f32.Triad(dst, a, s, b)
		} else {
			launch(t, &triad32, dst, s, a, b)
		}
	} else {
		dst, a, s, b := as[float64](dst), as[float64](a), float64(s), as[float64](b)
		if len(dst) <= serial {
			f64.Triad(dst, a, s, b)
		} else {
			launch(t, &triad64, dst, s, a, b)
		}
	}
}

// Axpy adds a times x to y:
//
//	for i := range y {
//		y[i] += T(a * x[i])
//	}
//
// It panics if the lengths differ or the slices overlap in part. Traffic: 2 loads, 1
// store per element.
func Axpy[T Float](t *team.Team, a T, x, y []T) {
	check(y, x)
	if unsafe.Sizeof(a) == 4 {
		a, x, y := float32(a), as[float32](x), as[float32](y)
		if len(y) <= serial {
			f32.Axpy(a, x, y)
		} else {
			launch(t, &axpy32, y, a, x, x)
		}
	} else {
		a, x, y := float64(a), as[float64](x), as[float64](y)
		if len(y) <= serial {
			f64.Axpy(a, x, y)
		} else {
			launch(t, &axpy64, y, a, x, x)
		}
	}
}

// Saxpy is Axpy for float32, by its name in BLAS.
func Saxpy(t *team.Team, a float32, x, y []float32) { Axpy(t, a, x, y) }

// Daxpy is Axpy for float64, by its name in BLAS.
func Daxpy(t *team.Team, a float64, x, y []float64) { Axpy(t, a, x, y) }

// A streamKernel is an elementwise kernel: its loop, the one for slices that aren't found
// in the caches, and how many slices it touches.
type streamKernel[T float32 | float64] struct {
	plain, stream func(dst []T, s T, a, b []T)
	slices        int
}

var (
	scale32 = streamKernel[float32]{
		func(dst []float32, s float32, a, _ []float32) { f32.Scale(dst, s, a) },
		func(dst []float32, s float32, a, _ []float32) { f32.ScaleStream(dst, s, a) }, 2}
	scale64 = streamKernel[float64]{
		func(dst []float64, s float64, a, _ []float64) { f64.Scale(dst, s, a) },
		func(dst []float64, s float64, a, _ []float64) { f64.ScaleStream(dst, s, a) }, 2}
	add32 = streamKernel[float32]{
		func(dst []float32, _ float32, a, b []float32) { f32.Add(dst, a, b) },
		func(dst []float32, _ float32, a, b []float32) { f32.AddStream(dst, a, b) }, 3}
	add64 = streamKernel[float64]{
		func(dst []float64, _ float64, a, b []float64) { f64.Add(dst, a, b) },
		func(dst []float64, _ float64, a, b []float64) { f64.AddStream(dst, a, b) }, 3}
	triad32 = streamKernel[float32]{
		func(dst []float32, s float32, a, b []float32) { f32.Triad(dst, a, s, b) },
		func(dst []float32, s float32, a, b []float32) { f32.TriadStream(dst, a, s, b) }, 3}
	triad64 = streamKernel[float64]{
		func(dst []float64, s float64, a, b []float64) { f64.Triad(dst, a, s, b) },
		func(dst []float64, s float64, a, b []float64) { f64.TriadStream(dst, a, s, b) }, 3}
	axpy32 = streamKernel[float32]{
		func(y []float32, s float32, x, _ []float32) { f32.Axpy(s, x, y) },
		func(y []float32, s float32, x, _ []float32) { f32.AxpyStream(s, x, y) }, 2}
	axpy64 = streamKernel[float64]{
		func(y []float64, s float64, x, _ []float64) { f64.Axpy(s, x, y) },
		func(y []float64, s float64, x, _ []float64) { f64.AxpyStream(s, x, y) }, 2}
)

// launch runs an elementwise kernel on slices that have been checked and are longer
// than serial. Shorter ones go to the loop directly: at 1,000 elements the way through
// here would be a tenth of the time.
func launch[T float32 | float64](t *team.Team, k *streamKernel[T], dst []T, s T, a, b []T) {
	loop := k.plain
	// Scale and axpy, of two slices, have a loop for that in place too.
	if beyondCache(t, k.slices, dst) && (k.slices == 2 || !same(dst, a) && !same(dst, b)) {
		loop = k.stream
	}
	if alone(t, k.slices, dst) {
		loop(dst, s, a, b)
		return
	}
	pool := &streamArgs64
	if unsafe.Sizeof(s) == 4 {
		pool = &streamArgs32
	}
	r := pool.Get().(*streamArgs[T])
	r.loop, r.dst, r.s, r.a, r.b = loop, dst, s, a, b
	t.Launch(team.Launch{Grain: grain, Over: team.Over(dst)}, len(dst), r.body)
	r.dst, r.a, r.b = nil, nil, nil
	pool.Put(r)
}

func fillLoop(dst, _ []byte, p mem.Pattern)       { mem.Fill(dst, p) }
func fillStreamLoop(dst, _ []byte, p mem.Pattern) { mem.FillStream(dst, p) }
func copyLoop(dst, src []byte, _ mem.Pattern)     { mem.Copy(dst, src) }
func copyStreamLoop(dst, src []byte, _ mem.Pattern) {
	mem.CopyStream(dst, src)
}

// launchBytes runs fill or copy over n elements, which lie at span; serially without a team.
func launchBytes(t *team.Team, span team.Span, n int,
	loop func(dst, src []byte, p mem.Pattern), dst, src []byte, p mem.Pattern) {
	if t == nil {
		loop(dst, src, p)
		return
	}
	r := byteArgsPool.Get().(*byteArgs)
	r.loop, r.dst, r.src, r.p, r.size = loop, dst, src, p, int(span.Stride)
	t.Launch(team.Launch{Grain: grain, Over: span}, n, r.body)
	r.dst, r.src = nil, nil
	byteArgsPool.Put(r)
}

// alone reports whether a kernel works without its team on as many slices like x.
func alone[T any](t *team.Team, slices int, x []T) bool {
	return t == nil || len(x) <= serial || slices*int(unsafe.Sizeof(x[0]))*len(x) < worthwhile
}

// check panics unless the slices have one length and share no memory or are the same.
func check[T any](dst, src []T) {
	if len(src) != len(dst) {
		panic(lengths)
	}
	if overlaps(dst, src) {
		panic(overlap)
	}
}

// overlaps reports whether two slices of one length share memory without being the same.
func overlaps[T any](a, b []T) bool {
	var zero T
	bytes := uintptr(len(a)) * unsafe.Sizeof(zero)
	d := uintptr(unsafe.Pointer(unsafe.SliceData(a))) - uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	return d != 0 && (d < bytes || -d < bytes)
}

// same reports whether two slices of one length are the same memory.
func same[T any](a, b []T) bool { return unsafe.SliceData(a) == unsafe.SliceData(b) }

// beyondCache reports whether what a worker touches of as many slices like dst is larger
// than its share of the last-level cache.
func beyondCache[T any](t *team.Team, slices int, dst []T) bool {
	var zero T
	bytes := slices * len(dst) * int(unsafe.Sizeof(zero)) / t.Size()
	if len(dst) <= serial || bytes < leastShare {
		return false
	}
	share := llcShare(t)
	if share == 0 {
		share = assumedCache / t.Size()
	}
	return bytes > share
}

// leastShare is a share of the last-level cache that no machine goes below, so that for
// less nobody asks.
const leastShare = 256 << 10

// assumedCache is taken for the size of the last-level cache where it isn't known, as in
// many virtual machines: that of one cluster of a server's cores (AMD EPYC, 32 MiB). Storing
// past a cache that is there cost a blur of 10 MB two thirds of its speed; not storing past one
// that is full costs at most a quarter of the traffic.
const assumedCache = 32 << 20

// llcShare tells the share; tests have their own.
var llcShare = (*team.Team).LLCShare
