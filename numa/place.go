package numa

import (
	"fmt"
	"slices"

	"github.com/numateam/numateam/topology"
)

// mode is a memory policy as mbind takes it; the numbers are Linux's
// (include/uapi/linux/mempolicy.h).
type mode int

const (
	modeDefault       mode = 0
	modePreferred     mode = 1
	modeBind          mode = 2
	modeInterleave    mode = 3
	modeLocal         mode = 4
	modePreferredMany mode = 5 // since Linux 5.15
	modeWeighted      mode = 6 // since Linux 6.9
)

var modeNames = map[mode]string{modeDefault: "default", modePreferred: "preferred", modeBind: "bind",
	modeInterleave: "interleave", modeLocal: "local", modePreferredMany: "preferred-many", modeWeighted: "weighted-interleave"}

func (m mode) String() string { return modeNames[m] }

// A step is one call of mbind: a mode for the bytes lo to hi of a mapping.
type step struct {
	lo, hi uintptr
	mode   mode
	nodes  topology.Set
}

// layout is what a plan has to know of a mapping.
type layout struct {
	bytes uintptr // a multiple of page
	elem  uintptr // bytes of an element
	page  uintptr // bytes of the unit that can be placed
}

const (
	insteadTouch = "each page goes to the node of the CPU that touches it first"
	insteadStays = "the array stays as it was"
)

// plan turns p into mbind calls on machine m. Nodes that can't be used are left
// out, or replaced by the nearest that can; problem then says so. got is the
// policy with the nodes that are really used.
func (p Policy) plan(m *topology.Machine, l layout, strict bool) (steps []step, got Policy, problem *Error) {
	if p.kind == firstTouch {
		return nil, p, nil
	}
	if !m.Live {
		return nil, FirstTouch(), &Error{Call: "placing", Policy: p, Err: ErrNotLive, Instead: insteadTouch}
	}
	have := usable(onlineNodes(m), memoryNodes(m), m.AllowedNodes)
	got = p
	add := func(lo, hi uintptr, nodes topology.Set) {
		if lo == hi || nodes.IsEmpty() {
			return
		}
		md := p.mode(nodes, strict)
		if k := len(steps) - 1; k >= 0 && steps[k].hi == lo && steps[k].nodes.Equal(nodes) {
			steps[k].hi = hi
			return
		}
		steps = append(steps, step{lo, hi, md, nodes})
	}
	switch p.kind {
	case bind, preferred:
		got.nodes = p.nodes.Intersect(have)
		if got.nodes.IsEmpty() {
			got.nodes = nearest(m, p.nodes.Min(), have)
		}
		add(0, l.bytes, got.nodes)
	case interleave:
		got.nodes = have
		if !p.nodes.IsEmpty() {
			got.nodes = p.nodes.Intersect(have)
		}
		add(0, l.bytes, got.nodes)
	case byParts:
		got.parts = slices.Clone(p.parts)
		lo := uintptr(0)
		for i := range got.parts {
			part := &got.parts[i]
			hi := min(roundUp(uintptr(part.End)*l.elem, l.page), l.bytes)
			if part.Node >= 0 && !have.Contains(part.Node) {
				part.Node = max(-1, nearest(m, part.Node, have).Min())
			}
			if part.Node >= 0 {
				add(lo, hi, topology.SetOf(part.Node))
			}
			lo = hi
		}
	}
	if missing := p.Nodes().Difference(have); !missing.IsEmpty() || p.kind == interleave && got.nodes.IsEmpty() {
		problem = &Error{Call: "choosing nodes", Policy: p, Nodes: missing, Err: ErrNode,
			Hint: fmt.Sprintf("nodes with memory that it may use: %v", have), Instead: insteadTouch}
		if used := got.Nodes(); !used.IsEmpty() {
			problem.Instead = fmt.Sprintf("node %v is used", used)
		} else {
			got = FirstTouch()
		}
	}
	return steps, got, problem
}

// mode returns the mode for a step on the given nodes. Only what is strict may
// end in a kill when the nodes are full: the rest prefers them.
func (p Policy) mode(nodes topology.Set, strict bool) mode {
	switch {
	case p.kind == interleave:
		return modeInterleave
	case strict && p.kind != preferred:
		return modeBind
	case nodes.Len() > 1:
		return modePreferredMany
	}
	return modePreferred
}

// usable returns the nodes that pages can be placed on.
func usable(online, withMemory, allowed topology.Set) topology.Set {
	return online.Intersect(withMemory).Intersect(allowed)
}

func onlineNodes(m *topology.Machine) topology.Set {
	var s topology.Set
	for _, n := range m.Nodes {
		s = s.With(n.ID)
	}
	return s
}

// memoryNodes returns the nodes that have memory: all, on a machine that doesn't
// say of any.
func memoryNodes(m *topology.Machine) topology.Set {
	var s topology.Set
	for _, n := range m.Nodes {
		if n.Memory > 0 {
			s = s.With(n.ID)
		}
	}
	if s.IsEmpty() {
		return onlineNodes(m)
	}
	return s
}

// Home returns the node for the memory of those who run on a node of m: that
// node, if pages can be placed on it, else the nearest on which they can. The
// kernel does as much for pages touched first on a node that has no memory or is
// closed to the process. Where there is no such node, or node is -1, Home returns
// node.
func Home(m *topology.Machine, node int) int {
	have := usable(onlineNodes(m), memoryNodes(m), m.AllowedNodes)
	if node < 0 || have.IsEmpty() || have.Contains(node) {
		return node
	}
	return nearest(m, node, have).Min()
}

// nearest returns the node of have that is nearest to node, as a set of one; of
// equals the lowest, and so too where the distance isn't known. It is empty if
// have is.
func nearest(m *topology.Machine, node int, have topology.Set) topology.Set {
	best, shortest := have.Min(), 0
	for id := range have.All() {
		if d, err := m.Distance(node, id); err == nil && (shortest == 0 || d < shortest) {
			best, shortest = id, d
		}
	}
	if best < 0 {
		return topology.Set{}
	}
	return topology.SetOf(best)
}

// shortage returns the first node on which steps want more bytes than room says
// are free, and nothing if there's none. A step over several nodes is taken to
// want the same of each.
func shortage(steps []step, room func(node int) uint64) topology.Set {
	need := map[int]uint64{}
	var nodes topology.Set
	for _, s := range steps {
		if s.mode == modePreferred || s.mode == modePreferredMany {
			continue
		}
		for id := range s.nodes.All() {
			need[id] += uint64(s.hi-s.lo) / uint64(s.nodes.Len())
			nodes = nodes.With(id)
		}
	}
	for id := range nodes.All() {
		if need[id] > room(id) {
			return topology.SetOf(id)
		}
	}
	return topology.Set{}
}

// nodeMask returns nodes as the kernel's node mask, and the maxnode argument
// that goes with it. The kernel takes one off maxnode before it reads that many
// bits, so maxnode is one more than the words have bits.
func nodeMask(nodes topology.Set) (mask []uintptr, maxnode uintptr) {
	if nodes.IsEmpty() {
		return nil, 0
	}
	mask = make([]uintptr, nodes.Max()/wordBits+1)
	for id := range nodes.All() {
		mask[id/wordBits] |= 1 << (id % wordBits)
	}
	return mask, uintptr(len(mask)*wordBits + 1)
}

const wordBits = 32 << (^uintptr(0) >> 63) // bits of a machine word

// roundUp returns the least multiple of unit, a power of two, that is at least n.
func roundUp(n, unit uintptr) uintptr { return (n + unit - 1) &^ (unit - 1) }
