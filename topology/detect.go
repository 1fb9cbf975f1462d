package topology

// Detect describes the running machine.
func Detect() (*Machine, error) { return detect() }

// firstIDs returns the ids below n.
func firstIDs(n int) Set {
	var s Set
	s.addRange(0, n-1)
	return s
}

// flat is the machine of n CPUs that is assumed where nothing is known: one
// package, one node, one CPU per core.
func flat(cpus Set) *Machine {
	m := &Machine{
		Packages: []Package{{ID: -1, CPUs: cpus}},
		Nodes:    []Node{{CPUs: cpus, LocalCPUs: cpus}},
		Classes:  []Class{{CPUs: cpus, Capacity: 1024, Source: noSource}},
		Known:    cpus, Online: cpus, Allowed: cpus, AllowedNodes: SetOf(0),
		Guess:    true,
		affinity: cpus, cpuset: cpus,
	}
	for id := range cpus.All() {
		m.CPUs = append(m.CPUs, CPU{ID: id, Core: len(m.Cores)})
		m.Cores = append(m.Cores, Core{CPUs: SetOf(id)})
	}
	return m
}
