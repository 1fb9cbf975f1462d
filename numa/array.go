package numa

import (
	"unsafe"

	"github.com/numateam/numateam/topology"
)

// Elem is what an array can hold: the numeric types, which have no pointers
// that the collector would have to see.
type Elem interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 |
		~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 |
		~float32 | ~float64 | ~complex64 | ~complex128
}

// Options says how to allocate an array. Nil stands for the zero value: first
// touch, huge pages where they fit, best effort, on this machine.
type Options struct {
	Policy Policy    // where the pages are to lie
	Huge   HugePages // how large they are to be; an error of Alloc if it's none of the constants
	// Strict makes Alloc fail where it can't do all of what Policy and Huge ask
	// for. Otherwise it does what it can, and Array.Outcome says what that is.
	Strict bool
	// Machine is the topology that Policy's nodes belong to; nil is this machine,
	// detected once. Placing on one that isn't live is refused.
	Machine *topology.Machine
	// Owner is the team that Part.Worker counts the workers of; 0 is none.
	Owner uint64
}

// Outcome is what came of an array's options.
type Outcome struct {
	Policy Policy    // in force; first touch where nothing could be placed
	Huge   HugePages // in force
	Page   int       // bytes of the least that the policy can place
	Moved  int       // pages that the last Migrate moved, in base pages
	// Err says why this is less than what was asked for; nil if it isn't. It
	// wraps one or several *Error.
	Err error
}

// An Array is memory outside the Go heap, zeroed, and touched by nobody until it
// is used. Its methods are safe for concurrent use, but for Close.
//
// The memory stays until Close, whether the Array is still referred to or not:
// nothing unmaps it behind the back of a slice. An Array that is dropped
// unclosed is a leak, which [Live] shows.
type Array[T Elem] struct {
	slice []T
	mem   *memory // nil: closed
}

// Alloc returns an array of n elements, placed as o says before any page is
// touched. n = 0 is an empty array. It panics if n is negative, or less than the
// last part's end of a policy by parts.
//
// Memory that isn't there is an error for which errors.Is(err, [ErrNoMemory])
// holds. Whether it is there is what the kernel says at that moment: one that
// overcommits, or a cgroup's limit, may still end the process when the pages are
// touched.
func Alloc[T Elem](n int, o *Options) (*Array[T], error) {
	if n < 0 {
		panic("numa: Alloc: negative length")
	}
	if o == nil {
		o = &Options{}
	}
	if o.Policy.end() > n {
		panic("numa: Alloc: a part ends after the array")
	}
	var zero T
	mem, err := newMemory(uintptr(n), unsafe.Sizeof(zero), o)
	if err != nil {
		return nil, err
	}
	return &Array[T]{unsafe.Slice((*T)(mem.base), n), mem}, nil
}

// Slice returns the array's elements; nil after Close. A slice must not be used
// after Close: its memory is gone then, as after munmap.
func (a *Array[T]) Slice() []T { return a.slice }

// Close gives the memory back. No slice of it may be in use, and no other method
// of the array may run at the same time, a second Close included. After Close
// another one does nothing.
func (a *Array[T]) Close() error {
	mem := a.mem
	if mem == nil {
		return nil
	}
	a.slice, a.mem = nil, nil
	return mem.free()
}

// Outcome returns what came of the options, or of the last Migrate. It panics
// after Close.
func (a *Array[T]) Outcome() Outcome { return a.open("Outcome").outcome() }

// Residency returns where the array's pages are; see [WhereIs]. It panics after
// Close.
func (a *Array[T]) Residency() (Residency, error) {
	a.open("Residency")
	return WhereIs(a.slice)
}

func (a *Array[T]) open(method string) *memory {
	if a.mem == nil {
		panic("numa: " + method + " of a closed array")
	}
	return a.mem
}
