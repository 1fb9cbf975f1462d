package topology

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math/bits"
	"slices"
)

// The relations of SYSTEM_LOGICAL_PROCESSOR_INFORMATION_EX that are of use.
const (
	relationCore    = 0
	relationNode    = 1
	relationCache   = 2
	relationPackage = 3
	relationDie     = 5
)

// winMachine makes a machine of the records that GetLogicalProcessorInformationEx
// returns on Windows, in memory of the given word size: 8 bytes, or 4 on a 32-bit
// system. A CPU's id is 64 times its group's number plus its number in the group.
func winMachine(records []byte, word int) (*Machine, error) {
	m := &Machine{}
	// first returns what of cpus isn't in taken yet, and puts it there: a broken record
	// must not put a CPU into two cores.
	first := func(taken *Set, cpus Set) Set {
		cpus = cpus.Difference(*taken)
		taken.or(cpus)
		return cpus
	}
	var inCores, inPackages, inDies, inNodes Set
	classes, nodes := map[byte]*Set{}, map[int]*Set{}
	for len(records) > 0 {
		if len(records) < 8 {
			return nil, errors.New("topology: processor information ends within a record")
		}
		relation, size := binary.LittleEndian.Uint32(records), int(binary.LittleEndian.Uint32(records[4:]))
		if size < 8 || size > len(records) {
			return nil, fmt.Errorf("topology: processor information has a record of %d bytes, %d are left", size, len(records))
		}
		r := winRecord{records[8:size], word}
		records = records[size:]
		switch relation {
		case relationCore:
			if cpus := first(&inCores, r.groups(22)); !cpus.IsEmpty() {
				m.Cores = append(m.Cores, Core{CPUs: cpus})
				addTo(classes, r.byte(1), cpus)
			}
		case relationPackage:
			if cpus := first(&inPackages, r.groups(22)); !cpus.IsEmpty() {
				m.Packages = append(m.Packages, Package{ID: len(m.Packages), CPUs: cpus})
			}
		case relationDie:
			if cpus := first(&inDies, r.groups(22)); !cpus.IsEmpty() {
				m.Dies = append(m.Dies, cpus)
			}
		case relationNode: // comes once for each group on some versions
			id := r.uint32(0)
			if id > maxID {
				return nil, fmt.Errorf("topology: processor information has a node %d", id)
			}
			addTo(nodes, int(id), first(&inNodes, r.groups(22)))
		case relationCache:
			c := Cache{
				Level: int(r.byte(0)), Ways: int(r.byte(1)), Line: int(r.uint16(2)), Size: int(r.uint32(4)),
				CPUs: r.groups(30),
			}
			if c.Ways == 0xff {
				c.Ways = 0 // fully associative
			}
			kinds := [...]CacheKind{UnifiedCache, InstructionCache, DataCache}
			if kind := int(r.uint32(8)); kind < len(kinds) && c.Level > 0 && !c.CPUs.IsEmpty() {
				c.Kind = kinds[kind]
				m.Caches = append(m.Caches, c)
			}
		}
	}
	if len(m.Cores) == 0 {
		return nil, errors.New("topology: processor information has no cores")
	}
	if !inPackages.Equal(inCores) || !inNodes.Within(inCores) || !inDies.Within(inCores) {
		return nil, fmt.Errorf("topology: processor information has cores of %v, packages of %v, dies of %v and nodes of %v",
			inCores, inPackages, inDies, inNodes)
	}
	for _, id := range slices.Sorted(maps.Keys(nodes)) {
		m.Nodes = append(m.Nodes, Node{ID: id, CPUs: *nodes[id]})
	}
	ranks := slices.Sorted(maps.Keys(classes))
	for i, rank := range ranks {
		// Windows ranks the classes but doesn't tell how fast they are.
		m.Classes = append(m.Classes, Class{*classes[rank], max(1, 1024>>(len(ranks)-1-i)), "EfficiencyClass; capacity: assumed"})
	}
	if len(m.Dies) <= len(m.Packages) {
		m.Dies = nil
	}
	m.complete()
	return m, nil
}

// addTo puts cpus into the set of a key.
func addTo[K comparable](sets map[K]*Set, key K, cpus Set) {
	if sets[key] == nil {
		sets[key] = &Set{}
	}
	sets[key].or(cpus)
}

// A winRecord is one record behind its relation and size. Fields beyond its end are 0.
type winRecord struct {
	data []byte
	word int
}

func (r winRecord) byte(at int) byte {
	if at >= len(r.data) {
		return 0
	}
	return r.data[at]
}

func (r winRecord) uint16(at int) uint16 { return uint16(r.byte(at)) | uint16(r.byte(at+1))<<8 }
func (r winRecord) uint32(at int) uint32 { return uint32(r.uint16(at)) | uint32(r.uint16(at+2))<<16 }

// groups returns the CPUs of the masks that follow their number at count: a mask of one
// word, the group's number and 6 reserved bytes each. Old versions leave the number 0
// for one.
func (r winRecord) groups(count int) Set {
	var s Set
	at := count + 2
	for range max(1, int(r.uint16(count))) {
		if at+r.word+2 > len(r.data) {
			break
		}
		group := int(r.uint16(at + r.word))
		mask := uint64(r.uint32(at))
		if r.word == 8 {
			mask |= uint64(r.uint32(at+4)) << 32
		}
		for ; mask != 0 && group <= maxWinGroup; mask &= mask - 1 {
			s.add(64*group + bits.TrailingZeros64(mask))
		}
		at += r.word + 8
	}
	return s
}

// maxWinGroup bounds the groups' numbers. Windows has up to 32 groups.
const maxWinGroup = 127
