package topology

import "slices"

// Detect describes the running machine.
func Detect() (*Machine, error) { return detect() }

// firstIDs returns the ids below n.
func firstIDs(n int) Set {
	var s Set
	s.addRange(0, n-1)
	return s
}

// flat is the machine that is assumed where nothing is known but its CPUs.
func flat(cpus Set) *Machine {
	m := &Machine{Guess: true}
	for id := range cpus.All() {
		m.Cores = append(m.Cores, Core{CPUs: SetOf(id)})
	}
	m.complete()
	return m
}

// complete fills in what follows from the sets of CPUs in Cores, Packages, Nodes,
// Classes and Caches. Of packages, nodes and classes there's one with all CPUs unless
// there are some already. All CPUs are online and allowed.
func (m *Machine) complete() {
	var all Set
	for _, c := range m.Cores {
		all.or(c.CPUs)
	}
	m.Known, m.Online, m.Allowed, m.affinity, m.cpuset = all, all, all, all, all
	if m.Packages == nil {
		m.Packages = []Package{{ID: -1, CPUs: all}}
	}
	if m.Nodes == nil {
		m.Nodes = []Node{{CPUs: all, Memory: m.Memory}}
	}
	if m.Classes == nil {
		m.Classes = []Class{{CPUs: all}}
	}
	if len(m.Classes) == 1 {
		m.Classes[0].Capacity, m.Classes[0].Source = 1024, noSource
	}
	slices.SortFunc(m.Cores, func(a, b Core) int { return a.CPUs.Min() - b.CPUs.Min() })
	slices.SortFunc(m.Packages, func(a, b Package) int { return a.CPUs.Min() - b.CPUs.Min() })
	slices.SortFunc(m.Nodes, func(a, b Node) int { return a.ID - b.ID })
	m.orderCaches()

	at := make(map[int]int, all.Len())
	for id := range all.All() {
		at[id] = len(m.CPUs)
		m.CPUs = append(m.CPUs, CPU{ID: id, Node: -1})
	}
	for i, p := range m.Packages {
		for id := range p.CPUs.All() {
			m.CPUs[at[id]].Package = i
		}
	}
	for i, c := range m.Cores {
		smt := 0
		for id := range c.CPUs.All() {
			m.CPUs[at[id]].Core, m.CPUs[at[id]].SMT = i, smt
			smt++
		}
		m.Cores[i].Package = m.CPUs[at[c.CPUs.Min()]].Package
	}
	for i, c := range m.Classes {
		for id := range c.CPUs.All() {
			m.CPUs[at[id]].Class = i
		}
	}
	for i, n := range m.Nodes {
		m.AllowedNodes.add(n.ID)
		m.Nodes[i].LocalCPUs = n.CPUs
		for id := range n.CPUs.All() {
			m.CPUs[at[id]].Node = n.ID
		}
	}
}
