package topology

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/numateam/numateam/topology/topologytest"
)

// caseExpect is the union of what the files expect.json of cases top-NN hold.
type caseExpect struct {
	Allowed, Online *string
	Cores, Threads  *int
	ThreadsPerCore  *int `json:"threads_per_core"`
	Packages        json.RawMessage
	CoreSets        []string `json:"core_sets"`
	Nodes           []struct {
		ID      int
		CPUs    string
		Allowed *string
		MemKiB  *uint64 `json:"mem_kib"`
	}
	NodesWithMemory string `json:"nodes_with_memory"`
	NodeIDs         string `json:"node_ids"`
	Distance        [][3]int
	NoSuchNode      []int `json:"no_such_node"`
	L3              []struct {
		CPUs string
		KiB  int
	}
	L3Total                 int `json:"l3_total_kib"`
	DefaultWorkers          int `json:"default_workers"`
	Order                   []int
	Performance, Efficient  string
	FirstThreads            string  `json:"first_threads"`
	PerformanceFirstThreads string  `json:"performance_first_threads"`
	EfficientAllowed        string  `json:"efficient_allowed"`
	PerformanceAllowed      *string `json:"performance_allowed"`
	Degraded                bool
}

// readCase reads the tree of a case, or one of its trees.
func readCase(t *testing.T, id, tree string) *Machine {
	t.Helper()
	dir := topologytest.Shared(t, "cases", id)
	text := func(name string) string {
		data, _ := os.ReadFile(filepath.Join(dir, name))
		return strings.TrimSpace(string(data))
	}
	o := &ReadOptions{Affinity: mustParseSet(t, text("affinity")), Arch: text("arch")}
	if uses := text("uses"); uses != "" {
		dir = filepath.Join(filepath.Dir(dir), uses)
	}
	m, err := Read(os.DirFS(filepath.Join(dir, tree)), o)
	if err != nil {
		t.Fatal(err)
	}
	checkConsistent(t, m)
	return m
}

// firstThreads returns the lowest CPU of each core that has CPUs in within.
func firstThreads(m *Machine, within Set) Set {
	var s Set
	for _, c := range m.CPUs {
		if c.SMT == 0 && within.Contains(c.ID) {
			s = s.With(c.ID)
		}
	}
	return s
}

