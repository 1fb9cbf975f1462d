package team

import "unsafe"

// The states of a command word. Who moves it from one to the next is told in
// README.md.
const (
	idle     uint32 = iota // awake, waiting for a command
	parked                 // asleep in the kernel, or about to be
	pending                // a command for a worker that is awake or has been woken
	posted                 // a command for a sleeper whose wake isn't known to have been issued
	running                // the worker is inside the region
	scanning               // the worker is looking for work to steal: it may be sent away
	leave                  // the team is closed
)

// A slot is what a participant shares with the others: one line of protocol
// words, and one of what is counted and timed, which nobody waits for. Slot 0 is
// the caller's; its command word stays running.
type slot struct {
	cmd  word32 // also the word that the worker sleeps on
	_    uint32
	rng  word64 // the chunks of the block that nobody has claimed: a chunks value
	seen stamp  // the rescue clock: when its command was first seen unanswered; -epoch before that

	// The block's indices. Written by the caller while the worker is outside
	// the region, read by those who are inside.
	base, end int64

	_ [24]byte

	woken stamp // when its last wake was issued
	count counters
	_     [128 - 64 - 8 - unsafe.Sizeof(counters{})]byte
}

// counters is a slot's part of [Stats]: wakes issued to its worker, chunks that the
// worker took from others, and how often it went to sleep.
type counters struct{ woken, stolen, parks word64 }

const slotSize = 128

var _ [slotSize - unsafe.Sizeof(slot{})]struct{} // two cache lines, no more
var _ [unsafe.Sizeof(slot{}) - slotSize]struct{} // and no less

// newSlots returns n slots that begin on a boundary of slotSize. Their words are
// pointer-free, so the array can be cut from a larger one.
func newSlots(n int) []slot {
	s := make([]slot, n+1)
	off := -uintptr(unsafe.Pointer(&s[0])) % slotSize
	return unsafe.Slice((*slot)(unsafe.Add(unsafe.Pointer(&s[0]), off)), n)
}

// chunks is a range of a block's chunks, lo up to hi, and whether the block's
// owner has started on it: started in bit 0, lo in bits 1-31, hi in bits 32-63.
type chunks uint64

const startedBit = 1

func span(lo, hi int) chunks { return chunks(hi)<<32 | chunks(lo)<<1 }

func (r chunks) lo() int       { return int(uint32(r) >> 1) }
func (r chunks) hi() int       { return int(r >> 32) }
func (r chunks) len() int      { return r.hi() - r.lo() }
func (r chunks) empty() bool   { return r.lo() >= r.hi() }
func (r chunks) started() bool { return r&startedBit != 0 }
func (r chunks) start() chunks { return r | startedBit }

// front claims the first chunk of s's block for its owner, who thereby has started.
func (s *slot) front() (k int, ok bool) {
	for {
		r := chunks(s.rng.Load())
		if r.empty() {
			return 0, false
		}
		if s.rng.CompareAndSwap(uint64(r), uint64((r + 2).start())) {
			return r.lo(), true
		}
	}
}

// back claims the last chunk of s's block for another participant.
func (s *slot) back() (k int, ok bool) {
	for {
		r := chunks(s.rng.Load())
		if r.empty() {
			return 0, false
		}
		if s.rng.CompareAndSwap(uint64(r), uint64(r-1<<32)) {
			return r.hi() - 1, true
		}
	}
}
