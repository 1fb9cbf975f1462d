package team

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/numateam/numateam/topology"
)

// optimum returns the least makespan of m equal tasks on groups of cores, found by
// giving each task to the core that would be done with it first.
func optimum(groups []group, m int) float64 {
	var done, cost []float64
	for _, g := range groups {
		for range g.workers {
			done, cost = append(done, 0), append(cost, g.cost)
		}
	}
	last := 0.0
	for range m {
		best := 0
		for i := range done {
			if done[i]+cost[i] < done[best]+cost[best] {
				best = i
			}
		}
		done[best] += cost[best]
		last = max(last, done[best])
	}
	return last
}

// makespan is when the last of the groups is done with what shares gave it.
func makespan(groups []group) float64 {
	last := 0.0
	for _, g := range groups {
		if g.tasks > 0 {
			last = max(last, float64((g.tasks-1)/g.workers+1)*g.cost)
		}
	}
	return last
}

func TestShares(t *testing.T) {
	check := func(groups []group, m int) {
		t.Helper()
		shares(groups, m)
		sum := 0
		for _, g := range groups {
			if g.tasks < 0 || g.tasks > 0 && g.workers == 0 {
				t.Fatalf("%d tasks: %+v", m, groups)
			}
			sum += g.tasks
		}
		if got, want := makespan(groups), optimum(groups, m); sum != m || got > want+1e-6 {
			t.Fatalf("%d tasks: %+v, makespan %v, the least is %v", m, groups, got, want)
		}
	}
	for p := 1; p <= 4; p++ {
		for e := range 5 {
			for _, r := range []float64{1, 1.5, 2, 1024.0 / 450, 3, 4, 10} {
				for m := 1; m <= 64; m++ {
					check([]group{{workers: p, cost: 1}, {workers: e, cost: r}}, m)
				}
			}
		}
	}
	for range 2000 {
		groups := []group{{workers: 1 + rand.N(8), cost: 1}}
		for range rand.N(3) {
			groups = append(groups, group{workers: rand.N(8), cost: 1 + 5*rand.Float64()})
		}
		check(groups, 1+rand.N(500))
	}
}

// Slow cores take part from the break-even on: on 4 fast and 4 that take 4 times
// as long, from 17 tasks.
func TestBreakEven(t *testing.T) {
	for m := 1; m <= 32; m++ {
		groups := []group{{workers: 4, cost: 1}, {workers: 4, cost: 4}}
		shares(groups, m)
		if slow := groups[1].tasks > 0; slow && m <= 16 {
			t.Errorf("%d tasks: slow cores take part", m)
		}
		if got := worthwhile(m, 4, 4); got != (m > 12) {
			t.Errorf("%d unclaimed tasks: a slow core joins: %v", m, got)
		}
	}
}

// hybrid is a core, without threads, for a made-up machine.
func hybrid(t *testing.T, description string, schedule Schedule) *core {
	t.Helper()
	m, err := topology.Parse(description)
	if err != nil {
		t.Fatal(err)
	}
	o := &Options{Workers: m.Allowed.Len(), Schedule: schedule}
	seats, err := seating(m, o, o.Workers)
	if err != nil {
		t.Fatal(err)
	}
	c := newCore(m, seats, o, o.Workers)
	c.active.Store(int32(o.Workers))
	return c
}

// simulate runs a launch of n tasks on a virtual clock, by the code that claims
// chunks for real: who is free first claims first. It returns the makespan.
func simulate(c *core, l Launch, n int, cost func(w *Worker) float64) float64 {
	p := plan{habit: &habit{}}
	c.prepare(&p, l, n, 1, c.participants(0, n, 1), job{body: func(lo, hi int) {}})
	free := make([]float64, len(c.slots)) // when each is
	for i := range free {
		free[i] = math.Inf(1)
	}
	for i := range c.order {
		s := &c.slots[c.order[i]]
		lo, hi := p.block(i)
		s.base, s.end = lo, hi
		s.rng.Store(uint64(span(0, int(ceilDiv(hi-lo, c.reg.chunk)))))
		free[c.order[i]] = 0
	}
	last := 0.0
	for {
		i := 0
		for k := range free {
			if free[k] < free[i] {
				i = k
			}
		}
		if math.IsInf(free[i], 1) {
			return last
		}
		w, tasks := &c.workers[i], int64(0)
		take := func(s *slot, claim func() (int, bool)) bool {
			if c.reg.steal && i > 0 && !c.joins(w) {
				return false
			}
			k, ok := claim()
			if ok {
				lo := s.base + int64(k)*min(c.reg.chunk, int64(n))
				tasks = min(s.end-lo, c.reg.chunk)
			}
			return ok
		}
		got := take(&c.slots[i], c.slots[i].front)
		if !got && c.reg.steal {
			for _, v := range w.victims {
				if s := &c.slots[v]; take(s, s.back) {
					got = true
					break
				}
			}
		}
		if !got {
			free[i] = math.Inf(1) // what is unclaimed only falls: it won't be back
			continue
		}
		free[i] += float64(tasks) * cost(w)
		last = max(last, free[i])
	}
}

