package topology

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
)

// ReadOptions say what a recorded tree can't.
type ReadOptions struct {
	Affinity Set    // the affinity mask to assume; empty: what the tree says, or all CPUs
	Arch     string // the GOARCH that the tree comes from, if known
}

// Read describes the machine whose files lie below root: sys/devices/system/cpu and so
// on. It asks neither the running system nor its processor. Of a folder given by
// os.DirFS nothing outside is read, not even through a symbolic link.
//
// A missing file is no error; the package comment tells what is assumed. A value
// that makes no sense is one, and the error names the file and the value. If root
// has no CPUs, an affinity in o makes a flat machine marked as a guess.
func Read(root fs.FS, o *ReadOptions) (*Machine, error) {
	src := newSource(root)
	defer src.close()
	if o == nil {
		o = &ReadOptions{}
	}
	return read(src, *o, recordedCPUID)
}

func read(src source, o ReadOptions, cpuid cpuidFunc) (*Machine, error) {
	r := &reader{files: files{src: src}, cpuid: cpuid, m: &Machine{Arch: o.Arch}}
	steps := []func(){
		r.readCPUs, r.readCores, r.readPackages, r.readGroups, r.readNodes, r.readFeatures, r.readClasses, r.readCaches,
		func() { r.readAllowed(o.Affinity) },
	}
	for _, step := range steps {
		step()
		if errors.Is(r.err, errNoCPUs) && !o.Affinity.IsEmpty() {
			return r.guess(o), nil
		}
		if r.err != nil {
			return nil, r.err
		}
	}
	return r.m, nil
}

// A reader makes a Machine of the files of one tree.
type reader struct {
	files
	cpuid cpuidFunc
	m     *Machine
	at    []int // index into m.CPUs by OS id, -1 if not online
	alike bool  // nothing tells the cores apart
}

const cpuDir = "sys/devices/system/cpu/"

func cpuFolder(id int) string { return cpuDir + "cpu" + strconv.Itoa(id) + "/" }

var errNoCPUs = errors.New("topology: no CPUs in " + cpuDir)

// guess is the machine of a tree that doesn't tell about CPUs.
func (r *reader) guess(o ReadOptions) *Machine {
	m := flat(o.Affinity)
	m.Arch = o.Arch
	r.err = nil
	m.Memory, m.Nodes[0].Free = r.meminfo("proc/meminfo")
	m.Nodes[0].Memory = m.Memory
	return m
}

func (r *reader) readCPUs() {
	m := r.m
	known, ok := r.ids(cpuDir[:len(cpuDir)-1], "cpu")
	if !ok {
		known, _ = r.list(cpuDir + "present")
	}
	m.Known = known
	online, ok := r.list(cpuDir + "online")
	if !ok {
		for id := range known.All() {
			// CPUs that can't be taken offline have no such file.
			if on, ok := r.number(cpuFolder(id) + "online"); !ok || on != 0 {
				online.add(id)
			}
		}
	}
	m.Online = online.Intersect(known)
	if m.Online.IsEmpty() && r.err == nil {
		r.err = errNoCPUs
	}
	r.at = make([]int, m.Online.Max()+1)
	for i := range r.at {
		r.at[i] = -1
	}
	for id := range m.Online.All() {
		r.at[id] = len(m.CPUs)
		m.CPUs = append(m.CPUs, CPU{ID: id, Core: -1, Package: -1, Node: -1})
	}
}

var coreFiles = []setFile{
	{"topology/core_cpus_list", ParseSet}, {"topology/thread_siblings_list", ParseSet},
	{"topology/core_cpus", parseMask}, {"topology/thread_siblings", parseMask},
}

// readCores makes cores of the sibling lists: the number core_id is unique neither in
// the machine nor, on some, in a package.
func (r *reader) readCores() {
	m := r.m
	type siblings struct {
		Set
		ok, read bool
		err      error
	}
	all := make([]siblings, len(m.CPUs))
	get := func(f *files, i int) {
		s := &all[i]
		s.Set, s.ok = f.firstSet(cpuFolder(m.CPUs[i].ID), coreFiles)
		s.read, s.err, f.err = true, f.err, nil
	}
	// The list of a core's lowest CPU covers the others. That one CPU's list is
	// skipped or read in vain by chance doesn't show in the outcome: below, only the
	// lists that lower CPUs leave over count.
	covered := newBitmap(m.Online.Max() + 1)
	parallel(r.src, len(m.CPUs), func(f *files, i int) {
		if covered.has(m.CPUs[i].ID) {
			return
		}
		get(f, i)
		for id := range all[i].All() {
			if id > m.CPUs[i].ID && id < len(r.at) {
				covered.put(id)
			}
		}
	})
	known := false
	var cored Set // that are in a core
	for i := range m.CPUs {
		if m.CPUs[i].Core >= 0 {
			continue
		}
		if !all[i].read {
			get(&r.files, i)
		}
		if r.err = all[i].err; r.err != nil {
			return
		}
		known = known || all[i].ok
		core := Core{CPUs: all[i].Set, Package: -1}
		if !core.CPUs.Contains(m.CPUs[i].ID) || !core.CPUs.Within(m.Online) || core.CPUs.Intersects(cored) {
			core.CPUs = core.CPUs.Intersect(m.Online).Difference(cored).With(m.CPUs[i].ID)
		}
		cored.or(core.CPUs)
		smt := 0
		for id := range core.CPUs.All() {
			c := r.cpu(id)
			c.Core, c.SMT = len(m.Cores), smt
			smt++
		}
		m.Cores = append(m.Cores, core)
	}
	m.Guess = !known
}

