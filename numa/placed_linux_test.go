package numa

import (
	"errors"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/numateam/numateam/topology"
	"golang.org/x/sys/unix"
)

// The tests in this file place pages for real, on every node that there is. On
// one node they show little: .ci/vm/test runs them in machines with several.

// placing skips the test where the system has no placement calls, and returns
// this machine and its nodes that pages can be placed on.
func placing(t testing.TB) (*topology.Machine, topology.Set) {
	t.Helper()
	if c := Support(); c.Place != nil || c.Query != nil {
		t.Skipf("no placement calls here (mbind: %v, move_pages: %v); .ci/vm/test runs this in machines that have them", c.Place, c.Query)
	}
	m, err := thisMachine()
	if err != nil {
		t.Fatal(err)
	}
	return m, Support().Nodes
}

// touch writes each page of x.
func touch[T Elem](x []T) {
	Pages(x, 1, func(i, _ int) { x[i] = 1 })
}

// onCPU runs f on a thread that is pinned to the CPU, and ends that thread.
func onCPU(t testing.TB, cpu int, f func()) {
	t.Helper()
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlock: the thread ends with its mask
		var mask unix.CPUSet
		mask.Set(cpu)
		err := unix.SchedSetaffinity(0, &mask)
		if err == nil {
			f()
		}
		done <- err
	}()
	if err := <-done; err != nil {
		t.Fatalf("pinning to CPU %d: %v", cpu, err)
	}
}

// check checks each page of x: it is on the node that want says for the element
// at its start.
func check[T Elem](t testing.TB, what string, x []T, want func(i int) int) {
	t.Helper()
	wrong := 0
	err := Pages(x, 1, func(i, node int) {
		if w := want(i); node != w && wrong < 3 {
			t.Errorf("%s: the page at element %d is on node %d, want %d", what, i, node, w)
			wrong++
		}
	})
	if err != nil {
		t.Errorf("%s: %v", what, err)
	}
}

func always(node int) func(int) int { return func(int) int { return node } }

// sizes are byte lengths around a page and a huge page.
func sizes() []int {
	huge := max(2<<20, int(transparentPage()))
	return []int{1, int(basePage), int(basePage) + 1, huge - 1, huge, huge + 1, 2*huge + 5*int(basePage)}
}

func TestEachPageLiesWhereThePolicySays(t *testing.T) {
	_, nodes := placing(t)
	for node := range nodes.All() {
		for _, p := range []Policy{Bind(topology.SetOf(node)), Preferred(node)} {
			for _, strict := range []bool{false, true} {
				for _, huge := range []HugePages{HugeNever, HugeAuto} {
					for _, n := range sizes() {
						a, err := Alloc[byte](n, &Options{Policy: p, Strict: strict, Huge: huge})
						if err != nil {
							t.Fatal(err)
						}
						if out := a.Outcome(); out.Err != nil || out.Policy.String() != p.String() {
							t.Errorf("%v: %+v", p, out)
						}
						check(t, "untouched", a.Slice(), always(Untouched))
						touch(a.Slice())
						check(t, p.String(), a.Slice(), always(node))
						a.Close()
					}
				}
			}
		}
	}
}

func TestInterleaveIsEven(t *testing.T) {
	_, nodes := placing(t)
	for _, p := range []Policy{Interleave(topology.Set{}), Interleave(nodes)} {
		for _, n := range []int{1, 64, 1001} {
			a := alloc[byte](t, n*int(basePage), &Options{Policy: p, Huge: HugeNever, Strict: true})
			touch(a.Slice())
			even(t, a, nodes, n, 1)
		}
	}
	// With huge pages, one of those is the unit.
	if huge := transparentPage(); huge > 0 {
		a := alloc[byte](t, 9*int(huge), &Options{Policy: Interleave(topology.Set{})})
		touch(a.Slice())
		even(t, a, nodes, 9*int(huge/basePage), int(huge/basePage))
	}
}

