package topology

import "encoding/json"

// jsonMachine is the JSON form of a Machine. Sets are lists such as "0-3,8". A null
// stands for what isn't known.
type jsonMachine struct {
	Arch     string   `json:"arch"`
	Features []string `json:"features,omitempty"`
	Live     bool     `json:"live"`
	Guess    bool     `json:"guess"`
	CPUs     struct {
		Known  Set `json:"known"`
		Online Set `json:"online"`
	} `json:"cpus"`
	Cores    []Set `json:"cores"`
	Packages []Set `json:"packages"`
	Dies     []Set `json:"dies"`
	Clusters []Set `json:"clusters"`
	NUMA     struct {
		Nodes     []jsonNode `json:"nodes"`
		Distances [][]int    `json:"distances"`
	} `json:"numa"`
	Memory       uint64            `json:"memory_total_bytes"`
	Caches       []jsonCaches      `json:"caches"`
	MemoryCaches []jsonMemoryCache `json:"memory_side_caches"`
	Allowed      struct {
		CPUs       Set           `json:"cpus"`
		Nodes      Set           `json:"mems"`
		Quota      *float64      `json:"quota_cpus"`
		Restricted bool          `json:"restricted"`
		LeftOut    []jsonLeftOut `json:"left_out"`
	} `json:"allowed"`
	Classes []jsonClass `json:"cpu_kinds"`
}

type jsonNode struct {
	ID     int    `json:"id"`
	CPUs   Set    `json:"cpus"`
	Memory uint64 `json:"memory_bytes"`
	Free   uint64 `json:"free_bytes"`
	Local  *Set   `json:"local_cpus"`
}

// jsonCaches are all caches of one level, kind, size and so on.
type jsonCaches struct {
	Level int       `json:"level"`
	Kind  CacheKind `json:"type"`
	Size  *int      `json:"size_bytes"`
	Line  *int      `json:"line_bytes"`
	Ways  *int      `json:"ways"`
	CPUs  []Set     `json:"shared_cpus"`
}

type jsonMemoryCache struct {
	Node  int  `json:"node"`
	Index int  `json:"index"`
	Size  *int `json:"size_bytes"`
	Line  *int `json:"line_bytes"`
}

type jsonLeftOut struct {
	CPUs   Set    `json:"cpus"`
	Reason string `json:"reason"`
}

type jsonClass struct {
	Rank     int    `json:"rank"`
	CPUs     Set    `json:"cpus"`
	Capacity int    `json:"capacity"`
	Source   string `json:"source"`
}

// MarshalJSON returns the machine as one object, whose form is stable: names may be
// added, but none changes. CPU and node sets are lists such as "0-3,8", sizes are in
// bytes, and null stands for what isn't known:
//
//	arch, features, live, guess
//	cpus                  known and online
//	cores, packages, dies, clusters     one set of CPUs each
//	numa.nodes            id, cpus, memory_bytes, free_bytes, local_cpus
//	numa.distances        matrix in the order of the nodes
//	memory_total_bytes
//	caches                level, type, size_bytes, line_bytes, ways, and shared_cpus: one set for each cache
//	memory_side_caches    node, index, size_bytes, line_bytes
//	allowed               cpus, mems (nodes), quota_cpus, restricted, and left_out: cpus with the reason
//	cpu_kinds             the classes: rank (0 is slowest), cpus, capacity, source
func (m *Machine) MarshalJSON() ([]byte, error) {
	j := jsonMachine{
		Arch: m.Arch, Features: m.Features, Live: m.Live, Guess: m.Guess,
		Dies: append([]Set{}, m.Dies...), Clusters: append([]Set{}, m.Clusters...),
		Memory: m.Memory, Caches: []jsonCaches{}, MemoryCaches: []jsonMemoryCache{},
	}
	j.CPUs.Known, j.CPUs.Online = m.Known, m.Online
	for _, c := range m.Cores {
		j.Cores = append(j.Cores, c.CPUs)
	}
	for _, p := range m.Packages {
		j.Packages = append(j.Packages, p.CPUs)
	}
	for _, n := range m.Nodes {
		node := jsonNode{ID: n.ID, CPUs: n.CPUs, Memory: n.Memory, Free: n.Free}
		if !n.LocalCPUs.IsEmpty() {
			node.Local = &n.LocalCPUs
		}
		j.NUMA.Nodes = append(j.NUMA.Nodes, node)
	}
	j.NUMA.Distances = m.distances
	type shape struct {
		level, size, line, ways int
		kind                    CacheKind
	}
	at := map[shape]int{}
	for _, c := range m.Caches {
		s := shape{c.Level, c.Size, c.Line, c.Ways, c.Kind}
		i, ok := at[s]
		if !ok {
			i, at[s] = len(j.Caches), len(j.Caches)
			j.Caches = append(j.Caches, jsonCaches{c.Level, c.Kind, known(c.Size), known(c.Line), known(c.Ways), nil})
		}
		j.Caches[i].CPUs = append(j.Caches[i].CPUs, c.CPUs)
	}
	for _, c := range m.MemoryCaches {
		j.MemoryCaches = append(j.MemoryCaches, jsonMemoryCache{c.Node, c.Index, known(c.Size), known(c.Line)})
	}
	j.Allowed.CPUs, j.Allowed.Nodes = m.Allowed, m.AllowedNodes
	if m.Quota > 0 {
		j.Allowed.Quota = &m.Quota
	}
	j.Allowed.LeftOut = []jsonLeftOut{}
	for _, l := range m.LeftOut() {
		j.Allowed.LeftOut = append(j.Allowed.LeftOut, jsonLeftOut(l))
	}
	j.Allowed.Restricted = !m.Allowed.Equal(m.Online) || m.AllowedNodes.Len() < len(m.Nodes)
	for i, c := range m.Classes {
		j.Classes = append(j.Classes, jsonClass{i, c.CPUs, c.Capacity, c.Source})
	}
	return json.Marshal(j)
}

// known returns a pointer to n, or nil for the 0 that stands for unknown.
func known(n int) *int {
	if n == 0 {
		return nil
	}
	return &n
}