// cpu returns the online CPU of an OS id, or nil.
func (r *reader) cpu(id int) *CPU {
	if id >= len(r.at) || r.at[id] < 0 {
		return nil
	}
	return &r.m.CPUs[r.at[id]]
}

// perCore returns the number in a file of each core's lowest CPU, unless one lacks it.
func (r *reader) perCore(name string) ([]int, bool) {
	type number struct {
		ok  bool
		err error
	}
	cores := r.m.Cores
	values, results := make([]int, len(cores)), make([]number, len(cores))
	if _, ok := r.number(cpuFolder(cores[0].CPUs.Min()) + name); !ok {
		return nil, false
	}
	parallel(r.src, len(cores), func(f *files, i int) {
		values[i], results[i].ok = f.number(cpuFolder(cores[i].CPUs.Min()) + name)
		results[i].err, f.err = f.err, nil
	})
	for _, n := range results {
		if !n.ok {
			r.err = n.err
			return nil, false
		}
	}
	return values, true
}

var packageFiles = []setFile{
	{"topology/package_cpus_list", ParseSet}, {"topology/core_siblings_list", ParseSet},
	{"topology/package_cpus", parseMask}, {"topology/core_siblings", parseMask},
}

// readPackages makes packages of the sets of CPUs. The number physical_package_id can
// repeat or be -1; it only serves where there are no sets.
func (r *reader) readPackages() {
	m := r.m
	var byID map[int]int // package by its number, for cores without a set
	var numbers []int
	add := func(core, pkg int) {
		m.Cores[core].Package = pkg
		m.Packages[pkg].CPUs.or(m.Cores[core].CPUs)
		for id := range m.Cores[core].CPUs.All() {
			r.cpu(id).Package = pkg
		}
	}
	for i := range m.Cores {
		if m.Cores[i].Package >= 0 {
			continue
		}
		folder := cpuFolder(m.Cores[i].CPUs.Min())
		cpus, ok := r.firstSet(folder, packageFiles)
		if ok {
			number, known := r.number(folder + "topology/physical_package_id")
			if !known {
				number = -1
			}
			m.Packages = append(m.Packages, Package{ID: number})
			add(i, len(m.Packages)-1)
			for id := range cpus.All() {
				if c := r.cpu(id); c != nil && m.Cores[c.Core].Package < 0 {
					add(c.Core, len(m.Packages)-1)
				}
			}
			continue
		}
		if byID == nil {
			byID = map[int]int{}
			numbers, ok = r.perCore("topology/physical_package_id")
			if !ok {
				numbers = slices.Repeat([]int{-1}, len(m.Cores))
			}
		}
		pkg, seen := byID[numbers[i]]
		if !seen {
			pkg = len(m.Packages)
			byID[numbers[i]] = pkg
			m.Packages = append(m.Packages, Package{ID: max(numbers[i], -1)})
		}
		add(i, pkg)
	}
}

var (
	dieFiles     = []setFile{{"topology/die_cpus_list", ParseSet}, {"topology/die_cpus", parseMask}}
	clusterFiles = []setFile{{"topology/cluster_cpus_list", ParseSet}, {"topology/cluster_cpus", parseMask}}
)

func (r *reader) readGroups() {
	r.m.Dies = r.groups(dieFiles)
	r.m.Clusters = r.groups(clusterFiles)
}