// even checks that a's pages are spread over nodes, evenly to unit pages.
func even[T Elem](t testing.TB, a *Array[T], nodes topology.Set, pages, unit int) {
	t.Helper()
	r, err := a.Residency()
	if err != nil || r.Pages() != pages || r.Untouched+r.Unknown > 0 {
		t.Fatalf("%d pages: %+v, %v", pages, r, err)
	}
	least, most := pages, 0
	for node := range nodes.All() {
		least, most = min(least, r.Nodes[node]), max(most, r.Nodes[node])
	}
	if most-least > unit {
		t.Errorf("%d pages are not even to %d: %v", pages, unit, r.Nodes)
	}
}

// byTurns returns parts of n elements that alternate between the nodes, with
// bounds off the pages', and the node of each element.
func byTurns(nodes topology.Set, n, count int) ([]Part, func(i int) int) {
	var ids []int
	for id := range nodes.All() {
		ids = append(ids, id)
	}
	var parts []Part
	for k := range count {
		parts = append(parts, Part{End: n*(k+1)/count + k%3, Node: ids[k%len(ids)], Worker: k})
	}
	parts[count-1].End = n
	return parts, func(i int) int {
		k := 0
		for parts[k].End <= i {
			k++
		}
		return parts[k].Node
	}
}

func TestPartsLieOnTheirNodes(t *testing.T) {
	_, nodes := placing(t)
	for _, strict := range []bool{false, true} {
		for _, n := range []int{30, 4096, 100_003, 1 << 20} {
			parts, want := byTurns(nodes, n, 7)
			a := alloc[float32](t, n, &Options{Policy: ByParts(parts), Strict: strict})
			touch(a.Slice())
			check(t, "by parts", a.Slice(), want)
		}
	}
}

func TestFirstTouchFollowsTheCPU(t *testing.T) {
	m, nodes := placing(t)
	for cpu := range m.Allowed.All() {
		c, _ := m.CPU(cpu)
		want := c.Node
		if !nodes.Contains(want) {
			want = nearest(m, want, nodes).Min()
		}
		a := alloc[int64](t, 1<<14, &Options{Huge: HugeNever})
		var gotCPU, gotNode int
		onCPU(t, cpu, func() {
			gotCPU, gotNode = Getcpu()
			touch(a.Slice())
		})
		check(t, "first touch", a.Slice(), always(want))
		if gotCPU != cpu || gotNode != c.Node {
			t.Errorf("on CPU %d of node %d: Getcpu says %d of node %d", cpu, c.Node, gotCPU, gotNode)
		}
	}
}

// unusable returns the nodes of some ids that pages can't be placed on: absent,
// memoryless or closed to the process.
func unusable(nodes topology.Set) topology.Set {
	return topology.SetOf(0, 1, 2, 3, 200).Difference(nodes)
}

func TestUnusableNode(t *testing.T) {
	m, nodes := placing(t)
	for node := range unusable(nodes).All() {
		parts := []Part{{End: 4096, Node: node}, {End: 1 << 14, Node: nodes.Min()}}
		for _, p := range []Policy{Bind(topology.SetOf(node)), Preferred(node), Bind(nodes.With(node)), Interleave(nodes.With(node)), ByParts(parts)} {
			if _, err := Alloc[int64](1<<14, &Options{Policy: p, Strict: true}); !errors.Is(err, ErrNode) {
				t.Errorf("strict %v, of which node %d is unusable: error %v", p, node, err)
			}
			a := alloc[int64](t, 1<<14, &Options{Policy: p, Huge: HugeNever})
			out := a.Outcome()
			if !errors.Is(out.Err, ErrNode) || !out.Policy.Nodes().Difference(nodes).IsEmpty() {
				t.Errorf("%v: outcome %+v", p, out)
			}
			touch(a.Slice())
			switch near := nearest(m, node, nodes).Min(); p.kind {
			case bind, preferred:
				if p.nodes.Len() == 1 {
					check(t, p.String(), a.Slice(), always(near))
				}
			case interleave:
				even(t, a, nodes, 1<<14*8/int(basePage), 1)
			case byParts:
				check(t, p.String(), a.Slice(), func(i int) int {
					if i < 4096 {
						return near
					}
					return nodes.Min()
				})
			}
		}
	}
}

