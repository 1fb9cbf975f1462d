package numa

import (
	"fmt"
	"slices"
	"strings"

	"github.com/numateam/numateam/topology"
)

// A Policy says on which nodes the pages of an array are to lie. The zero value
// is [FirstTouch]. A Policy is a value: it can be copied and shared freely.
//
// As text, for flags and JSON, it is "first-touch", "bind:0-1", "preferred:1",
// "interleave" or "interleave:0,2". By parts is written "by-parts", and can't be read
// back: its parts are not in the text.
type Policy struct {
	kind  kind
	nodes topology.Set
	parts []Part
}

type kind uint8

const (
	firstTouch kind = iota
	bind
	preferred
	interleave
	byParts
)

var kindNames = [...]string{"first-touch", "bind", "preferred", "interleave", "by-parts"}

// A Part is a run of an array's elements that is wanted on one node. The parts
// of an array lie one after the other, and each begins where the one before it
// ends. A page that holds the end of one part and the start of the next belongs
// to the part of the page's first byte.
type Part struct {
	End    int // index after the part's last element
	Node   int // OS id of the node that the pages are wanted on; -1: no wish
	Worker int // who works on it, in the team Options.Owner; -1: nobody in particular
}

// FirstTouch leaves each page to the node of the CPU that touches it first, or
// to the nearest that has memory free. No system call is made: a policy that
// the process was started with, by numactl say, stays in force.
func FirstTouch() Policy { return Policy{} }

// Bind wants all pages on the given nodes and on no others. Among several, the
// kernel takes the one nearest to the CPU that touches the page.
func Bind(nodes topology.Set) Policy { return Policy{kind: bind, nodes: nodes} }

// Preferred wants all pages on one node, and the rest on the nearest ones once
// that is full. It panics if node is negative.
func Preferred(node int) Policy {
	if node < 0 {
		panic("numa: Preferred: negative node")
	}
	return Policy{kind: preferred, nodes: topology.SetOf(node)}
}

// Interleave deals the pages out to the given nodes in turn. The empty set
// stands for all nodes with memory that the process may use.
func Interleave(nodes topology.Set) Policy { return Policy{kind: interleave, nodes: nodes} }

// ByParts wants each part's pages on the part's own node. It copies parts.
// Elements after the last part have no wish. It panics if the ends descend.
func ByParts(parts []Part) Policy {
	last := 0
	for _, p := range parts {
		if p.End < last {
			panic("numa: ByParts: the parts' ends descend")
		}
		last = p.End
	}
	return Policy{kind: byParts, parts: slices.Clone(parts)}
}

// Nodes returns the nodes that p names. It is empty for first touch, and for an
// interleave over all nodes.
func (p Policy) Nodes() topology.Set {
	s := p.nodes
	for _, part := range p.parts {
		if part.Node >= 0 {
			s = s.With(part.Node)
		}
	}
	return s
}

// end returns the end of p's last part; 0 if it has none.
func (p Policy) end() int {
	if len(p.parts) == 0 {
		return 0
	}
	return p.parts[len(p.parts)-1].End
}

// String returns p as text, such as "bind:0-1".
func (p Policy) String() string {
	s := kindNames[p.kind]
	if !p.nodes.IsEmpty() {
		s += ":" + p.nodes.String()
	}
	return s
}

// MarshalText returns p as text. The error is always nil.
func (p Policy) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads a policy from text, such as "bind:0-1", in any case and with or
// without a colon in front.
func (p *Policy) UnmarshalText(text []byte) error {
	name, list, hasNodes := strings.Cut(plainName(text), ":")
	nodes, err := topology.ParseSet(list)
	if err != nil {
		return fmt.Errorf("numa: bad policy %q: %w", text, err)
	}
	k := kind(slices.Index(kindNames[:], name))
	ok := false
	switch k {
	case firstTouch:
		ok = !hasNodes
	case bind:
		ok = !nodes.IsEmpty()
	case preferred:
		ok = nodes.Len() == 1
	case interleave:
		ok = !hasNodes || !nodes.IsEmpty()
	}
	if !ok {
		return fmt.Errorf("numa: bad policy %q: want first-touch, bind:NODES, preferred:NODE, interleave or interleave:NODES", text)
	}
	*p = Policy{kind: k, nodes: nodes}
	return nil
}

// HugePages says which page size an array is to have. Huge pages save TLB
// misses, and their page faults are fewer; but a page is then the least that
// can be placed. As text it is "auto", "never" or "explicit".
type HugePages uint8

const (
	// HugeAuto advises the kernel to back the array with transparent huge pages
	// where it holds at least one.
	HugeAuto HugePages = iota
	// HugeNever keeps to base pages, even where the system's default is huge ones.
	HugeNever
	// HugeExplicit takes huge pages that the administrator has set aside, of the
	// default size (vm.nr_hugepages). If too few are free, it is as HugeAuto.
	HugeExplicit
)

var hugeNames = [...]string{"auto", "never", "explicit"}

// String returns h as text.
func (h HugePages) String() string {
	if int(h) < len(hugeNames) {
		return hugeNames[h]
	}
	return fmt.Sprintf("HugePages(%d)", uint8(h))
}

// MarshalText returns h as text. The error is always nil.
func (h HugePages) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText reads h from text, in any case and with or without a colon in front.
func (h *HugePages) UnmarshalText(text []byte) error {
	i := slices.Index(hugeNames[:], plainName(text))
	if i < 0 {
		return fmt.Errorf("numa: unknown huge pages %q (one of %s)", text, strings.Join(hugeNames[:], ", "))
	}
	*h = HugePages(i)
	return nil
}

// plainName returns text in lower case, without space around it and a colon in front.
func plainName(text []byte) string {
	return strings.ToLower(strings.TrimPrefix(strings.TrimSpace(string(text)), ":"))
}