// groups returns sets of cores within packages. Kernels that know of none give each
// core or each package as one: that's no information. The numbers cluster_id and
// die_id are of no use: 65535 and -1 mean none.
func (r *reader) groups(names []setFile) []Set {
	m := r.m
	var groups []Set
	var grouped Set
	several, split := false, false // groups of several cores, packages of several groups
	for _, pkg := range m.Packages {
		for first := pkg.CPUs.Min(); first >= 0; first = pkg.CPUs.Difference(grouped).Min() {
			core := m.Cores[r.cpu(first).Core].CPUs
			cpus, ok := r.firstSet(cpuFolder(first), names)
			if !ok {
				return nil
			}
			cpus = cpus.Union(core).Intersect(pkg.CPUs).Difference(grouped)
			if m.large() && groups == nil && (cpus.Equal(core) || cpus.Equal(pkg.CPUs)) {
				return nil // so will be the others
			}
			groups = append(groups, cpus)
			grouped.or(cpus)
			several = several || !cpus.Equal(core)
			split = split || !cpus.Equal(pkg.CPUs)
		}
	}
	if !several || !split {
		return nil
	}
	return groups
}

// large reports whether the machine has so many CPUs that what is alike is not read
// for each.
func (m *Machine) large() bool { return len(m.CPUs) > 256 }

func (r *reader) readNodes() {
	m := r.m
	memory, free := r.meminfo("proc/meminfo")
	m.Memory = memory
	const dir = "sys/devices/system/node"
	ids, ok := r.ids(dir, "node")
	if !ok || ids.IsEmpty() {
		m.Nodes = []Node{{CPUs: m.Online, LocalCPUs: m.Online, Memory: memory, Free: free}}
		for i := range m.CPUs {
			m.CPUs[i].Node = 0
		}
		return
	}
	sum := uint64(0)
	for id := range ids.All() {
		folder := nodeFolder(id)
		cpus, _ := r.firstSet(folder, []setFile{{"cpulist", ParseSet}, {"cpumap", parseMask}})
		n := Node{ID: id}
		for cpu := range cpus.All() {
			if c := r.cpu(cpu); c != nil && c.Node < 0 { // in two nodes: the first has it
				c.Node = id
				n.CPUs.add(cpu)
			}
		}
		n.Memory, n.Free = r.meminfo(folder + "meminfo")
		sum += n.Memory
		r.readMemoryCaches(id)
		m.Nodes = append(m.Nodes, n)
	}
	if m.Memory == 0 {
		m.Memory = sum
	}
	m.distances = r.distances()
	for i := range m.Nodes {
		m.Nodes[i].LocalCPUs = r.localCPUs(i)
	}
}

func (r *reader) readMemoryCaches(node int) {
	for i := 1; i < maxCacheIndex; i++ {
		folder := nodeFolder(node) + "memory_side_cache/index" + strconv.Itoa(i) + "/"
		text, ok := r.text(folder + "size")
		if !ok {
			return
		}
		c := MemoryCache{Node: node, Index: i, Size: parseBytes(text)}
		text, _ = r.text(folder + "line_size")
		c.Line, _ = parseID(text)
		r.m.MemoryCaches = append(r.m.MemoryCaches, c)
	}
}

func nodeFolder(id int) string { return "sys/devices/system/node/node" + strconv.Itoa(id) + "/" }

// distances returns the matrix, or nil if it isn't square: then it can't be told
// which column is which node.
func (r *reader) distances() [][]int {
	var rows [][]int
	for _, n := range r.m.Nodes {
		name := nodeFolder(n.ID) + "distance"
		text, ok := r.text(name)
		if !ok {
			return nil
		}
		row, ok := parseRow(text)
		if !ok {
			r.fail(name, text, "a row of distances")
		}
		if len(row) != len(r.m.Nodes) {
			return nil
		}
		rows = append(rows, row)
	}
	return rows
}

// localCPUs returns the CPUs closest to a node: its own, those that the firmware names
// as its best initiators, or those of the nearest nodes that have some.
func (r *reader) localCPUs(i int) Set {
	m := r.m
	if !m.Nodes[i].CPUs.IsEmpty() {
		return m.Nodes[i].CPUs
	}
	var local Set
	for _, access := range []string{"access1/initiators", "access0/initiators"} {
		ids, ok := r.ids(nodeFolder(m.Nodes[i].ID)+access, "node")
		if ok {
			for id := range ids.All() {
				if n, ok := m.Node(id); ok {
					local.or(n.CPUs)
				}
			}
			break
		}
	}
	if !local.IsEmpty() || m.distances == nil {
		return local
	}
	best := 0
	for j, d := range m.distances[i] {
		if m.Nodes[j].CPUs.IsEmpty() || best != 0 && d > best {
			continue
		}
		if d != best {
			best, local = d, Set{}
		}
		local.or(m.Nodes[j].CPUs)
	}
	return local
}

// meminfo returns the memory that a file such as proc/meminfo tells of, in bytes.
func (r *reader) meminfo(name string) (total, free uint64) {
	text, ok := r.text(name)
	if !ok {
		return 0, 0
	}
	total, free, err := parseMeminfo(text)
	if err != nil && r.err == nil {
		r.err = fmt.Errorf("topology: %s: %w", name, err)
	}
	return total, free
}