func TestStrictIsRefusedWhatItCouldBeKilledFor(t *testing.T) {
	m, nodes := placing(t)
	for id := range nodes.All() {
		node, _ := m.Node(id)
		if node.Memory == 0 {
			t.Skip("the machine doesn't say how much memory a node has")
		}
		n := int(node.Memory)
		for _, p := range []Policy{Bind(topology.SetOf(id)), ByParts([]Part{{End: n, Node: id}})} {
			_, err := Alloc[byte](n, &Options{Policy: p, Strict: true})
			if !errors.Is(err, ErrNoMemory) {
				t.Errorf("%v with all of the node's %d bytes: error %v", p, n, err)
			}
			var e *Error
			if errors.As(err, &e) && e.Call != "mmap" && !e.Nodes.Equal(topology.SetOf(id)) {
				t.Errorf("%v names node %v", err, e.Nodes)
			}
		}
		alloc[byte](t, n/2, &Options{Policy: Bind(topology.SetOf(id))})
	}
}

func TestMigrate(t *testing.T) {
	_, nodes := placing(t)
	const n = 1 << 19
	pages := n * 8 / int(basePage)
	for _, huge := range []HugePages{HugeNever, HugeAuto} {
		a := alloc[int64](t, n, &Options{Policy: Bind(topology.SetOf(nodes.Max())), Huge: huge})
		x := a.Slice()
		for i := range x {
			x[i] = int64(i)
		}
		at := nodes.Max()
		for node := range nodes.All() {
			if err := a.Migrate(Bind(topology.SetOf(node))); err != nil {
				t.Fatal(err)
			}
			check(t, "migrated", x, always(node))
			want := pages
			if at == node {
				want = 0
			}
			if out := a.Outcome(); out.Moved != want || out.Policy.Nodes().Min() != node {
				t.Errorf("from %d to %d: outcome %+v, want %d moved", at, node, out, want)
			}
			at = node
		}
		parts, want := byTurns(nodes, n, 5)
		if err := a.Migrate(ByParts(parts)); err != nil {
			t.Error(err)
		}
		if huge == HugeNever { // a huge page over a border is on one side of it
			check(t, "migrated to parts", x, want)
		}
		if r, ok := Lookup(a.mem.base); !ok || len(r.Parts) != 5 {
			t.Errorf("the registry has %+v", r)
		}
		if err := a.Migrate(Interleave(topology.Set{})); err != nil {
			t.Error(err)
		}
		even(t, a, nodes, pages, int(a.mem.moveUnit()/basePage))
		if err := a.Migrate(FirstTouch()); err != nil || a.Outcome().Moved != 0 {
			t.Error(err, a.Outcome())
		}
		for i := range x {
			if x[i] != int64(i) {
				t.Fatalf("x[%d] = %d after the moves", i, x[i])
			}
		}
	}
	a := alloc[int64](t, n, &Options{Strict: true})
	for node := range unusable(nodes).All() {
		if err := a.Migrate(Bind(topology.SetOf(node))); !errors.Is(err, ErrNode) {
			t.Errorf("to node %d: %v", node, err)
		}
	}
}

// What wasn't touched before a migration follows the new policy.
func TestMigrateBeforeTouch(t *testing.T) {
	_, nodes := placing(t)
	a := alloc[int64](t, 1<<16, &Options{Policy: Bind(topology.SetOf(nodes.Min()))})
	if err := a.Migrate(Bind(topology.SetOf(nodes.Max()))); err != nil {
		t.Fatal(err)
	}
	touch(a.Slice())
	check(t, "touched after the migration", a.Slice(), always(nodes.Max()))
}

