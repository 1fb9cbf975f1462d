package kernels

import (
	"sync"
	"unsafe"

	"github.com/numateam/numateam/asm/mem"
)

// A launch with a fresh closure would allocate it. So the arguments of a kernel go to
// a record, whose body reads them and is bound once, when the record is made. Records
// that no launch uses wait in a pool.

// streamArgs is the record of the kernels that compute each element of dst from s and the
// elements of a and b at the same index. A kernel with one source gets it twice.
type streamArgs[T float32 | float64] struct {
	loop func(dst []T, s T, a, b []T)
	dst  []T
	s    T
	a, b []T
	body func(lo, hi int)
}

var (
	streamArgs32 = sync.Pool{New: newStreamArgs[float32]}
	streamArgs64 = sync.Pool{New: newStreamArgs[float64]}
)

func newStreamArgs[T float32 | float64]() any {
	r := new(streamArgs[T])
	r.body = func(lo, hi int) { r.loop(r.dst[lo:hi], r.s, r.a[lo:hi], r.b[lo:hi]) }
	return r
}

// byteArgs is the record of fill and copy, which work on the bytes of elements of
// any type. Fill has no source and gets dst twice.
type byteArgs struct {
	loop     func(dst, src []byte, p mem.Pattern)
	dst, src []byte
	p        mem.Pattern
	size     int // of an element
	body     func(lo, hi int)
}

var byteArgsPool = sync.Pool{New: func() any {
	r := new(byteArgs)
	r.body = func(lo, hi int) {
		lo, hi = lo*r.size, hi*r.size
		r.loop(r.dst[lo:hi], r.src[lo:hi], r.p)
	}
	return r
}}

// maxParts is the greatest number of parts that a reduction is cut into.
const maxParts = 1024

// reduceArgs is the record of the reductions. A kernel with one operand gets it twice.
type reduceArgs[T, R float32 | float64] struct {
	loop    func(s T, x, y []T) R
	s       T
	x, y    []T
	part    int // elements in each part but the last
	results [maxParts]R
	body    func(lo, hi int)
}

func newReduceArgs[T, R float32 | float64]() any {
	r := new(reduceArgs[T, R])
	r.body = func(lo, hi int) {
		for i := lo; i < hi; i += r.part {
			end := min(i+r.part, hi)
			r.results[i/r.part] = r.loop(r.s, r.x[i:end], r.y[i:end])
		}
	}
	return r
}

// as returns x as a slice of To, a type of the same size: of the type that x's own is
// made from.
func as[To, From any](x []From) []To { return *(*[]To)(unsafe.Pointer(&x)) }
