package numa

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/numateam/numateam/topology"
)

func TestPolicyText(t *testing.T) {
	for _, p := range []Policy{
		FirstTouch(), Bind(topology.SetOf(0, 1, 8)), Preferred(3), Interleave(topology.Set{}), Interleave(topology.SetOf(0, 2)),
	} {
		text, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		var q Policy
		if err := json.Unmarshal(text, &q); err != nil || q.String() != p.String() {
			t.Errorf("%s reads back as %v, %v", text, q, err)
		}
		if err := q.UnmarshalText([]byte(":" + p.String())); err != nil {
			t.Error(err)
		}
	}
	for _, text := range []string{"", "x", "bind", "bind:", "bind:1-", "preferred", "preferred:0-1", "interleave:", "first-touch:0", "by-parts"} {
		p := Preferred(1)
		if err := p.UnmarshalText([]byte(text)); err == nil || p.String() != "preferred:1" {
			t.Errorf("%q: %v, error %v", text, p, err)
		}
	}
	for _, h := range []HugePages{HugeAuto, HugeNever, HugeExplicit} {
		var g HugePages
		if err := g.UnmarshalText([]byte(":" + h.String())); err != nil || g != h {
			t.Errorf("%v reads back as %v, %v", h, g, err)
		}
	}
	if new(HugePages).UnmarshalText([]byte("large")) == nil {
		t.Error("large huge pages")
	}
	if _, err := Alloc[byte](1, &Options{Huge: 9}); err == nil || err.Error() != "numa: Alloc: unknown huge pages HugePages(9)" {
		t.Errorf("unknown huge pages: %v", err)
	}
}

// machine returns one whose nodes have the given memory; all are allowed.
func machine(memory ...uint64) *topology.Machine {
	m := &topology.Machine{Live: true}
	for i, bytes := range memory {
		m.Nodes = append(m.Nodes, topology.Node{ID: i, Memory: bytes})
		m.AllowedNodes = m.AllowedNodes.With(i)
	}
	return m
}

func TestPlan(t *testing.T) {
	const page = 4096
	set := topology.SetOf
	for _, tt := range []struct {
		name    string
		policy  Policy
		m       *topology.Machine
		strict  bool
		steps   string // lo-hi mode nodes, in pages
		got     string
		problem error
	}{
		{"first touch", FirstTouch(), machine(1, 1), false, "", "first-touch", nil},
		{"bind", Bind(set(1)), machine(1, 1), true, "0-8 bind 1", "bind:1", nil},
		{"bind, best effort", Bind(set(1)), machine(1, 1), false, "0-8 preferred 1", "bind:1", nil},
		{"bind to two, best effort", Bind(set(0, 1)), machine(1, 1), false, "0-8 preferred-many 0-1", "bind:0-1", nil},
		{"one of two unusable", Bind(set(0, 1)), machine(0, 1), false, "0-8 preferred 1", "bind:1", ErrNode},
		{"memory nowhere is memory everywhere", Bind(set(1)), machine(0, 0), true, "0-8 bind 1", "bind:1", nil},
		{"absent", Preferred(7), machine(1, 1), false, "0-8 preferred 0", "preferred:0", ErrNode},
		{"interleave all", Interleave(topology.Set{}), machine(1, 0, 1), true, "0-8 interleave 0,2", "interleave:0,2", nil},
		{"interleave some", Interleave(set(0, 1)), machine(1, 0, 1), false, "0-8 interleave 0", "interleave:0", ErrNode},
		{"interleave none", Interleave(set(1)), machine(1, 0, 1), false, "", "first-touch", ErrNode},
		// 1,025 elements of 8 bytes end in the third page, whose first byte is theirs.
		{"parts", ByParts([]Part{{End: 1025, Node: 0}, {End: 2048, Node: 1}, {End: 3000, Node: 1}, {End: 3072, Node: -1}, {End: 4096, Node: 0}}),
			machine(1, 1), true, "0-3 bind 0, 3-6 bind 1, 6-8 bind 0", "by-parts", nil},
		{"parts within a page", ByParts([]Part{{End: 1, Node: 0}, {End: 2, Node: 1}, {End: 4096, Node: 1}}),
			machine(1, 1), false, "0-1 preferred 0, 1-8 preferred 1", "by-parts", nil},
		{"parts replaced", ByParts([]Part{{End: 2048, Node: 0}, {End: 4096, Node: 1}}), machine(1, 0), false, "0-8 preferred 0", "by-parts", ErrNode},
		{"parts short of the end", ByParts([]Part{{End: 512, Node: 1}}), machine(1, 1), false, "0-1 preferred 1", "by-parts", nil},
		{"not live", Bind(set(0)), &topology.Machine{Nodes: machine(1).Nodes, AllowedNodes: set(0)}, false, "", "first-touch", ErrNotLive},
	} {
		steps, got, problem := tt.policy.plan(tt.m, layout{bytes: 8 * page, elem: 8, page: page}, tt.strict)
		var text []string
		for _, s := range steps {
			text = append(text, fmt.Sprintf("%d-%d %v %v", s.lo/page, s.hi/page, s.mode, s.nodes))
		}
		if s := strings.Join(text, ", "); s != tt.steps || got.String() != tt.got {
			t.Errorf("%s: %v by %q, want %v by %q", tt.name, got, s, tt.got, tt.steps)
		}
		if (problem != nil) != (tt.problem != nil) || problem != nil && !errors.Is(problem, tt.problem) {
			t.Errorf("%s: problem %v, want %v", tt.name, problem, tt.problem)
		}
		if problem != nil && problem.Instead == "" {
			t.Errorf("%s: %v doesn't say what is done instead", tt.name, problem)
		}
	}
}