func (want caseExpect) check(t *testing.T, m *Machine) {
	t.Helper()
	equal := func(what string, got Set, list string) {
		t.Helper()
		if !got.Equal(mustParseSet(t, list)) {
			t.Errorf("%s: %q, want %q", what, got, list)
		}
	}
	count := func(what string, got int, want *int) {
		t.Helper()
		if want != nil && got != *want {
			t.Errorf("%s: %d, want %d", what, got, *want)
		}
	}
	if want.Allowed != nil {
		equal("allowed", m.Allowed, *want.Allowed)
	}
	if want.Online != nil {
		equal("online", m.Online, *want.Online)
	}
	count("cores", len(m.Cores), want.Cores)
	count("threads", len(m.CPUs), want.Threads)
	if want.ThreadsPerCore != nil {
		for _, c := range m.Cores {
			count("threads of a core", c.CPUs.Len(), want.ThreadsPerCore)
		}
	}
	var packages map[string]string
	var n int
	if json.Unmarshal(want.Packages, &packages) == nil {
		count("packages", len(m.Packages), ptr(len(packages)))
		for i, p := range m.Packages {
			equal("package", p.CPUs, packages[string(rune('0'+i))])
		}
	} else if json.Unmarshal(want.Packages, &n) == nil {
		count("packages", len(m.Packages), &n)
	}
	for i, list := range want.CoreSets {
		equal("core", m.Cores[i].CPUs, list)
	}
	if want.Nodes != nil {
		count("nodes", len(m.Nodes), ptr(len(want.Nodes)))
	}
	for i, w := range want.Nodes {
		n := m.Nodes[i]
		count("node", n.ID, &w.ID)
		equal("node's CPUs", n.CPUs, w.CPUs)
		if w.MemKiB != nil && n.Memory != *w.MemKiB<<10 {
			t.Errorf("node %d has %d bytes, want %d KiB", n.ID, n.Memory, *w.MemKiB)
		}
		if w.Allowed != nil {
			equal("node's allowed CPUs", n.CPUs.Intersect(m.Allowed), *w.Allowed)
		}
	}
	if want.NodesWithMemory != "" {
		var s Set
		for _, n := range m.Nodes {
			if n.Memory > 0 {
				s = s.With(n.ID)
			}
		}
		equal("nodes with memory", s, want.NodesWithMemory)
	}
	if want.NodeIDs != "" {
		equal("nodes", m.AllowedNodes, want.NodeIDs)
	}
	for _, d := range want.Distance {
		if got, err := m.Distance(d[0], d[1]); err != nil || got != d[2] {
			t.Errorf("Distance(%d, %d) = %d, %v, want %d", d[0], d[1], got, err, d[2])
		}
	}
	for _, id := range want.NoSuchNode {
		if _, err := m.Distance(0, id); err == nil {
			t.Errorf("Distance(0, %d): no error", id)
		}
		if _, err := m.Distance(id, 0); err == nil {
			t.Errorf("Distance(%d, 0): no error", id)
		}
		if _, ok := m.Node(id); ok {
			t.Errorf("Node(%d) is there", id)
		}
	}
	if want.L3 != nil {
		total := 0
		var sets []string
		for _, c := range m.Caches {
			if c.Level == 3 {
				total += c.Size >> 10
				sets = append(sets, c.CPUs.String())
			}
		}
		if total != want.L3Total || len(sets) != 1 || sets[0] != want.L3[0].CPUs {
			t.Errorf("L3: %v, %d KiB, want %v, %d KiB", sets, total, want.L3, want.L3Total)
		}
	}
	if want.DefaultWorkers != 0 {
		count("workers", m.Workers(), &want.DefaultWorkers)
	}
	for i, id := range want.Order {
		count("CPU", m.CPUs[i].ID, &id)
	}
	fast, slow := m.Classes[len(m.Classes)-1].CPUs, m.Classes[0].CPUs
	if want.Performance != "" {
		count("classes", len(m.Classes), ptr(2))
		equal("performance cores", fast, want.Performance)
		equal("efficient cores", slow, want.Efficient)
	}
	if want.PerformanceAllowed != nil {
		equal("allowed performance cores", fast.Intersect(m.Allowed), *want.PerformanceAllowed)
		equal("allowed efficient cores", slow.Intersect(m.Allowed), want.EfficientAllowed)
	}
	if want.FirstThreads != "" {
		equal("first threads", firstThreads(m, m.Online), want.FirstThreads)
	}
	if want.PerformanceFirstThreads != "" {
		equal("first threads of performance cores", firstThreads(m, fast), want.PerformanceFirstThreads)
	}
	if m.Guess != want.Degraded {
		t.Errorf("Guess = %v", m.Guess)
	}
}

func ptr[T any](v T) *T { return &v }

