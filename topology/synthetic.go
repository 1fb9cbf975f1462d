package topology

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Parse makes a machine up from a description, for tests and to see what a placement
// would do. A description is a list of levels from the outermost to the innermost,
// each with how many there are within one of the level before:
//
//	package:2 node:2 core:4 cpu:2
//
// is a machine of 2 packages with 2 nodes each, 4 cores per node and 2 CPUs per core.
// The levels are package, die, node, l3, l2, core and cpu, each once; core comes after
// the others, and cpu last. A level that is left out has one object, or none if it is a
// die or a cache. CPUs and nodes are numbered from 0 in order, so that the CPUs of a
// core are neighbours.
//
// A second number adds a size, with the suffix K, M, G or T: the memory of a node
// (1 GiB if it's left out) or the size of a cache. For a core it's the capacity of its
// class, from 1 to 1024, which needs several parts with a + between them. A part goes
// on inside the last object of each level that it doesn't name:
//
//	package:1 l3:1:24M core:4:1024 cpu:2 + l2:2:2M core:4:512
//
// is a hybrid processor of 4 fast cores with 2 CPUs each and 8 slow ones, all within
// one L3, each 4 slow ones with an L2.
//
// The distance between nodes is 10 to itself, 12 within a package and 20 otherwise.
func Parse(description string) (*Machine, error) {
	s := synthesis{capacities: map[int]*Set{}}
	for part := range strings.SplitSeq(description, "+") {
		levels, err := parseLevels(part)
		if err == nil {
			err = s.grow(levels)
		}
		if err != nil {
			return nil, fmt.Errorf("topology: description %q: %w", clip(description), err)
		}
	}
	return s.machine(), nil
}

// The levels that a description can name.
const (
	levelPackage = iota
	levelDie
	levelNode
	levelL3
	levelL2
	levelCore
	levelCPU
	levelCount
)

var levelNames = [levelCount]string{"package", "die", "node", "l3", "l2", "core", "cpu"}

// These bound a description's machine. Linux can't be built for more.
const (
	maxSyntheticCPUs  = 8192
	maxSyntheticNodes = 1024
)

type synthLevel struct{ level, count, size int }

func parseLevels(part string) ([]synthLevel, error) {
	var levels []synthLevel
	cpus, seen := 1, -1
	for word := range strings.FieldsSeq(part) {
		fields := strings.Split(word, ":")
		level := slices.Index(levelNames[:], fields[0])
		if level < 0 || len(fields) < 2 || len(fields) > 3 {
			return nil, fmt.Errorf("%q is not a level and a number, such as core:4", clip(word))
		}
		l := synthLevel{level: level}
		var err error
		if l.count, err = strconv.Atoi(fields[1]); err != nil || l.count < 1 || l.count > maxSyntheticCPUs {
			return nil, fmt.Errorf("%q: the number must be from 1 to %d", clip(word), maxSyntheticCPUs)
		}
		if cpus *= l.count; cpus > maxSyntheticCPUs {
			return nil, fmt.Errorf("more than %d CPUs", maxSyntheticCPUs)
		}
		if len(fields) == 3 {
			l.size = parseBytes(fields[2])
			if l.size == 0 || level == levelCore && l.size > 1024 || level == levelPackage || level == levelDie || level == levelCPU {
				return nil, fmt.Errorf("%q: bad size or capacity", clip(word))
			}
		}
		if level <= seen && (level >= levelCore || seen >= levelCore) ||
			slices.ContainsFunc(levels, func(o synthLevel) bool { return o.level == level }) {
			return nil, fmt.Errorf("%q: a level comes once, core after the others and cpu last", clip(word))
		}
		seen = max(seen, level)
		levels = append(levels, l)
	}
	if len(levels) == 0 {
		return nil, fmt.Errorf("no levels")
	}
	return levels, nil
}

// A synthesis is a machine in the making.
type synthesis struct {
	cpus       int // so many have been numbered
	objects    [levelCPU][]synthObject
	capacities map[int]*Set // the CPUs of each capacity
}

type synthObject struct {
	cpus Set
	size int
}

// grow adds the objects of one part.
func (s *synthesis) grow(levels []synthLevel) error {
	for _, level := range []int{levelPackage, levelNode} {
		if s.objects[level] == nil && !names(levels, level) {
			s.objects[level] = make([]synthObject, 1)
		}
	}
	for _, level := range []int{levelCore, levelCPU} {
		if !names(levels, level) {
			at := len(levels)
			if level == levelCore && levels[at-1].level == levelCPU {
				at--
			}
			levels = slices.Insert(levels, at, synthLevel{level: level, count: 1})
		}
	}
	cpus, nodes := 1, 0
	for _, l := range levels {
		cpus *= l.count
		if l.level == levelNode {
			nodes = cpus
		}
	}
	if s.cpus+cpus > maxSyntheticCPUs {
		return fmt.Errorf("more than %d CPUs", maxSyntheticCPUs)
	}
	if len(s.objects[levelNode])+nodes > maxSyntheticNodes {
		return fmt.Errorf("more than %d nodes", maxSyntheticNodes)
	}
	s.add(levels)
	return nil
}

func names(levels []synthLevel, level int) bool {
	return slices.ContainsFunc(levels, func(l synthLevel) bool { return l.level == level })
}

// add adds the objects of the levels within the last of each other level.
func (s *synthesis) add(levels []synthLevel) {
	l := levels[0]
	for range l.count {
		if l.level < levelCPU {
			s.objects[l.level] = append(s.objects[l.level], synthObject{size: l.size})
			s.add(levels[1:])
			continue
		}
		for level := range s.objects {
			if n := len(s.objects[level]); n > 0 {
				s.objects[level][n-1].cpus.add(s.cpus)
			}
		}
		core := s.objects[levelCore]
		capacity := cmp.Or(core[len(core)-1].size, 1024)
		addTo(s.capacities, capacity, SetOf(s.cpus))
		s.cpus++
	}
}

func (s *synthesis) machine() *Machine {
	m := &Machine{}
	for i, p := range s.objects[levelPackage] {
		m.Packages = append(m.Packages, Package{ID: i, CPUs: p.cpus})
	}
	for i, n := range s.objects[levelNode] {
		memory := uint64(cmp.Or(n.size, 1<<30))
		m.Nodes = append(m.Nodes, Node{ID: i, CPUs: n.cpus, Memory: memory, Free: memory})
		m.Memory += memory
	}
	for _, c := range s.objects[levelCore] {
		m.Cores = append(m.Cores, Core{CPUs: c.cpus})
	}
	for level, objects := range map[int][]synthObject{2: s.objects[levelL2], 3: s.objects[levelL3]} {
		for _, c := range objects {
			m.Caches = append(m.Caches, Cache{Level: level, Size: c.size, CPUs: c.cpus})
		}
	}
	for _, d := range s.objects[levelDie] {
		m.Dies = append(m.Dies, d.cpus)
	}
	capacities := slices.Sorted(maps.Keys(s.capacities))
	for _, c := range capacities {
		scaled := max(1, 1024*c/capacities[len(capacities)-1])
		m.Classes = append(m.Classes, Class{*s.capacities[c], scaled, "description"})
	}
	m.complete()
	for _, a := range m.Nodes {
		row := make([]int, 0, len(m.Nodes))
		for _, b := range m.Nodes {
			d := 20
			if a.ID == b.ID {
				d = 10
			} else if m.CPUs[a.CPUs.Min()].Package == m.CPUs[b.CPUs.Min()].Package {
				d = 12
			}
			row = append(row, d)
		}
		m.distances = append(m.distances, row)
	}
	return m
}