func TestHome(t *testing.T) {
	closed := machine(1, 1)
	closed.AllowedNodes = topology.SetOf(1)
	for _, tt := range []struct {
		name       string
		m          *topology.Machine
		node, want int
	}{
		{"with memory", machine(1, 1), 1, 1},
		{"without memory", machine(0, 1), 0, 1},
		{"closed to the process", closed, 0, 1},
		{"memory nowhere is memory everywhere", machine(0, 0), 1, 1},
		{"unknown", machine(1, 1), -1, -1},
		{"all closed", &topology.Machine{Nodes: machine(1).Nodes}, 0, 0},
	} {
		if got := Home(tt.m, tt.node); got != tt.want {
			t.Errorf("%s: the home of node %d is %d, want %d", tt.name, tt.node, got, tt.want)
		}
	}
}

func TestShortage(t *testing.T) {
	room := func(node int) uint64 { return []uint64{100, 50}[node] }
	both := topology.SetOf(0, 1)
	for _, tt := range []struct {
		step step
		want string
	}{
		{step{0, 50, modeBind, topology.SetOf(1)}, ""},
		{step{0, 51, modeBind, topology.SetOf(1)}, "1"},
		{step{0, 51, modePreferred, topology.SetOf(1)}, ""},
		{step{0, 100, modeInterleave, both}, ""},
		{step{0, 102, modeInterleave, both}, "1"},
	} {
		if got := shortage([]step{tt.step}, room); got.String() != tt.want {
			t.Errorf("%+v: %q is short, want %q", tt.step, got, tt.want)
		}
	}
	parts := []step{{0, 60, modeBind, topology.SetOf(0)}, {60, 70, modeBind, topology.SetOf(1)}, {70, 111, modeBind, topology.SetOf(0)}}
	if got := shortage(parts, room); got.String() != "0" {
		t.Errorf("parts that add up: %q is short", got)
	}
}

func TestTarget(t *testing.T) {
	deal := step{mode: modeInterleave, nodes: topology.SetOf(0, 2, 5)}
	var got []int
	for unit := range 4 {
		got = append(got, deal.target(unit, 0))
	}
	if !slices.Equal(got, []int{0, 2, 5, 0}) {
		t.Error("interleave deals to", got)
	}
	if to := (step{mode: modeBind, nodes: topology.SetOf(0, 2)}).target(1, 2); to != 2 {
		t.Error("a page in place is sent to", to)
	}
}
