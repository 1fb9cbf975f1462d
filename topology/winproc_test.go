package topology

import (
	"encoding/binary"
	"testing"
)

// windowsRecords makes up what Windows tells of a machine with a node in each group,
// the given cores in each and CPUs in each core. The second half of the cores has a
// lower efficiency class.
func windowsRecords(word, groups, cores, cpus int) []byte {
	var all []byte
	record := func(relation uint32, data []byte) {
		all = binary.LittleEndian.AppendUint32(all, relation)
		all = binary.LittleEndian.AppendUint32(all, uint32(8+len(data)))
		all = append(all, data...)
	}
	mask := func(data []byte, group int, mask uint64) []byte {
		data = binary.LittleEndian.AppendUint64(data, mask)[:len(data)+word]
		data = binary.LittleEndian.AppendUint16(data, uint16(group))
		return append(data, 0, 0, 0, 0, 0, 0)
	}
	one := func(data []byte, size, group int, bits uint64) []byte {
		data = append(data, make([]byte, size-len(data))...)
		data = binary.LittleEndian.AppendUint16(data, 1)
		return mask(data, group, bits)
	}
	whole := ^uint64(0) >> (64 - cores*cpus)
	for g := range groups {
		for c := range cores {
			of := (uint64(1)<<cpus - 1) << (c * cpus)
			efficiency := byte(0)
			if c < (cores+1)/2 {
				efficiency = 1
			}
			record(relationCore, one([]byte{1, efficiency}, 22, g, of))
			l1 := []byte{1, 8, 64, 0, 0, 0x80, 0, 0, 2, 0, 0, 0} // 32 KiB of data
			record(relationCache, one(l1, 30, g, of))
		}
		record(relationNode, one([]byte{byte(g), 0, 0, 0}, 22, g, whole))
		l3 := []byte{3, 0xff, 64, 0, 0, 0, 0, 2, 0, 0, 0, 0} // 32 MiB, fully associative
		record(relationCache, one(l3, 30, g, whole))
	}
	pkg := make([]byte, 22)
	pkg = binary.LittleEndian.AppendUint16(pkg, uint16(groups))
	for g := range groups {
		pkg = mask(pkg, g, whole)
	}
	record(relationPackage, pkg)
	return all
}

func TestWindowsGroups(t *testing.T) {
	for _, word := range []int{4, 8} {
		cores := 8 * word / 2 // fills the mask of a group
		m, err := winMachine(windowsRecords(word, 2, cores, 2), word)
		if err != nil {
			t.Fatal(err)
		}
		checkConsistent(t, m)
		if len(m.Cores) != 2*cores || len(m.CPUs) != 4*cores || len(m.Packages) != 1 || len(m.Nodes) != 2 {
			t.Errorf("%d-byte words: %v", word, m)
		}
		second := firstIDs(64 + 2*cores).Difference(firstIDs(64))
		if n, _ := m.Node(1); !n.CPUs.Equal(second) {
			t.Errorf("node 1 has CPUs %v, want %v", n.CPUs, second)
		}
		if c, ok := m.LLC(64); !ok || c.Level != 3 || c.Size != 32<<20 || c.Ways != 0 || !c.CPUs.Equal(second) {
			t.Errorf("LLC(64) = %+v", c)
		}
		if size, ok := m.CacheSize(64, 1); !ok || size != 32<<10 {
			t.Errorf("CacheSize(64, 1) = %d", size)
		}
		if fast, slow := m.Capacity(0), m.Capacity(2*cores-1); fast != 1024 || slow >= fast {
			t.Errorf("capacities %d and %d", fast, slow)
		}
	}
}

func TestWindowsRecordsThatAreBroken(t *testing.T) {
	whole := windowsRecords(8, 1, 2, 1)
	for n := range len(whole) {
		if m, err := winMachine(whole[:n], 8); err == nil {
			t.Errorf("the first %d of %d bytes are a machine: %v", n, len(whole), m)
		}
	}
}
