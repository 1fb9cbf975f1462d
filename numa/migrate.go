package numa

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/numateam/numateam/topology"
)

// Migrate gives the array the policy p and moves the pages that lie elsewhere
// than p wants them; what isn't touched yet follows p when it is. First touch
// moves nothing. The array stays usable meanwhile, by other goroutines too: one
// that writes to a page on the move waits for it.
//
// What falls short of p is an error, the rest is done all the same; a strict
// array checks nodes and free memory first and stays as it is if they don't
// suffice. Outcome says how many pages moved. Pages move in batches of 2 MiB, so
// that other threads' page faults wait for no more than one. It panics after
// Close, and if p has a part that ends after the array.
func (a *Array[T]) Migrate(p Policy) error {
	mem := a.open("Migrate")
	if p.end() > len(a.slice) {
		panic("numa: Migrate: a part ends after the array")
	}
	return mem.migrate(p)
}

func (mem *memory) migrate(p Policy) error {
	mem.mu.Lock()
	defer mem.mu.Unlock()
	if mem.layout.bytes == 0 {
		return nil
	}
	var has map[int]uint64
	if mem.strict {
		has = mem.resident()
	}
	steps, got, err := mem.plan(p, has)
	if err != nil && (mem.strict || len(steps) == 0) {
		return instead(insteadStays, err)
	}
	old := mem.region.state
	st := &state{outcome: old.outcome}
	st.outcome.Moved = 0
	if e := setPolicy(mem.base, mem.layout.bytes, modeDefault, topology.Set{}); e != nil {
		return &Error{Call: "mbind", Policy: p, Err: e, Hint: hint(e), Instead: insteadStays}
	}
	rest, e := mem.apply(p, steps)
	if e != nil {
		got, err = FirstTouch(), e
	} else {
		for _, s := range steps {
			moved, e := mem.move(p, s)
			st.outcome.Moved += moved
			err = errors.Join(err, e)
		}
	}
	st.outcome.Policy, st.outcome.Err = got, err
	st.firstTouch = rest && mem.choice()
	st.touched.Store(old.touched.Load())
	r := *mem.region
	r.Policy, r.Parts, r.state = p, p.parts, st
	mem.region = &r
	register(&r)
	return err
}

// move moves the pages of s that aren't where it wants them, and returns how
// many it moved, in base pages.
func (mem *memory) move(p Policy, s step) (moved int, err error) {
	var (
		pages  [moveBatch]uintptr
		target [moveBatch]int32
		status [moveBatch]int32
		left   int
	)
	unit := mem.moveUnit()
	for lo := s.lo; lo < s.hi && err == nil; lo += moveBatch * basePage {
		n := 0
		for at := lo; at < min(lo+moveBatch*basePage, s.hi); at += basePage {
			pages[n] = uintptr(unsafe.Add(mem.base, at))
			n++
		}
		if err = query(pages[:n], status[:n]); err != nil {
			break
		}
		k := 0
		for i, now := range status[:n] {
			if now < 0 {
				continue
			}
			if to := s.target(int((lo+uintptr(i)*basePage)/unit), int(now)); to != int(now) {
				pages[k], target[k] = pages[i], int32(to)
				k++
			}
		}
		if k == 0 {
			continue
		}
		if err = movePages(pages[:k], target[:k], status[:k]); err != nil {
			break
		}
		// Of a huge page's parts only one is reported as moved: look again.
		err = query(pages[:k], status[:k])
		for i := range k {
			if status[i] == target[i] {
				moved++
			} else {
				left++
			}
		}
	}
	switch {
	case err != nil:
		err = &Error{Call: "move_pages", Policy: p, Nodes: s.nodes, Err: err, Hint: hint(err), Instead: "the pages stay where they are"}
	case left > 0:
		err = &Error{Call: "move_pages", Policy: p, Nodes: s.nodes, Err: ErrNoMemory,
			Hint: fmt.Sprintf("%d pages didn't move: the node is full, or something holds them in place", left)}
	}
	return moved, err
}

const moveBatch = 512 // base pages; where they have 4 KiB, one huge page

// moveUnit returns how many bytes an interleave deals out at once: a huge page,
// where the kernel may have made some, as it does for a page fault.
func (mem *memory) moveUnit() uintptr {
	huge := transparentPage()
	if mem.layout.page > basePage || mem.region.Outcome().Huge == HugeNever || huge == 0 || mem.layout.bytes < huge || Support().Transparent == "never" {
		return mem.layout.page
	}
	return huge
}

// target returns the node that s wants a page on, which is in the unit-th unit
// of the mapping, and on node now.
func (s step) target(unit, now int) int {
	if s.mode != modeInterleave && s.nodes.Contains(now) {
		return now
	}
	k := unit % s.nodes.Len()
	for id := range s.nodes.All() {
		if k == 0 {
			return id
		}
		k--
	}
	panic("numa: a step without nodes")
}

// Collapse gathers the array's pages into transparent huge ones now, instead of
// when they're next touched or the kernel gets round to it: for arrays that were
// touched piecemeal, or before huge pages could be had. It returns how many
// huge pages there are then. Ranges that nobody has touched are left alone, and
// so are those that a part's border runs through. Needs Linux 6.1. It panics
// after Close.
func (a *Array[T]) Collapse() (int, error) {
	mem := a.open("Collapse")
	policy := mem.outcome().Policy
	page := transparentPage()
	if page == 0 {
		return 0, &Error{Call: "collapsing pages", Policy: policy, Err: errors.ErrUnsupported, Hint: "there are no transparent huge pages"}
	}
	n := 0
	var failed error
	for at := -uintptr(mem.base) & (page - 1); at+page <= mem.layout.bytes; at += page {
		if err := collapse(unsafe.Add(mem.base, at), page); err == nil {
			n++
		} else if failed == nil && mem.touchedIn(at, page) {
			failed = err
		}
	}
	if n == 0 && failed != nil {
		return 0, &Error{Call: "madvise(MADV_COLLAPSE)", Policy: policy, Err: failed, Hint: "Linux has it since 6.1"}
	}
	return n, nil
}

// touchedIn reports whether any of the n bytes from lo on is touched, or may be.
func (mem *memory) touchedIn(lo, n uintptr) bool {
	touched := false
	err := walk(unsafe.Add(mem.base, lo), int(n), 1, 1, func(_, node int) { touched = touched || node != Untouched })
	return touched || err != nil
}
