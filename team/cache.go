package team

import (
	"sync"

	"github.com/numateam/numateam/topology"
)

// llcShare is [Team.LLCShare] of a team with these seats. A last cache that one
// core has to itself, on a machine with several, isn't the last: the one that
// they share is kept from view.
func llcShare(m *topology.Machine, seats []seat) int {
	least := 0
	for _, s := range seats {
		cpu, ok := m.CPU(s.cpu)
		llc, found := m.LLC(s.cpu)
		if !ok || !found || llc.Size <= 0 || len(m.Cores) > 1 && llc.CPUs.Difference(m.Cores[cpu.Core].CPUs).IsEmpty() {
			continue
		}
		sharers := 0
		for _, other := range seats {
			if llc.CPUs.Contains(other.cpu) {
				sharers++
			}
		}
		if share := llc.Size / sharers; least == 0 || share < least {
			least = share
		}
	}
	return least
}

// soleShare is the share of a single worker on this machine.
var soleShare = sync.OnceValue(func() int {
	m, err := topology.Detect()
	if err != nil {
		return 0
	}
	seats, err := seating(m, &Options{Workers: 1}, 1)
	if err != nil {
		return 0
	}
	return llcShare(m, seats)
})
