package numa

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"unsafe"

	"github.com/numateam/numateam/topology"
	"github.com/numateam/numateam/topology/topologytest"
)

// TestCases checks the behaviours that are collected as ../shared/cases. Those
// that have no table there are tests of their own: num-01 and num-02 are
// TestRefused, num-11 is the whole package under -race and -d=checkptr.
func TestCases(t *testing.T) {
	t.Run("num-03", func(t *testing.T) {
		for _, c := range table[struct {
			Node       int
			MinWords   int     `json:"min_words"`
			MinMaxnode uintptr `json:"min_maxnode"`
			MaxMaxnode uintptr `json:"max_maxnode"`
		}](t) {
			mask, maxnode := nodeMask(topology.SetOf(c.Node))
			if mask[c.Node/wordBits] != 1<<(c.Node%wordBits) {
				t.Errorf("node %d: mask %x", c.Node, mask)
			}
			if wordBits == 64 && (len(mask) < c.MinWords || maxnode < c.MinMaxnode || maxnode > c.MaxMaxnode) {
				t.Errorf("node %d: %d words and maxnode %d, want at least %d and %d to %d", c.Node, len(mask), maxnode, c.MinWords, c.MinMaxnode, c.MaxMaxnode)
			}
		}
	})
	t.Run("num-04", func(t *testing.T) {
		m := topTen(t)
		_, got, problem := Bind(topology.SetOf(0)).plan(m, layout{1 << 12, 8, 1 << 12}, true)
		if !errors.Is(problem, ErrNode) {
			t.Errorf("bind to a node of 0 bytes: %v", problem)
		}
		if want := nearest(m, 0, topology.SetOf(1, 2)); !got.Nodes().Equal(want) {
			t.Errorf("bind to a node of 0 bytes, best effort: %v, want the nearest, %v", got, want)
		}
		steps, got, _ := Interleave(topology.SetOf(0, 1, 2, 3)).plan(m, layout{1 << 12, 8, 1 << 12}, false)
		if got.String() != "interleave:1-2" || len(steps) != 1 || steps[0].nodes.String() != "1-2" {
			t.Errorf("interleave over 0-3: %v by %v", got, steps)
		}
	})
	t.Run("num-05", func(t *testing.T) {
		for _, c := range table[struct {
			Online, Mask topology.Set
			Memory       topology.Set `json:"has_memory"`
			Allowed      topology.Set `json:"mems_allowed"`
			Error        bool
		}](t) {
			m := &topology.Machine{Live: true, AllowedNodes: c.Allowed}
			for id := range c.Online.All() {
				node := topology.Node{ID: id}
				if c.Memory.Contains(id) {
					node.Memory = 1 << 30
				}
				m.Nodes = append(m.Nodes, node)
			}
			steps, _, problem := Interleave(topology.Set{}).plan(m, layout{1 << 12, 8, 1 << 12}, true)
			if c.Error {
				if !errors.Is(problem, ErrNode) || len(steps) > 0 {
					t.Errorf("%+v: %v, error %v", c, steps, problem)
				}
			} else if problem != nil || len(steps) != 1 || !steps[0].nodes.Equal(c.Mask) {
				t.Errorf("%+v: %v, error %v", c, steps, problem)
			}
		}
	})
	t.Run("num-06", func(t *testing.T) {
		if Support().Query != nil {
			t.Skip("the system doesn't say where pages are; .ci/vm/test runs this where it does")
		}
		page := int(basePage)
		x := alloc[byte](t, 8*page, &Options{Huge: HugeNever}).Slice()
		x[0], x[2*page], x[4*page] = 1, 1, 1
		if x[6*page] != 0 {
			t.Error("not zeroed")
		}
		r, err := WhereIs(x)
		on := 0
		for node, pages := range r.Nodes {
			if node < 0 {
				t.Errorf("node %d", node)
			}
			on += pages
		}
		// There are kernels that give a page of its own to a read, too.
		if own := on == 4 && os.Getenv("VM_TOPOLOGY") == ""; err != nil || on != 3 && !own || on+r.Untouched != 8 {
			t.Errorf("%+v, %v", r, err)
		}
	})
	t.Run("num-07", func(t *testing.T) {
		for _, c := range table[struct{ Request, Page, Mapped uintptr }](t) {
			if got := roundUp(c.Request, c.Page); got != c.Mapped {
				t.Errorf("%d bytes in pages of %d: %d mapped, want %d", c.Request, c.Page, got, c.Mapped)
			}
		}
		n := 3<<20 + 1
		a := alloc[byte](t, n, &Options{Huge: HugeExplicit})
		out := a.Outcome()
		if fell := out.Huge != HugeExplicit; fell != (out.Err != nil) || fell && !errors.As(out.Err, new(*Error)) {
			t.Errorf("outcome %+v", out)
		}
		if x := a.Slice(); len(x) != n {
			t.Errorf("%d elements", len(x))
		} else {
			x[n-1] = 1
		}
		if Support().Reserved == 0 {
			if _, err := Alloc[byte](n, &Options{Huge: HugeExplicit, Strict: true}); err == nil {
				t.Error("strict explicit huge pages, of which there are none")
			}
		}
	})
	t.Run("num-08", func(t *testing.T) {
		for _, c := range table[struct{ Request, Page, Pages, Mapped uintptr }](t) {
			if got := roundUp(c.Request, c.Page); got != c.Mapped || got/c.Page != c.Pages {
				t.Errorf("%d bytes in pages of %d: %d mapped, want %d in %d pages", c.Request, c.Page, got, c.Mapped, c.Pages)
			}
		}
		if int(basePage) != os.Getpagesize() || Support().Page != os.Getpagesize() {
			t.Error("page size", basePage)
		}
	})
	t.Run("num-09", func(t *testing.T) {
		if Support().Query != nil {
			t.Skip("the system doesn't say where pages are; .ci/vm/test runs this where it does")
		}
		a := alloc[float64](t, 1<<20, &Options{Huge: HugeNever})
		if r, err := a.Residency(); err != nil || r.Untouched != r.Pages() || r.Pages() != 8<<20/int(basePage) {
			t.Errorf("right after Alloc: %+v, %v", r, err)
		}
	})
	t.Run("num-10", func(t *testing.T) {
		// TestSliceOutlivesItsArray reads and writes on. Here: nothing that the
		// collector finds is what keeps the memory.
		a := alloc[int64](t, 1, nil)
		if _, ok := Lookup(unsafe.Pointer(&a.Slice()[0])); !ok {
			t.Error("a live array isn't in the registry")
		}
	})
}

// table reads the cases of the running subtest.
func table[Case any](t *testing.T) (all []Case) {
	t.Helper()
	topologytest.Case(t, &all, filepath.Base(t.Name()), "cases.json")
	if len(all) == 0 {
		t.Fatal("no cases")
	}
	return all
}

// topTen returns the machine of case top-10, on which nodes 0 and 3 have no
// memory, as if it were this one.
func topTen(t *testing.T) *topology.Machine {
	t.Helper()
	m, err := topology.Read(os.DirFS(topologytest.Shared(t, "cases", "top-10")), nil)
	if err != nil {
		t.Fatal(err)
	}
	live := *m
	live.Live = true
	return &live
}