// On a virtual clock no launch takes longer than the best there is by more than
// one task of a fast core, and a static one takes no longer at all.
func TestVirtualClock(t *testing.T) {
	for _, r := range []int{2, 4} {
		for _, schedule := range []Schedule{Static, Steal} {
			exact := 0
			for n := 1; n <= 64; n++ {
				c := hybrid(t, fmt.Sprintf("core:4:1024 + core:4:%d", 1024/r), schedule)
				got := simulate(c, Launch{Schedule: schedule}, n, func(w *Worker) float64 { return c.classCosts[w.class] })
				best := optimum([]group{{workers: 4, cost: 1}, {workers: 4, cost: float64(r)}}, n)
				if got > best+1 || schedule == Static && got > best {
					t.Errorf("%v, slow cores %d times slower, %d tasks: %v, the best is %v", schedule, r, n, got, best)
				}
				if got == best {
					exact++
				}
			}
			t.Logf("%v, slow cores %d times slower: %d of 64 as good as the best", schedule, r, exact)
		}
	}
}

// Chunk times that were measured decide in place of the capacities: a loop that
// waits for memory runs as fast on slow cores.
func TestMeasuredCosts(t *testing.T) {
	c := hybrid(t, "core:4:1024 + core:4:256", Steal)
	slow := &c.workers[7]
	if got := c.cost(slow); got != 4 {
		t.Errorf("cost by capacity: %v", got)
	}
	h := &habit{}
	h.pace[0].add(1000)
	c.setCosts(h)
	if got := c.cost(slow); got != 4 {
		t.Errorf("cost, with the fast class timed alone: %v", got)
	}
	h.pace[slow.class].add(1050)
	c.setCosts(h)
	if got := c.cost(slow); got < 1 || got > 1.06 || !c.joins(slow) {
		t.Errorf("measured cost: %v", got)
	}
	h.pace[slow.class] = recent{}
	h.pace[slow.class].add(9_000_000_000)
	c.setCosts(h)
	if got := c.cost(slow); got != 1000 {
		t.Errorf("cost is cut off at %v", got)
	}
}

// With the capacities of a phone, 450 and 1024, few tasks stay on the big cores.
func TestBigLittle(t *testing.T) {
	expectBigLittle(t, hybrid(t, "core:4:1024 + core:4:450", Static))
}

// The same, of a machine that boots with such cores.
func TestVMBigLittle(t *testing.T) {
	if os.Getenv("VM_TOPOLOGY") != "biglittle" {
		t.Skip("needs a machine with capacities 450 and 1024: .ci/vm/test has one")
	}
	m, err := topology.Detect()
	if err != nil {
		t.Fatal(err)
	}
	o := &Options{Topology: m, Workers: 8}
	seats, err := seating(m, o, 8)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range seats {
		if want := 4 + i; i < 4 && s.cpu != want || i >= 4 && s.cpu != i-4 {
			t.Errorf("worker %d on CPU %d: big cores, 4-7, come first", i, s.cpu)
		}
	}
	c := newCore(m, seats, o, 8)
	c.active.Store(8)
	expectBigLittle(t, c)
}

func expectBigLittle(t *testing.T, c *core) {
	t.Helper()
	if want := 1024.0 / 450; len(c.classCosts) != 2 || c.classCosts[0] != 1 || math.Abs(c.classCosts[1]-want) > 1e-9 {
		t.Fatalf("costs %v, want 1 and %v", c.classCosts, want)
	}
	for n := 1; n <= 64; n++ {
		p := plan{habit: &habit{}}
		c.prepare(&p, Launch{Schedule: Static}, n, 1, c.participants(0, n, 1), job{body: func(lo, hi int) {}})
		var got []int
		for i := range c.order {
			if lo, hi := p.block(i); lo < hi {
				got = append(got, int(c.order[i]))
			}
		}
		// By the rule: least T with 4*floor(T) + 4*floor(T/r) >= n.
		r := 1024.0 / 450
		T := optimum([]group{{workers: 4, cost: 1}, {workers: 4, cost: r}}, n)
		slow := max(n-4*tasksIn(T, 1), 0)
		want := min(n, 4) + min(slow, 4)
		if len(got) != want || !slices.IsSorted(got) || got[0] != 0 {
			t.Errorf("%d tasks: workers %v take part, want %d of which %d slow", n, got, want, min(slow, 4))
		}
	}
}