func TestCollapse(t *testing.T) {
	placing(t)
	huge := int(transparentPage())
	if huge == 0 {
		t.Skip("no transparent huge pages here; .ci/vm/test runs this in machines that have them")
	}
	a := alloc[byte](t, 4*huge, nil)
	if n, err := a.Collapse(); n != 0 || err != nil {
		t.Errorf("untouched: %d huge pages, %v", n, err)
	}
	x := a.Slice()
	for i := huge; i < 3*huge; i += 4096 {
		x[i] = byte(i >> 12)
	}
	n, err := a.Collapse()
	if errors.Is(err, unix.EINVAL) {
		t.Skip("MADV_COLLAPSE needs Linux 6.1:", err)
	}
	if n != 2 || err != nil {
		t.Errorf("2 of 4 huge pages are touched: %d, %v", n, err)
	}
	for i := huge; i < 3*huge; i += 4096 {
		if x[i] != byte(i>>12) {
			t.Fatalf("x[%d] = %d", i, x[i])
		}
	}
}

func TestSampleSeesTheShares(t *testing.T) {
	_, nodes := placing(t)
	a := alloc[byte](t, 4000*int(basePage), &Options{Policy: Interleave(topology.Set{}), Huge: HugeNever})
	touch(a.Slice())
	r, err := Sample(a.Slice(), 1000)
	if err != nil || r.Pages() != 1000 {
		t.Fatalf("%+v, %v", r, err)
	}
	for node := range nodes.All() {
		if share := float64(r.Nodes[node]) / 1000 * float64(nodes.Len()); share < 0.8 || share > 1.2 {
			t.Errorf("node %d: %.2f of its share in the sample", node, share)
		}
	}
}

func TestHeapSlice(t *testing.T) {
	_, nodes := placing(t)
	x := make([]float64, 100_000)
	for i := range x {
		x[i] = 1
	}
	for _, y := range [][]float64{x, x[1:], x[777:778], x[511:512], x[:0]} {
		r, err := WhereIs(y)
		on := 0
		for node := range nodes.All() {
			on += r.Nodes[node]
		}
		if err != nil || on != r.Pages() || (on == 0) != (len(y) == 0) || on > len(y)*8/int(basePage)+2 {
			t.Errorf("%d elements: %+v, %v", len(y), r, err)
		}
	}
}

// 10,000 arrays leave the address space as it was.
func TestCloseGivesAllBack(t *testing.T) {
	mappings := func() int { return strings.Count(read("/proc/self/maps"), "\n") }
	size := func() int { return number(strings.Fields(read("/proc/self/statm"))[0]) }
	one := func(n int) {
		a, err := Alloc[byte](n, &Options{Policy: ByParts([]Part{{End: n / 2, Node: 0}, {End: n, Node: 0}})})
		if err != nil {
			t.Fatal(err)
		}
		a.Slice()[n-1] = 1
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
	}
	count := 10_000
	if os.Getenv("VM_TOPOLOGY") != "" {
		count = 1000 // emulated
	}
	for i := range 100 {
		one(1 + i*37_813)
	}
	runtime.GC()
	m, s := mappings(), size()
	for i := range count {
		one(1 + i%100*37_813)
	}
	runtime.GC()
	// The Go heap, the race detector and an emulator may grow a little meanwhile;
	// what was allocated is 19 GB.
	if dm, ds := mappings()-m, size()-s; dm > 10 || ds > 512<<20/int(basePage) {
		t.Errorf("%d arrays left %d mappings and %d pages", count, dm, ds)
	}
}

// A slice may outlive its Array.
func TestSliceOutlivesItsArray(t *testing.T) {
	leak, err := Alloc[int64](1<<12, nil)
	if err != nil {
		t.Fatal(err)
	}
	mem, x := leak.mem, leak.Slice()
	leak = nil
	for end := time.Now().Add(300 * time.Millisecond); time.Now().Before(end); {
		runtime.GC()
		for i := range x {
			x[i]++
		}
	}
	if err := mem.free(); err != nil {
		t.Error(err)
	}
}
