package topology

import (
	"fmt"
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

func detect() (*Machine, error) {
	var mask unix.CPUSet
	if err := unix.SchedGetaffinity(0, &mask); err != nil {
		return nil, fmt.Errorf("topology: affinity: %w", err)
	}
	var allowed Set
	for i := range 8 * len(mask) * 8 {
		if mask.IsSet(i) {
			allowed.add(i)
		}
	}
	m := &Machine{Arch: runtime.GOARCH, Live: true, affinity: allowed}
	list := func(name string) Set {
		data, _ := os.ReadFile("/sys/devices/system/" + name)
		s, _ := ParseSet(string(data))
		return s
	}
	m.Online = list("cpu/online")
	if m.Online.IsEmpty() {
		m := flat(allowed)
		m.Arch, m.Live = runtime.GOARCH, true
		return m, nil
	}
	m.Known, m.cpuset = list("cpu/present"), m.Online
	m.Allowed = allowed.Intersect(m.Online)
	for id := range list("node/online").All() {
		n := Node{ID: id, CPUs: list(fmt.Sprintf("node/node%d/cpulist", id))}
		n.LocalCPUs = n.CPUs
		var key string
		if data, err := os.ReadFile(fmt.Sprintf("/sys/devices/system/node/node%d/meminfo", id)); err == nil {
			var kib uint64
			fmt.Sscanf(string(data), "Node %d %s %d", &id, &key, &kib)
			n.Memory = kib << 10
		}
		m.Nodes = append(m.Nodes, n)
		m.AllowedNodes.add(id)
	}
	if len(m.Nodes) == 0 {
		m.Nodes = []Node{{CPUs: m.Online, LocalCPUs: m.Online}}
		m.AllowedNodes = SetOf(0)
	}
	var cored, packed Set
	for id := range m.Online.All() {
		cpu := fmt.Sprintf("cpu/cpu%d/topology/", id)
		if !packed.Contains(id) {
			s := list(cpu + "core_siblings_list").With(id)
			packed = packed.Union(s)
			m.Packages = append(m.Packages, Package{CPUs: s})
		}
		if !cored.Contains(id) {
			s := list(cpu + "thread_siblings_list").With(id)
			cored = cored.Union(s)
			m.Cores = append(m.Cores, Core{CPUs: s})
		}
		c := CPU{ID: id, Node: -1}
		for i, p := range m.Packages {
			if p.CPUs.Contains(id) {
				c.Package = i
			}
		}
		for i, core := range m.Cores {
			if core.CPUs.Contains(id) {
				c.Core = i
				for other := range core.CPUs.All() {
					if other < id {
						c.SMT++
					}
				}
				m.Cores[i].Package = c.Package
			}
		}
		for _, n := range m.Nodes {
			if n.CPUs.Contains(id) {
				c.Node = n.ID
			}
		}
		m.CPUs = append(m.CPUs, c)
	}
	m.Classes = []Class{{CPUs: m.Online, Capacity: 1024, Source: "assumed"}}
	return m, nil
}
