package asmtest

import (
	"testing"
	"unsafe"
)

// fence is how many elements on either side of an operand are watched.
const fence = 72

// An Arena is memory for one operand between two no-access pages. Where the system
// can't protect pages, the watched elements alone show a write outside.
type Arena[T Elem] struct {
	mem   []T
	saved [2][]T // the watched elements before and after the operand
	now   [2][]T
}

// NewArena returns an arena for at least n elements, which lasts for the test.
func NewArena[T Elem](tb testing.TB, n int) *Arena[T] {
	var zero T
	size := int(unsafe.Sizeof(zero))
	mem := guarded(tb, n*size)
	return &Arena[T]{mem: unsafe.Slice((*T)(unsafe.Pointer(&mem[0])), len(mem)/size)}
}

// Len returns the number of elements in the arena.
func (a *Arena[T]) Len() int { return len(a.mem) }

// Head returns n elements that begin offset elements behind the first no-access page.
func (a *Arena[T]) Head(n, offset int) []T { return a.mem[offset : offset+n : offset+n] }

// Tail returns n elements that end at the second no-access page.
func (a *Arena[T]) Tail(n int) []T { return a.Head(n, len(a.mem)-n) }

// Fence sets the elements around x, a slice of the arena, to NaN or all ones, and
// remembers them.
func (a *Arena[T]) Fence(x []T) {
	from := (uintptr(unsafe.Pointer(unsafe.SliceData(x))) - uintptr(unsafe.Pointer(&a.mem[0]))) / unsafe.Sizeof(a.mem[0])
	if len(x) == 0 {
		from = 0
	}
	to := int(from) + len(x)
	a.now[0] = a.mem[max(0, int(from)-fence):from]
	a.now[1] = a.mem[to:min(to+fence, len(a.mem))]
	v := outside[T]()
	for i, f := range a.now {
		for k := range f {
			f[k] = v
		}
		a.saved[i] = append(a.saved[i][:0], f...)
	}
}

// Intact reports whether nothing was written around the slice of the last Fence.
func (a *Arena[T]) Intact() bool {
	return Differ(a.now[0], a.saved[0]) < 0 && Differ(a.now[1], a.saved[1]) < 0
}

// outside returns NaN, or the greatest integer.
func outside[T Elem]() T {
	s := Specials[T]()
	if s[0] != s[0] {
		return s[0]
	}
	return s[len(s)-1]
}

// At returns n zeros in memory that begins offset bytes behind a multiple of 4096. All
// of it is there: the pages have been written to.
func At[T any](n, offset int) []T {
	var zero T
	size := int(unsafe.Sizeof(zero))
	mem := make([]T, n+3*4096/size)
	for i := range mem {
		mem[i] = zero
	}
	skip := int((uintptr(offset) - uintptr(unsafe.Pointer(&mem[0]))) % 4096)
	return mem[skip/size : skip/size+n : skip/size+n]
}
