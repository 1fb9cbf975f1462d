//go:build teamcheck

package team

import (
	"time"
	"unsafe"
)

// Under the build tag teamcheck the words that participants share, the clock and
// the futex are the checker's (see check_test.go): it is told of each access before
// it is made, and decides who makes the next one. Such a build is good for nothing
// else: without the checker's hooks the words are plain memory.
type (
	word32 struct{ v uint32 }
	word64 struct{ v uint64 }
	stamp  struct{ v int64 }
)

// hooks is what the checker puts in while it runs.
var hooks struct {
	access func(access) (result uint64)
	clock  func() int64
	sleep  func(w *word32, val uint32, timed bool)
	wake   func(w *word32)
	at     func(loop string, slot int32, n int, epoch int64, a, b bool)
}

// An access is one atomic operation on a shared word.
type access struct {
	kind accessKind
	wide bool // 64 bits
	word unsafe.Pointer
	old  uint64 // of a compare-and-swap
	arg  uint64
}

type accessKind uint8

const (
	load accessKind = iota
	store
	swap
	cas
	add
	or
)

// make carries the access out. The result is what the operation returns.
func (a *access) make() (result uint64) {
	before := a.value()
	after := a.arg
	result = before
	switch a.kind {
	case load:
		return before
	case cas:
		if before != a.old {
			return 0
		}
		result = 1
	case add:
		after = before + a.arg
		result = after
	case or:
		after = before | a.arg
	}
	if a.wide {
		*(*uint64)(a.word) = after
	} else {
		*(*uint32)(a.word) = uint32(after)
	}
	return result
}

// value is what the word holds now.
func (a *access) value() uint64 {
	if a.wide {
		return *(*uint64)(a.word)
	}
	return uint64(*(*uint32)(a.word))
}

func (a access) do() uint64 {
	if hooks.access != nil {
		return hooks.access(a)
	}
	return a.make()
}

func (w *word32) do(k accessKind, old, arg uint32) uint64 {
	return access{kind: k, word: unsafe.Pointer(w), old: uint64(old), arg: uint64(arg)}.do()
}

func (w *word32) Load() uint32                           { return uint32(w.do(load, 0, 0)) }
func (w *word32) Store(v uint32)                         { w.do(store, 0, v) }
func (w *word32) Swap(v uint32) uint32                   { return uint32(w.do(swap, 0, v)) }
func (w *word32) CompareAndSwap(old, v uint32) (ok bool) { return w.do(cas, old, v) == 1 }
func (w *word32) Add(d uint32) uint32                    { return uint32(w.do(add, 0, d)) }

func (w *word64) do(k accessKind, old, arg uint64) uint64 {
	return access{kind: k, wide: true, word: unsafe.Pointer(w), old: old, arg: arg}.do()
}

func (w *word64) Load() uint64                           { return w.do(load, 0, 0) }
func (w *word64) Store(v uint64)                         { w.do(store, 0, v) }
func (w *word64) Swap(v uint64) uint64                   { return w.do(swap, 0, v) }
func (w *word64) CompareAndSwap(old, v uint64) (ok bool) { return w.do(cas, old, v) == 1 }
func (w *word64) Add(d uint64) uint64                    { return w.do(add, 0, d) }
func (w *word64) Or(bits uint64) uint64                  { return w.do(or, 0, bits) }

func (w *stamp) do(k accessKind, old, arg int64) uint64 {
	return access{kind: k, wide: true, word: unsafe.Pointer(w), old: uint64(old), arg: uint64(arg)}.do()
}

func (w *stamp) Load() int64                           { return int64(w.do(load, 0, 0)) }
func (w *stamp) Store(v int64)                         { w.do(store, 0, v) }
func (w *stamp) CompareAndSwap(old, v int64) (ok bool) { return w.do(cas, old, v) == 1 }

// The loops that count are shorter here: how often they go round decides how soon
// somebody does something, not whether it is right.
const clockSpins = 1

var grace, scanPasses int

func nanotime() int64 {
	if hooks.clock != nil {
		return hooks.clock()
	}
	return 1
}

func pause(int) {}

func at(loop string, slot int32, n int, epoch int64, a, b bool) {
	if hooks.at != nil {
		hooks.at(loop, slot, n, epoch, a, b)
	}
}

type sleeper struct{}

func newSleeper() sleeper { return sleeper{} }

func (sleeper) sleep(w *word32, val uint32, d time.Duration) { hooks.sleep(w, val, d > 0) }

func (sleeper) wake(w *word32) { hooks.wake(w) }
