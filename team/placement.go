package team

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/numateam/numateam/topology"
)

// A seat is where a worker belongs.
type seat struct {
	cpu      int // OS id; -1 if it isn't bound to one CPU
	node     int // OS id; -1 unknown
	capacity int
	mask     topology.Set // what the worker is bound to; empty: nothing
}

// maxWorkers is how many workers a team may be asked to have: as many as Linux knows
// CPUs (NR_CPUS) at most. Each is a thread, and the runtime ends a process that
// has more than 10,000.
const maxWorkers = 8192

// seating places the workers of a team on a machine, with procs Ps to run on. It
// is a pure function.
//
// CPUs are taken in the order of their capacity, package, core and id, one for
// each core first. How many: as asked for; else as many as there are cores
// (Threads, Unpinned: CPUs), but not more than the quota of CPU time and procs
// let run at once, the quota rounded up.
func seating(m *topology.Machine, o *Options, procs int) ([]seat, error) {
	switch {
	case int(o.Placement) >= len(placements):
		return nil, fmt.Errorf("team: unknown placement %v", o.Placement)
	case int(o.Schedule) >= len(schedules):
		return nil, fmt.Errorf("team: unknown schedule %v", o.Schedule)
	}
	usable, err := usableCPUs(m, o.CPUs)
	if err != nil {
		return nil, err
	}
	first, siblings := byCore(m, usable)
	if o.Placement == NUMA {
		first, siblings = dealToNodes(first), dealToNodes(siblings)
	}
	cpus := append(first, siblings...)

	n := o.Workers
	switch {
	case n < 0 || n > maxWorkers:
		return nil, fmt.Errorf("team: %d workers, not from 0 to %d", n, maxWorkers)
	case n == 0:
		n = len(first)
		if o.Placement == Threads || o.Placement == Unpinned {
			n = len(cpus)
		}
		if m.Quota > 0 {
			n = min(n, int(math.Ceil(m.Quota)))
		}
		n = max(min(n, procs), 1)
	}

	seats := make([]seat, n)
	for i := range seats {
		cpu := cpus[i%len(cpus)]
		s := seat{cpu: cpu.ID, node: cpu.Node, capacity: m.Capacity(cpu.ID), mask: topology.SetOf(cpu.ID)}
		if n > len(cpus) { // crowded: the system is to balance them, within their node
			s.cpu = -1
			s.mask = nodeCPUs(m, cpu.Node, usable)
		}
		if o.Placement == Unpinned {
			s = seat{cpu: -1, node: -1}
		}
		seats[i] = s
	}
	if o.Placement == NUMA { // blocks of an array then lie together, node by node
		slices.SortStableFunc(seats, func(a, b seat) int { return a.node - b.node })
	}
	return seats, nil
}

// CPUs returns the CPUs that the workers of a default team would be pinned to on a
// machine, in the order of the workers, whatever GOMAXPROCS is. The machine needn't be
// the running one. It fails if no CPU is allowed.
func (p Placement) CPUs(m *topology.Machine) ([]int, error) {
	seats, err := seating(m, &Options{Placement: p}, math.MaxInt)
	if err != nil {
		return nil, err
	}
	var cpus []int
	for _, s := range seats {
		if s.cpu >= 0 {
			cpus = append(cpus, s.cpu)
		}
	}
	return cpus, nil
}

// usableCPUs returns the CPUs that a team may use: asked, if that isn't empty, of
// those that are allowed.
func usableCPUs(m *topology.Machine, asked topology.Set) (topology.Set, error) {
	if asked.IsEmpty() {
		if m.Allowed.IsEmpty() {
			return asked, fmt.Errorf("team: no CPU is allowed and online")
		}
		return m.Allowed, nil
	}
	var refused []string
	for id := range asked.Difference(m.Allowed).All() {
		refused = append(refused, fmt.Sprintf("CPU %d: %s", id, m.Reason(id)))
	}
	if refused != nil {
		return asked, fmt.Errorf("team: can't use %s", strings.Join(refused, "; "))
	}
	return asked, nil
}

// byCore lists the usable CPUs: the first usable one of each core, and all others.
func byCore(m *topology.Machine, usable topology.Set) (first, siblings []topology.CPU) {
	var cpus []topology.CPU
	for id := range usable.All() {
		if c, ok := m.CPU(id); ok {
			cpus = append(cpus, c)
		}
	}
	slices.SortStableFunc(cpus, func(a, b topology.CPU) int {
		if d := m.Capacity(b.ID) - m.Capacity(a.ID); d != 0 {
			return d
		}
		if d := a.Package - b.Package; d != 0 {
			return d
		}
		return a.Core - b.Core
	})
	seen := map[int]int{}
	rank := make(map[int]int, len(cpus)) // by CPU: how many of its core come before it
	for _, c := range cpus {
		rank[c.ID] = seen[c.Core]
		seen[c.Core]++
	}
	slices.SortStableFunc(cpus, func(a, b topology.CPU) int { return rank[a.ID] - rank[b.ID] })
	return cpus[:len(seen):len(seen)], cpus[len(seen):]
}

// dealToNodes reorders CPUs so that the nodes come in turn: the first of each
// node, the second of each, and so on.
func dealToNodes(cpus []topology.CPU) []topology.CPU {
	dealt := map[int]int{}
	turn := make(map[int]int, len(cpus))
	for _, c := range cpus {
		turn[c.ID] = dealt[c.Node]
		dealt[c.Node]++
	}
	cpus = slices.Clone(cpus)
	slices.SortStableFunc(cpus, func(a, b topology.CPU) int { return turn[a.ID] - turn[b.ID] })
	return cpus
}

// nodeCPUs returns the usable CPUs of a node.
func nodeCPUs(m *topology.Machine, node int, usable topology.Set) topology.Set {
	if n, ok := m.Node(node); ok {
		return n.CPUs.Intersect(usable)
	}
	return usable
}
