package numa

import (
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"
)

// A Region describes a live array to code that only has a slice of it.
type Region struct {
	Base     unsafe.Pointer // the array's first byte
	Bytes    uintptr        // its length
	ElemSize uintptr        // bytes of one element
	Policy   Policy         // as asked for; Outcome says what came of it
	Parts    []Part         // of a policy by parts; shared: read only
	Owner    uint64         // Options.Owner, the team that the parts' workers belong to

	state *state
}

// state is what all copies of a Region share.
type state struct {
	outcome Outcome
	// firstTouch: some page's node is decided by who touches it first, and there
	// is more than one node that it can be.
	firstTouch bool
	touched    atomic.Bool
}

// AtStake reports whether pages may still be untouched and their node depends on
// who touches them first: no policy is in force for them, and the machine has
// several nodes with memory.
func (r Region) AtStake() bool {
	return r.state != nil && r.state.firstTouch && !r.state.touched.Load()
}

// MarkTouched says that the whole array has been touched: nothing is at stake
// any more. It writes shared memory at most once per array.
func (r Region) MarkTouched() {
	if r.AtStake() {
		r.state.touched.Store(true)
	}
}

// Outcome returns what came of the array's policy.
func (r Region) Outcome() Outcome {
	if r.state == nil {
		return Outcome{}
	}
	return r.state.outcome
}

// The registry is a table of all live arrays, sorted by address. Readers take
// the current table and search it: they wait for nobody and write nothing, so
// that any number of them share its cache lines without a transfer. A writer
// copies the table, changes the copy and publishes it: with k live arrays an
// Alloc or Close copies 24*k bytes, which is little beside its system calls.
var registry struct {
	table  atomic.Pointer[[]entry]
	writer sync.Mutex
}

type entry struct {
	base, bytes uintptr
	region      *Region
}

// Lookup returns the live array that covers the address p. It is wait-free,
// allocates nothing, and is safe for concurrent use, also while arrays come and
// go. An array that is being closed is found or not.
func Lookup(p unsafe.Pointer) (Region, bool) {
	table := registry.table.Load()
	if table == nil {
		return Region{}, false
	}
	i := after(*table, uintptr(p)) - 1
	if i < 0 {
		return Region{}, false
	}
	if e := &(*table)[i]; uintptr(p)-e.base < e.bytes {
		return *e.region, true
	}
	return Region{}, false
}

// after returns the index of the first entry whose base is above addr.
func after(table []entry, addr uintptr) int {
	lo, hi := 0, len(table)
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		if table[mid].base <= addr {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// Live returns the arrays that have not been closed, in ascending order of their
// addresses: what a search for leaks begins with.
func Live() []Region {
	table := registry.table.Load()
	if table == nil {
		return nil
	}
	live := make([]Region, len(*table))
	for i, e := range *table {
		live[i] = *e.region
	}
	return live
}

// register publishes r, in the place of an entry with the same base if there is one.
func register(r *Region) {
	e := entry{uintptr(r.Base), r.Bytes, r}
	change(func(old []entry) []entry {
		i := after(old, e.base)
		if i > 0 && old[i-1].base == e.base {
			table := slices.Clone(old)
			table[i-1] = e
			return table
		}
		return slices.Concat(old[:i], []entry{e}, old[i:])
	})
}

// unregister takes the array at base out of the table.
func unregister(base unsafe.Pointer) {
	change(func(old []entry) []entry {
		i := after(old, uintptr(base))
		return slices.Concat(old[:i-1], old[i:])
	})
}

func change(f func(old []entry) []entry) {
	registry.writer.Lock()
	defer registry.writer.Unlock()
	var old []entry
	if table := registry.table.Load(); table != nil {
		old = *table
	}
	table := f(old)
	registry.table.Store(&table)
}
