package team

import (
	"math"

	"github.com/numateam/numateam/topology"
)

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
