// Package asm chooses the instruction set that the inner loops of its
// subpackages run on, and gives the CPU its hints.
//
// The loops themselves lie in the subpackages, one for each kind of element:
// f32 and f64 (streams, reductions, matrix blocks), u8 and u16 (images), and mem
// (fill and copy, which don't care for the element). Every loop exists in plain Go,
// which is its definition, its test oracle and what runs where there's no
// assembly, and in one form for each instruction set that is worth having. All
// forms of a loop give the same bits.
//
// # How a loop is built
//
// A loop called op is made of four layers, each in its own file:
//
//	op.go                 Op: the exported function. It checks the lengths.
//	dispatch_*.go         op: a switch over Active that calls one of the forms below
//	                      for at most Block elements at a time.
//	ref.go                opGo: the plain loop.
//	*_GOARCH.s            opSSE2, opAVX2, opAVX512, opNEON: the assembly.
//
// Go can't preempt assembly, and a loop that calls assembly directly is as bad: the
// signal that asks for preemption nearly always arrives while the assembly runs. So
// op is marked noinline: the check in its prologue, once for each block, is where
// the garbage collector gets its turn, and a block takes at most some ten
// microseconds.
//
// The switch costs less than a table of function values: its calls are
// direct, and the compiler sees that the slices don't escape. Where calls are short its cases
// are conditions, which are compared in their order, the best set first; constants would be
// compared from the lowest one on.
package asm

import (
	"math"
	"math/bits"
	"unsafe"
)

// Block is the greatest number of elements that one call of an assembly
// function works on.
const Block = 64 << 10

// Line is the number of bytes that the streaming loops store at once: the cache line
// of the CPUs that they're made for.
const Line = 64

// Lines returns the greatest range of x that starts at a multiple of Line bytes in
// memory and is a multiple of Line bytes long. It's empty if x holds no whole line, or
// if its elements lie across lines.
func Lines[T any](x []T) (from, to int) {
	var zero T
	size := unsafe.Sizeof(zero)
	head := -uintptr(unsafe.Pointer(unsafe.SliceData(x))) % Line
	if head%size != 0 || Line%size != 0 || uintptr(len(x))*size < head+Line {
		return 0, 0
	}
	from = int(head / size)
	return from, from + (len(x)-from)/int(Line/size)*int(Line/size)
}

// Extent returns the number of elements from the first to the last of n >= 1 rows of width
// elements, stride apart. It's the greatest int if that's more, or if stride is negative, so
// that no slice is long enough.
func Extent(n, stride, width int) int {
	hi, lo := bits.Mul(uint(n-1), uint(stride))
	if hi != 0 || lo > uint(math.MaxInt-width) {
		return math.MaxInt
	}
	return int(lo) + width
}
