package topology

import (
	"fmt"
	"math"
	"slices"
)

// A Machine describes the CPUs, cores, packages, caches and nodes of one
// machine, and what of it a process may use. It is not changed once it is made,
// so that goroutines can share it; who wants another one changes a copy.
//
// CPUs and nodes are named by their OS ids, which may have gaps; never use one
// as an index. All sets of CPUs but Known hold online CPUs only.
type Machine struct {
	CPUs         []CPU         // the online CPUs, by ascending ID
	Cores        []Core        // by their lowest CPU
	Packages     []Package     // by their lowest CPU
	Dies         []Set         // the CPUs of each die, where a package has several
	Clusters     []Set         // the CPUs of each cluster, where the kernel names clusters of several cores
	Nodes        []Node        // by ascending ID; at least one
	Caches       []Cache       // by level, kind and lowest CPU
	MemoryCaches []MemoryCache // by node and index
	Classes      []Class       // by rising performance; at least one

	Known        Set     // CPUs that exist, online or not
	Online       Set     // CPUs that the kernel schedules on
	Allowed      Set     // CPUs that the process may use: affinity, cpuset and Online
	AllowedNodes Set     // nodes whose memory the process may use
	Quota        float64 // CPU time that the cgroup grants, in CPUs; 0 is no limit
	Memory       uint64  // memory of the whole machine in bytes; 0 if unknown

	Features []string // x86 vector extensions that the CPU has and the system has enabled, such as "avx2"

	Arch  string // as in GOARCH
	Guess bool   // cores, packages and nodes are assumed, not read
	Live  bool   // describes the running machine: pinning and placing make sense

	distances [][]int // rows and columns in the order of Nodes; nil if unknown
	affinity  Set     // what the affinity mask allows
	cpuset    Set     // what the cpuset allows
}

// A CPU is one hardware thread.
type CPU struct {
	ID      int // OS id
	Core    int // index into Machine.Cores
	Package int // index into Machine.Packages
	Node    int // OS id of its node, -1 if unknown
	Class   int // index into Machine.Classes
	SMT     int // index within its core's CPUs, 0 for the lowest id
}

// A Core is a set of CPUs that share pipelines.
type Core struct {
	CPUs    Set
	Package int // index into Machine.Packages
}

// A Package is a socket.
type Package struct {
	ID   int // the kernel's number, -1 if unknown; not always unique
	CPUs Set
}

// A Node is a NUMA node. It may have no CPUs or no memory.
type Node struct {
	ID        int    // OS id
	CPUs      Set    // its CPUs
	LocalCPUs Set    // the CPUs closest to its memory: its own or, if it has none, those of the nearest nodes
	Memory    uint64 // bytes; 0 if it has none or that isn't known
	Free      uint64 // bytes free when the machine was read
}

// A CacheKind tells what a cache holds.
type CacheKind int

const (
	UnifiedCache     CacheKind = iota // data and instructions
	DataCache                         // data alone
	InstructionCache                  // instructions alone
)

var cacheKinds = [...]string{"unified", "data", "instruction"}

// String returns "unified", "data" or "instruction".
func (k CacheKind) String() string {
	if k < 0 || int(k) >= len(cacheKinds) {
		return fmt.Sprintf("CacheKind(%d)", int(k))
	}
	return cacheKinds[k]
}

// MarshalText returns the name of k.
func (k CacheKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// A Cache is one cache with the CPUs that share it.
type Cache struct {
	Level int // 1 is closest to the core
	Kind  CacheKind
	Size  int // bytes; 0 if unknown
	Line  int // bytes; 0 if unknown
	Ways  int // 0 if unknown or fully associative
	CPUs  Set
}

// A MemoryCache is a fast memory in front of a node's memory that works as its cache.
type MemoryCache struct {
	Node  int // OS id
	Index int // 1 is closest to the memory
	Size  int // bytes; 0 if unknown
	Line  int // bytes; 0 if unknown
}

// A Class is a kind of core. A machine whose cores are all alike has one.
type Class struct {
	CPUs     Set
	Capacity int    // performance of one CPU: 1024 for the fastest class, at least 1
	Source   string // where the class and its capacity come from
}

// CPU returns the online CPU with the given OS id.
func (m *Machine) CPU(id int) (CPU, bool) {
	i, ok := slices.BinarySearchFunc(m.CPUs, id, func(c CPU, id int) int { return c.ID - id })
	if !ok {
		return CPU{}, false
	}
	return m.CPUs[i], true
}

// Node returns the node with the given OS id.
func (m *Machine) Node(id int) (Node, bool) {
	i, ok := m.nodeIndex(id)
	if !ok {
		return Node{}, false
	}
	return m.Nodes[i], true
}

func (m *Machine) nodeIndex(id int) (int, bool) {
	return slices.BinarySearchFunc(m.Nodes, id, func(n Node, id int) int { return n.ID - id })
}

// Distance returns how far the memory of node b is from node a: 10 is local,
// 20 takes about twice as long. It fails if there is no such node or the machine
// doesn't tell.
func (m *Machine) Distance(a, b int) (int, error) {
	i, okA := m.nodeIndex(a)
	j, okB := m.nodeIndex(b)
	switch {
	case !okA:
		return 0, fmt.Errorf("topology: no node %d", a)
	case !okB:
		return 0, fmt.Errorf("topology: no node %d", b)
	case m.distances == nil:
		return 0, fmt.Errorf("topology: distances are unknown")
	}
	return m.distances[i][j], nil
}

// LLC returns the last-level cache of a CPU: the data or unified cache of the
// highest level.
func (m *Machine) LLC(cpu int) (Cache, bool) {
	for _, c := range slices.Backward(m.Caches) {
		if c.Kind != InstructionCache && c.CPUs.Contains(cpu) {
			return c, true
		}
	}
	return Cache{}, false
}

// Capacity returns the capacity of a CPU's class, from 1 to 1024, or 0 if the
// CPU isn't online.
func (m *Machine) Capacity(cpu int) int {
	c, ok := m.CPU(cpu)
	if !ok {
		return 0
	}
	return m.Classes[c.Class].Capacity
}

// Workers returns how many CPUs' worth of work the process can do at a time: the number
// of allowed CPUs or the quota, rounded up, if that is less. It is at least 1.
func (m *Machine) Workers() int {
	n := m.Allowed.Len()
	if m.Quota > 0 {
		n = min(n, int(math.Ceil(min(m.Quota, float64(n)))))
	}
	return max(n, 1)
}

// Reason tells why the process may not use a CPU, or "" if it may.
func (m *Machine) Reason(cpu int) string {
	switch {
	case m.Allowed.Contains(cpu):
		return ""
	case !m.Known.Contains(cpu):
		return "no such CPU"
	case !m.Online.Contains(cpu):
		return "offline"
	case !m.cpuset.Contains(cpu):
		return "outside the cpuset"
	default:
		return "outside the affinity mask"
	}
}

// LeftOut is a set of CPUs that the process may not use for the same reason.
type LeftOut struct {
	CPUs   Set
	Reason string
}

// LeftOut returns the known CPUs that the process may not use, by reason.
func (m *Machine) LeftOut() []LeftOut {
	var out []LeftOut
	for id := range m.Known.Difference(m.Allowed).All() {
		reason := m.Reason(id)
		i := slices.IndexFunc(out, func(l LeftOut) bool { return l.Reason == reason })
		if i < 0 {
			i = len(out)
			out = append(out, LeftOut{Reason: reason})
		}
		out[i].CPUs.add(id)
	}
	return out
}