func TestCases(t *testing.T) {
	dir := topologytest.Shared(t, "cases")
	trees := []string{"02", "04", "05", "06", "07", "08", "10", "11", "12", "14", "15", "17", "18", "19", "25", "26"}
	for _, n := range trees {
		id := "top-" + n
		t.Run(id, func(t *testing.T) {
			var want caseExpect
			topologytest.ReadJSON(t, filepath.Join(dir, id, "expect.json"), &want)
			m := readCase(t, id, "")
			want.check(t, m)
			switch n {
			case "02":
				checkLists(t, filepath.Join(dir, id, "lists.json"))
			case "04":
				for _, cpu := range []int{2, 3} {
					if _, ok := m.CPU(cpu); ok || m.Reason(cpu) != "offline" {
						t.Errorf("CPU %d: %q, want offline", cpu, m.Reason(cpu))
					}
				}
			case "15":
				if got := m.Reason(0); got != "outside the affinity mask" {
					t.Errorf("Reason(0) = %q", got)
				}
			case "25":
				checkUnknownCaches(t, m)
			case "26":
				if m.Clusters != nil {
					t.Errorf("clusters: %v", m.Clusters)
				}
			}
		})
	}
	t.Run("top-01", func(t *testing.T) { checkLists(t, filepath.Join(dir, "top-01", "cases.json")) })
	t.Run("top-03", func(t *testing.T) {
		var cases []struct {
			In         string
			Count, Max int
		}
		topologytest.ReadJSON(t, filepath.Join(dir, "top-03", "cases.json"), &cases)
		for _, c := range cases {
			s := mustParseSet(t, c.In)
			if s.Len() != c.Count || s.Max() != c.Max || s.String() != c.In || !s.Contains(c.Max) || s.Contains(c.Max+1) {
				t.Errorf("%s: %d ids up to %d, printed %v", c.In, s.Len(), s.Max(), s)
			}
			if s := s.With(c.Max + 2); s.Len() != c.Count+1 || !s.Intersect(SetOf(c.Max+2, c.Max+3)).Equal(SetOf(c.Max+2)) {
				t.Errorf("%s with %d: %v", c.In, c.Max+2, s)
			}
		}
	})
	for _, tree := range []string{"adjacent", "split"} {
		t.Run("top-09/"+tree, func(t *testing.T) { checkNamed(t, "top-09", tree) })
	}
	t.Run("top-13", func(t *testing.T) {
		data, err := os.ReadFile(filepath.Join(dir, "top-13", "meminfo"))
		if err != nil {
			t.Fatal(err)
		}
		var want struct {
			Total uint64 `json:"mem_total_bytes"`
			Free  uint64 `json:"mem_free_bytes"`
		}
		topologytest.ReadJSON(t, filepath.Join(dir, "top-13", "expect.json"), &want)
		if total, free, err := parseMeminfo(string(data)); total != want.Total || free != want.Free || err != nil {
			t.Errorf("total %d, free %d, %v, want %+v", total, free, err, want)
		}
	})
	t.Run("top-16", func(t *testing.T) {
		var cases []struct {
			In      string
			Quota   float64 // null is 0, no quota
			Workers []int
		}
		topologytest.ReadJSON(t, filepath.Join(dir, "top-16", "cases.json"), &cases)
		for _, c := range cases {
			q, err := parseCPUMax(c.In)
			m := &Machine{Allowed: mustParseSet(t, "0-7"), Quota: q}
			if err != nil || q != c.Quota || !slices.Contains(c.Workers, m.Workers()) {
				t.Errorf("%q: quota %v, %v, %d workers, want %v, %v", c.In, q, err, m.Workers(), c.Quota, c.Workers)
			}
		}
	})
	for _, tree := range []string{"capacity", "freq-only"} {
		t.Run("top-20/"+tree, func(t *testing.T) { checkNamed(t, "top-20", tree) })
	}
	for _, id := range []string{"top-21", "top-22"} {
		t.Run(id, func(t *testing.T) { checkFeatures(t, filepath.Join(dir, id, "cases.json")) })
	}
	t.Run("top-23", func(t *testing.T) { checkCacheSizes(t, filepath.Join(dir, "top-23", "cases.json")) })
	t.Run("top-24", func(t *testing.T) { checkPerfLevels(t, filepath.Join(dir, "top-24", "cases.json")) })
}

// checkNamed checks one of several trees of a case.
func checkNamed(t *testing.T, id, tree string) {
	t.Helper()
	var want map[string]caseExpect
	topologytest.ReadJSON(t, topologytest.Shared(t, "cases", id, "expect.json"), &want)
	want[tree].check(t, readCase(t, id, tree))
}

func checkLists(t *testing.T, name string) {
	t.Helper()
	var cases []struct {
		In  string
		Out []int
	}
	topologytest.ReadJSON(t, name, &cases)
	for _, c := range cases {
		if s, err := ParseSet(c.In); err != nil || !slices.Equal(slices.Collect(s.All()), c.Out) {
			t.Errorf("ParseSet(%q) = %v, %v, want %v", c.In, s, err, c.Out)
		}
	}
}

// checkUnknownCaches checks that a cache without size is there, unknown, and that one
// which claims CPUs that have their own isn't.
func checkUnknownCaches(t *testing.T, m *Machine) {
	t.Helper()
	var got []string
	for _, c := range m.Caches {
		got = append(got, c.String())
	}
	want := []string{"L1d of 0", "L3 8 MiB of 0-1,3"}
	if !slices.Equal(got, want) {
		t.Errorf("caches %q, want %q", got, want)
	}
	if size, ok := m.CacheSize(0, 1); ok || size != 0 {
		t.Errorf("CacheSize(0, 1) = %d, %v, want unknown", size, ok)
	}
}

