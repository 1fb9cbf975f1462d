package team

import (
	"math/bits"
	"reflect"
)

// A habit is what a team has learned of one kind of launch: of one body, grain
// and order of magnitude of n. Only whoever has acquired the team touches it.
type habit struct {
	key    uint64
	count  uint32             // launches of this kind
	choice Schedule           // Auto's
	serial recent             // ns that one CPU would take for it
	took   [2]recent          // ns that it took under Static and Steal
	pace   [maxClasses]recent // by class of cores: ns for 1,024 indices
}

// maxClasses is how many classes of cores a habit tells apart; slower ones count
// as the last.
const maxClasses = 4

// cost returns how many times longer a chunk takes on a class of cores than on
// the fastest, if both have been timed.
func (h *habit) cost(class int) (cost float64, ok bool) {
	fast, slow := h.pace[0].best(), h.pace[min(class, maxClasses-1)].best()
	if fast == 0 || slow == 0 {
		return 0, false
	}
	return float64(slow) / float64(fast), true
}

// habits is a direct-mapped table: another kind of launch that falls on the same
// entry takes it over.
type habits [64]habit

// of returns the habit of a launch, empty if there is none yet.
func (t *habits) of(j job, n, grain int) *habit {
	f := reflect.ValueOf(j.body)
	if j.worker != nil {
		f = reflect.ValueOf(j.worker)
	}
	key := uint64(f.Pointer())
	key = (key*31+uint64(grain))*64 + uint64(bits.Len(uint(n)))
	key *= 0x9E3779B97F4A7C15 // 2^64/golden ratio: spreads keys over the upper bits
	h := &t[key>>58]
	if h.key != key {
		*h = habit{key: key, choice: Static}
	}
	return h
}

// tiny is the serial time in ns below which no schedule is worth comparing.
const tiny = 20_000

// timed tells whether this launch is to be timed: while its kind is new or
// long enough for two looks at the clock not to matter, else now and then.
func (h *habit) timed() bool {
	return h.count < 16 || h.count%32 == 0 || h.serial.best() > tiny
}

// schedule picks Static or Steal for Auto. It compares the best of the last few
// launches under each, so that one launch that was held up decides nothing, and
// keeps its choice until the other is faster by a tenth. The one not chosen is
// tried again, twice in 64 launches.
func (h *habit) schedule() Schedule {
	if best := h.serial.best(); best > 0 && best < tiny {
		return Static
	}
	other := Static + Steal - h.choice
	mine, theirs := h.took[h.choice-Static].best(), h.took[other-Static].best()
	switch {
	case h.count < 4:
		return Static
	case h.count < 8, h.count%64 < 2:
		return other
	case theirs > 0 && theirs < mine-mine/10:
		h.choice = other
	}
	return h.choice
}

// recent holds the last few times of something, in ns.
type recent struct {
	ns [4]int64
	n  uint32
}

func (r *recent) add(ns int64) {
	r.ns[r.n%4] = max(ns, 1)
	r.n++
}

// best returns the least of them, or 0 if there is none.
func (r *recent) best() int64 {
	best := r.ns[0]
	for _, ns := range r.ns[1:min(max(r.n, 1), 4)] {
		best = min(best, ns)
	}
	return best
}
