package topology

import (
	"fmt"
	"iter"
	"path"
	"slices"
)

// readAllowed finds what the process may use: the CPUs that the affinity mask, the
// cpuset and Online have in common, the nodes that the cpuset allows, and the quota.
func (r *reader) readAllowed(affinity Set) {
	m := r.m
	status, _ := r.text("proc/self/status")
	if affinity.IsEmpty() {
		affinity = r.statusList(status, "Cpus_allowed_list:")
	}
	var nodes Set
	for _, n := range m.Nodes {
		nodes.add(n.ID)
	}
	groups := r.readControlGroups()
	m.affinity = orAll(affinity, m.Online)
	m.cpuset = orAll(groups.cpus, m.Online)
	m.Allowed = m.affinity.Intersect(m.cpuset).Intersect(m.Online)
	memory := r.statusList(status, "Mems_allowed_list:")
	m.AllowedNodes = orAll(groups.nodes, nodes).Intersect(orAll(memory, nodes)).Intersect(nodes)
	m.Quota = groups.quota
	if r.err == nil && m.Allowed.IsEmpty() {
		r.err = fmt.Errorf("topology: no CPU is left: online %v, affinity %v, cpuset %v", m.Online, m.affinity, m.cpuset)
	}
}

// orAll returns s or, if it's empty, which means unlimited, all.
func orAll(s, all Set) Set {
	if s.IsEmpty() {
		return all
	}
	return s
}

// statusList returns the set in one line of proc/self/status.
func (r *reader) statusList(status, key string) Set {
	text := field(status, key)
	s, err := ParseSet(text)
	if err != nil {
		r.fail("proc/self/status", key+" "+text, "a set of ids")
	}
	return s
}

// controlGroups is what the control groups grant. An empty set is no limit, and so is
// a quota of 0.
type controlGroups struct {
	cpus, nodes Set
	quota       float64
}

func (r *reader) readControlGroups() controlGroups {
	text, _ := r.text("proc/mounts")
	mounts := parseMounts(text)
	text, _ = r.text("proc/self/cgroup")
	paths := parseCgroups(text)
	// find returns the first mount of a kind with an option, if asked for.
	find := func(kind, option string) (string, bool) {
		i := slices.IndexFunc(mounts, func(m mount) bool {
			return m.kind == kind && (option == "" || slices.Contains(m.options, option))
		})
		if i < 0 {
			return "", false
		}
		return mounts[i].dir, true
	}
	unified, isUnified := find("cgroup2", "")
	if len(mounts) == 0 {
		unified, isUnified = "sys/fs/cgroup", true
	}

	// A controller is in the hierarchy of its own, if it's mounted, or in the unified one.
	cpusetPath, ok := paths["cpuset"]
	if !ok {
		if cpusetPath, _ = r.text("proc/self/cpuset"); cpusetPath == "" {
			cpusetPath = paths[""]
		}
	}
	var g controlGroups
	if dir, ok := find("cgroup", "cpuset"); ok {
		g.cpus = r.nearest(dir, cpusetPath, "cpuset.effective_cpus", "cpuset.cpus", "cpus")
		g.nodes = r.nearest(dir, cpusetPath, "cpuset.effective_mems", "cpuset.mems", "mems")
	} else if dir, ok := find("cpuset", ""); ok {
		g.cpus = r.nearest(dir, cpusetPath, "cpus")
		g.nodes = r.nearest(dir, cpusetPath, "mems")
	} else if isUnified {
		g.cpus = r.nearest(unified, cpusetPath, "cpuset.cpus.effective")
		g.nodes = r.nearest(unified, cpusetPath, "cpuset.mems.effective")
	}

	var quotas []float64
	add := func(name, text string, q float64, err error) {
		if err != nil {
			r.fail(name, text, "a quota and a period")
		} else if q > 0 {
			quotas = append(quotas, q)
		}
	}
	if dir, ok := find("cgroup", "cpu"); ok {
		for folder := range ancestors(dir, paths["cpu"]) {
			name := folder + "/cpu.cfs_quota_us"
			period, ok := r.text(folder + "/cpu.cfs_period_us")
			if !ok {
				period = defaultPeriod
			}
			if text, ok := r.text(name); ok {
				q, err := quota(text, period)
				add(name, text+" "+period, q, err)
			}
		}
	} else if isUnified {
		for folder := range ancestors(unified, paths[""]) {
			name := folder + "/cpu.max"
			if text, ok := r.text(name); ok {
				q, err := parseCPUMax(text)
				add(name, text, q, err)
			}
		}
	}
	if len(quotas) > 0 {
		g.quota = slices.Min(quotas)
	}
	return g
}

// nearest returns the set in the first of the named files that is in the group's folder
// or, where that lacks it, in an ancestor's: a group without the controller is bound by
// the groups above, and in a container the path may be the host's while the mount
// starts at the container's own group.
func (r *reader) nearest(dir, group string, names ...string) Set {
	for folder := range ancestors(dir, group) {
		for _, name := range names {
			if s, ok := r.list(folder + "/" + name); ok || r.err != nil {
				return s
			}
		}
	}
	return Set{}
}

// ancestors yields the folders of a group and of the groups above it.
func ancestors(dir, group string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for group := path.Clean("/" + group); yield(path.Join(dir, group)) && group != "/"; {
			group = path.Dir(group)
		}
	}
}
