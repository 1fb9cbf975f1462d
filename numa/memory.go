package numa

import (
	"errors"
	"fmt"
	"math"
	"os"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/numateam/numateam/topology"
)

// memory is what is behind an Array, whatever its element type. It has a mapping
// of its own, unless it is empty.
type memory struct {
	base   unsafe.Pointer
	layout layout // bytes: of the mapping, 0 if there's none
	strict bool
	m      *topology.Machine

	mu     sync.Mutex // for those who replace region
	region *Region
}

// thisMachine returns the machine that Options.Machine stands for if it is nil. Only
// success is remembered: that there were no file descriptors left passes.
func thisMachine() (*topology.Machine, error) {
	if m := detected.Load(); m != nil {
		return m, nil
	}
	m, err := topology.Detect()
	if err == nil {
		detected.Store(m)
	}
	return m, err
}

var detected atomic.Pointer[topology.Machine]

// empty is what arrays of no elements point to.
var empty complex128

// newMemory maps n elements of elem bytes, has their policy set and registers them.
func newMemory(n, elem uintptr, o *Options) (*memory, error) {
	if int(o.Huge) >= len(hugeNames) {
		return nil, fmt.Errorf("numa: Alloc: unknown huge pages %v", o.Huge)
	}
	if n > math.MaxInt/elem {
		return nil, &Error{Call: "mmap", Err: ErrNoMemory,
			Hint: fmt.Sprintf("%d elements of %d bytes are more than the address space", n, elem)}
	}
	m := o.Machine
	if m == nil {
		var err error
		if m, err = thisMachine(); err != nil {
			return nil, fmt.Errorf("numa: Alloc: %w", err)
		}
	}
	mem := &memory{base: unsafe.Pointer(&empty), layout: layout{elem: elem, page: basePage}, strict: o.Strict, m: m}
	mem.region = &Region{ElemSize: elem, Policy: o.Policy, Parts: o.Policy.parts, Owner: o.Owner}
	if n == 0 {
		mem.region.Base = mem.base
		mem.region.state = &state{outcome: Outcome{Policy: o.Policy, Huge: o.Huge, Page: int(basePage)}}
		return mem, nil
	}
	huge, hugeErr, err := mem.mapPages(n*elem, o)
	if err != nil {
		return nil, err
	}
	steps, got, placeErr := mem.plan(o.Policy, nil)
	rest := true
	if placeErr == nil || !o.Strict {
		var err error
		if rest, err = mem.apply(o.Policy, steps); err != nil {
			got, placeErr = FirstTouch(), err
		}
	}
	if o.Strict && (hugeErr != nil || placeErr != nil) {
		unmapPages(mem.base, mem.layout.bytes)
		return nil, instead("", hugeErr, placeErr)
	}
	mem.region.Base, mem.region.Bytes = mem.base, n*elem
	mem.region.state = &state{
		outcome:    Outcome{Policy: got, Huge: huge, Page: int(mem.layout.page), Err: errors.Join(hugeErr, placeErr)},
		firstTouch: rest && mem.choice(),
	}
	register(mem.region)
	return mem, nil
}

// mapPages maps at least n bytes with the page size that o asks for. It returns
// the page size that they have, and why if it's another.
func (mem *memory) mapPages(n uintptr, o *Options) (huge HugePages, hugeErr, err error) {
	huge = o.Huge
	if huge == HugeExplicit {
		page := explicitPage()
		bytes := roundUp(n, max(page, basePage))
		base, err := mapExplicit(bytes, page)
		if err == nil {
			mem.base, mem.layout.bytes, mem.layout.page = base, bytes, page
			return huge, nil, nil
		}
		huge = HugeAuto
		hugeErr = &Error{Call: "mmap of explicit huge pages", Err: err,
			Hint: "they have to be set aside with vm.nr_hugepages", Instead: "normal pages, with the advice to use transparent huge ones"}
	}
	bytes := roundUp(n, basePage)
	base, err := mapPages(bytes)
	if err != nil {
		return huge, nil, &Error{Call: "mmap", Err: noMemory{err},
			Hint: fmt.Sprintf("%d bytes are more than the machine or a limit of the process allows", bytes)}
	}
	mem.base, mem.layout.bytes = base, bytes
	advise(base, bytes, huge)
	return huge, hugeErr, nil
}

// plan plans p for the mapping, which already has so many bytes on each node. If
// it is strict, plan checks that there's memory enough; if it isn't, an error is
// for the record.
func (mem *memory) plan(p Policy, has map[int]uint64) (steps []step, got Policy, err error) {
	steps, got, problem := p.plan(mem.m, mem.layout, mem.strict)
	if problem != nil {
		return steps, got, problem
	}
	if mem.strict {
		room := func(node int) uint64 { return has[node] + nodeRoom(node, mem.layout.page) }
		if full := shortage(steps, room); !full.IsEmpty() {
			return nil, got, &Error{Call: "mbind", Policy: p, Nodes: full, Err: ErrNoMemory,
				Hint: fmt.Sprintf("%d bytes are free; to touch more would end the process", room(full.Min()))}
		}
	}
	return steps, got, nil
}

// resident returns how many bytes of the mapping are on each node.
func (mem *memory) resident() map[int]uint64 {
	has := map[int]uint64{}
	walk(mem.base, int(mem.layout.bytes), 1, 1, func(_, node int) { has[node] += uint64(basePage) })
	return has
}

// apply makes the calls that a plan for p consists of. It returns whether there
// are pages left that no policy is in force for.
func (mem *memory) apply(p Policy, steps []step) (rest bool, err error) {
	placed := uintptr(0)
	for _, s := range steps {
		if err := setPolicy(unsafe.Add(mem.base, s.lo), s.hi-s.lo, s.mode, s.nodes); err != nil {
			return true, &Error{Call: "mbind", Policy: p, Nodes: s.nodes, Err: err, Hint: hint(err), Instead: insteadTouch}
		}
		placed += s.hi - s.lo
	}
	return placed < mem.layout.bytes, nil
}

// choice reports whether there are several nodes that a page can come to lie on.
func (mem *memory) choice() bool { return memoryNodes(mem.m).Intersect(mem.m.AllowedNodes).Len() > 1 }

func (mem *memory) outcome() Outcome {
	mem.mu.Lock()
	defer mem.mu.Unlock()
	return mem.region.Outcome()
}

func (mem *memory) free() error {
	if mem.layout.bytes == 0 {
		return nil
	}
	unregister(mem.base)
	if err := unmapPages(mem.base, mem.layout.bytes); err != nil {
		return fmt.Errorf("numa: munmap: %w", err)
	}
	return nil
}

// basePage is the system's page size: 4096 on most, not on all.
var basePage = uintptr(os.Getpagesize())