func checkFeatures(t *testing.T, name string) {
	t.Helper()
	var cases []struct {
		Name    string
		MaxLeaf *uint32 `json:"max_leaf"`
		ECX     string  `json:"leaf1_ecx"`
		XCR0    *string
		EBX     string `json:"leaf7_ebx"`
		Expect  map[string]bool
		Kernels *bool `json:"fma_avx2_kernels"`
	}
	topologytest.ReadJSON(t, name, &cases)
	for _, c := range cases {
		number := func(text string) uint64 {
			n, err := strconv.ParseUint(text, 0, 64)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		maxLeaf := uint32(7)
		if c.MaxLeaf != nil {
			maxLeaf = *c.MaxLeaf
		}
		cpuid := func(leaf, sub uint32) [4]uint32 {
			switch {
			case leaf == 0:
				return [4]uint32{eax: maxLeaf}
			case leaf == 1:
				return [4]uint32{ecx: uint32(number(c.ECX))}
			case leaf == 7 || leaf > maxLeaf && leaf < 1<<31: // above the limit Intel repeats
				return [4]uint32{ebx: uint32(number(c.EBX))}
			}
			return [4]uint32{}
		}
		xgetbv := func() uint64 {
			if c.XCR0 == nil {
				t.Errorf("%s: XGETBV was run", c.Name)
				return 0
			}
			return number(*c.XCR0)
		}
		got := dumpCPUID(cpuid, xgetbv).features()
		for feature, want := range c.Expect {
			if has := slices.Contains(got, feature); has != want {
				t.Errorf("%s: %s is %v, want %v", c.Name, feature, has, want)
			}
		}
		if both := slices.Contains(got, "fma") && slices.Contains(got, "avx2"); c.Kernels != nil && both != *c.Kernels {
			t.Errorf("%s: FMA and AVX2 are %v, want %v", c.Name, both, *c.Kernels)
		}
	}
}

// checkCacheSizes reads sizes as sysfs would print them.
func checkCacheSizes(t *testing.T, name string) {
	t.Helper()
	var cases []struct {
		Name string
		L1d  *int
		L2   *int
		L3   *int
	}
	topologytest.ReadJSON(t, name, &cases)
	for _, c := range cases {
		files := fstest.MapFS{"sys/devices/system/cpu/cpu0/topology/thread_siblings_list": {Data: []byte("0\n")}}
		sizes := []*int{c.L1d, c.L2, c.L3}
		for i, size := range sizes {
			if size == nil {
				continue
			}
			dir := "sys/devices/system/cpu/cpu0/cache/index" + string(rune('0'+i)) + "/"
			files[dir+"level"] = &fstest.MapFile{Data: []byte{byte('1' + i)}}
			files[dir+"type"] = &fstest.MapFile{Data: []byte("Unified\n")}
			files[dir+"shared_cpu_list"] = &fstest.MapFile{Data: []byte("0\n")}
			text, _ := json.Marshal(*size / 1024)
			if *size < 0 {
				text, _ = json.Marshal(*size)
			}
			files[dir+"size"] = &fstest.MapFile{Data: append(text, "K\n"...)}
		}
		m, err := Read(files, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, size := range sizes {
			want := 0
			if size != nil {
				want = max(*size, 0)
			}
			got, ok := m.CacheSize(0, i+1)
			if got != want || ok != (want > 0) {
				t.Errorf("%s: L%d is %d, %v, want %d", c.Name, i+1, got, ok, want)
			}
		}
	}
}

func checkPerfLevels(t *testing.T, name string) {
	t.Helper()
	var cases []struct {
		Name       string
		Sysctl     map[string]int
		Expect     *struct{ Performance, Efficient, Threads int }
		MinWorkers int `json:"expect_min_workers"`
	}
	topologytest.ReadJSON(t, name, &cases)
	for _, c := range cases {
		m := macMachine(func(name string) (int, bool) {
			n, ok := c.Sysctl[name]
			return n, ok
		})
		checkConsistent(t, m)
		if m.Workers() < max(1, c.MinWorkers) {
			t.Errorf("%s: %d workers", c.Name, m.Workers())
		}
		if c.Expect == nil {
			continue
		}
		cores := make([]int, 2) // of the fastest class and of the others
		for _, core := range m.Cores {
			cpu, _ := m.CPU(core.CPUs.Min())
			cores[min(1, len(m.Classes)-1-cpu.Class)]++
		}
		if cores[0] != c.Expect.Performance || cores[1] != c.Expect.Efficient || len(m.CPUs) != c.Expect.Threads {
			t.Errorf("%s: %d performance cores, %d efficient ones, %d threads, want %+v",
				c.Name, cores[0], cores[1], len(m.CPUs), *c.Expect)
		}
	}
}
