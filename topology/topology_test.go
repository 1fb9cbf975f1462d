package topology

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
)

// small returns the files of a machine of 4 CPUs, changed by the given ones; an empty
// name's file is removed with "-".
func small(changes map[string]string) fstest.MapFS {
	files := fstest.MapFS{
		"sys/devices/system/cpu/online":          {Data: []byte("0-3\n")},
		"sys/devices/system/node/node0/cpulist":  {Data: []byte("0-3\n")},
		"sys/devices/system/node/node0/distance": {Data: []byte("10\n")},
		"sys/devices/system/node/node0/meminfo":  {Data: []byte("Node 0 MemTotal: 1024 kB\n")},
		"proc/self/status":                       {Data: []byte("Cpus_allowed_list:\t0-3\n")},
		"proc/mounts":                            {Data: []byte("cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n")},
		"proc/self/cgroup":                       {Data: []byte("0::/a/b\n")},
		"sys/fs/cgroup/a/cpuset.cpus.effective":  {Data: []byte("0-2\n")},
		"sys/fs/cgroup/a/b/cpu.max":              {Data: []byte("max 100000\n")},
		"sys/fs/cgroup/a/cpu.max":                {Data: []byte("150000 100000\n")},
	}
	for _, cpu := range []string{"0", "1", "2", "3"} {
		folder := "sys/devices/system/cpu/cpu" + cpu + "/"
		files[folder+"topology/core_cpus_list"] = &fstest.MapFile{Data: []byte(cpu + "\n")}
		files[folder+"topology/package_cpus_list"] = &fstest.MapFile{Data: []byte("0-3\n")}
		files[folder+"cpu_capacity"] = &fstest.MapFile{Data: []byte("1024\n")}
	}
	for name, text := range changes {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return files
}

func TestAllowedIsWhatAllSourcesHaveInCommon(t *testing.T) {
	m, err := Read(small(nil), &ReadOptions{Affinity: SetOf(1, 2, 3)})
	if err != nil {
		t.Fatal(err)
	}
	if m.Allowed.String() != "1-2" || m.Quota != 1.5 || m.Workers() != 2 {
		t.Errorf("allowed %v, quota %v, %d workers", m.Allowed, m.Quota, m.Workers())
	}
	for cpu, want := range map[int]string{0: "outside the affinity mask", 1: "", 3: "outside the cpuset", 4: "no such CPU", -1: "no such CPU"} {
		if got := m.Reason(cpu); got != want {
			t.Errorf("Reason(%d) = %q, want %q", cpu, got, want)
		}
	}
	if _, err := Read(small(nil), &ReadOptions{Affinity: SetOf(3)}); err == nil {
		t.Error("no error though no CPU is left")
	}
}

func TestErrorsNameTheFileAndTheValue(t *testing.T) {
	for name, value := range map[string]string{
		"sys/devices/system/cpu/online":                          "0-x",
		"sys/devices/system/cpu/cpu2/topology/core_cpus_list":    "2,",
		"sys/devices/system/cpu/cpu0/topology/package_cpus_list": "0-99999999999",
		"sys/devices/system/cpu/cpu3/cpu_capacity":               "fast",
		"sys/devices/system/node/node0/cpulist":                  "3-0",
		"sys/devices/system/node/node0/distance":                 "ten",
		"sys/devices/system/node/node0/meminfo":                  "Node 0 MemTotal: much kB",
		"proc/self/status":                                       "Cpus_allowed_list: all",
		"sys/fs/cgroup/a/cpuset.cpus.effective":                  "0-2-4",
		"sys/fs/cgroup/a/b/cpu.max":                              "half 100000",
		"sys/devices/cpu_core/cpus":                              "P",
		"cpuid/cpu0":                                             "1 2 3",
	} {
		_, err := Read(small(map[string]string{name: value}), nil)
		if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), value) {
			t.Errorf("%s with %q: %v", name, value, err)
		}
	}
}

func TestContradictionsHaveOneOutcome(t *testing.T) {
	const cpu = "sys/devices/system/cpu/cpu"
	m, err := Read(small(map[string]string{
		cpu + "1/topology/core_cpus_list":        "0-1", // CPU 0 says that it's alone
		cpu + "2/topology/core_cpus_list":        "3,900",
		cpu + "0/topology/package_cpus_list":     "0-1",
		cpu + "2/topology/package_cpus_list":     "0-3",
		"sys/devices/system/node/node1/cpulist":  "2-5",
		"sys/devices/system/node/node1/distance": "20",
		cpu + "0/cache/index0/level":             "one",
		cpu + "0/cache/index1/level":             "2",
		cpu + "0/cache/index1/type":              "Unified",
		cpu + "0/cache/index1/size":              "big",
		cpu + "0/cache/index1/shared_cpu_list":   "-1",
		cpu + "1/cache/index0/level":             "2",
		cpu + "1/cache/index0/type":              "Unified",
		cpu + "1/cache/index0/size":              "1M",
		cpu + "1/cache/index0/shared_cpu_list":   "0-1",
	}), nil)
	if err != nil {
		t.Fatal(err)
	}
	checkConsistent(t, m)
	var cores, packages, caches []string
	for _, c := range m.Cores {
		cores = append(cores, c.CPUs.String())
	}
	for _, p := range m.Packages {
		packages = append(packages, p.CPUs.String())
	}
	for _, c := range m.Caches {
		caches = append(caches, c.String())
	}
	for what, pair := range map[string][2]string{
		"cores":    {strings.Join(cores, " "), "0 1 2-3"},
		"packages": {strings.Join(packages, " "), "0-1 2-3"},
		"caches":   {strings.Join(caches, " "), "L2 of 0"},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s %q, want %q", what, pair[0], pair[1])
		}
	}
	if n, _ := m.Node(1); !n.CPUs.IsEmpty() {
		t.Errorf("node 1 has CPUs %v, which node 0 has", n.CPUs)
	}
	if _, err := m.Distance(0, 1); err == nil {
		t.Error("a distance though the matrix isn't square")
	}
}

func TestNoFileOutsideTheRootIsRead(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no symbolic links")
	}
	outside := filepath.Join(t.TempDir(), "list")
	if err := os.WriteFile(outside, []byte("0-1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	files := tree{}
	for name, f := range small(nil) {
		if name != "sys/devices/system/node/node0/cpulist" {
			files.add(name, treeFile{data: string(f.Data)})
		}
	}
	files.add("sys/devices/system/node/node0/cpulist", treeFile{link: outside})
	m, err := Read(os.DirFS(unpack(t, files)), nil)
	if err != nil {
		t.Fatal(err)
	}
	if n, _ := m.Node(0); !n.CPUs.IsEmpty() {
		t.Errorf("node 0 has CPUs %v, by a link out of the root", n.CPUs)
	}
}

// errFS refuses everything, as a sandbox does.
type errFS struct{ err error }

func (f errFS) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: f.err}
}

func TestRefusedFilesAreMissing(t *testing.T) {
	for _, refusal := range []error{fs.ErrPermission, fs.ErrNotExist, syscall.EIO} {
		m, err := Read(errFS{refusal}, &ReadOptions{Affinity: SetOf(2, 5)})
		if err != nil || !m.Guess || m.Allowed.String() != "2,5" || len(m.Cores) != 2 || len(m.Nodes) != 1 {
			t.Errorf("%v: %v, %v", refusal, m, err)
		}
		if _, err := Read(errFS{refusal}, nil); !errors.Is(err, errNoCPUs) {
			t.Errorf("%v without an affinity: %v", refusal, err)
		}
	}
}

func TestParse(t *testing.T) {
	m, err := Parse("package:2 node:2:8G core:4 cpu:2")
	if err != nil {
		t.Fatal(err)
	}
	checkConsistent(t, m)
	if len(m.CPUs) != 32 || len(m.Cores) != 16 || len(m.Packages) != 2 || len(m.Nodes) != 4 || m.Nodes[3].Memory != 8<<30 {
		t.Errorf("%v", m)
	}
	for _, d := range [][3]int{{0, 0, 10}, {0, 1, 12}, {1, 2, 20}} {
		if got, err := m.Distance(d[0], d[1]); got != d[2] || err != nil {
			t.Errorf("Distance(%d, %d) = %d, %v", d[0], d[1], got, err)
		}
	}

	m, err = Parse("package:1 l3:1:24M core:4:1024 cpu:2 + l2:2:2M core:4:512")
	if err != nil {
		t.Fatal(err)
	}
	checkConsistent(t, m)
	if len(m.CPUs) != 16 || len(m.Classes) != 2 || m.Classes[0].CPUs.String() != "8-15" || m.Capacity(8) != 512 || m.Capacity(0) != 1024 {
		t.Errorf("%v", m)
	}
	if c, ok := m.LLC(15); !ok || c.Size != 24<<20 || !c.CPUs.Equal(m.Online) {
		t.Errorf("LLC(15) = %v", c)
	}
	if m.Live {
		t.Error("a made-up machine is live")
	}
	for _, bad := range []string{"", "core", "core:0", "cpu:2 core:2", "core:2 core:2", "socket:1", "core:9000", "core:4:2000", "cpu:2:4", "core:1 +"} {
		if m, err := Parse(bad); err == nil {
			t.Errorf("Parse(%q) = %v", bad, m)
		}
	}
}

// TestArchives compares the trees of the archives in testdata with what's beside them.
func TestArchives(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			f, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			m, err := ReadArchive(f)
			if err != nil {
				t.Fatal(err)
			}
			checkConsistent(t, m)
			want, err := os.ReadFile(strings.TrimSuffix(name, ".txt") + ".tree")
			if got := m.String(); err != nil || got != string(want) {
				t.Errorf("%v, got\n%s\nwant\n%s", err, got, want)
			}
		})
	}
	for _, bad := range []string{"", "numateam topology", "numateam topology\naffinity x\n", "numateam topology\n-- /a --\n", "numateam topology\n-- a\n"} {
		if m, err := ReadArchive(strings.NewReader(bad)); err == nil {
			t.Errorf("%q is %v", bad, m)
		}
	}
}

func TestDetectFindsWhereWeRun(t *testing.T) {
	m, err := Detect()
	if err != nil {
		t.Fatal(err)
	}
	checkConsistent(t, m)
	if !m.Live || m.Arch != runtime.GOARCH || m.Workers() < 1 || m.Allowed.IsEmpty() || m.AllowedNodes.IsEmpty() {
		t.Errorf("%+v", m)
	}
	if runtime.GOOS == "linux" && m.Allowed.Len() != runtime.NumCPU() {
		t.Errorf("allowed %v, the runtime counts %d", m.Allowed, runtime.NumCPU())
	}
}

// TestSetLimit: an id that no system has is a mistake, not a reason to take memory.
func TestSetLimit(t *testing.T) {
	if s := SetOf(maxID); s.Max() != maxID || len(s.Words()) != 1024 {
		t.Errorf("%v: %d words", s, len(s.Words()))
	}
	for name, f := range map[string]func(){
		"SetOf(-1)":    func() { SetOf(3, -1) },
		"SetOf(65536)": func() { SetOf(maxID + 1) },
		"SetOf(max)":   func() { SetOf(math.MaxInt) },
		"With(max)":    func() { SetOf(1).With(math.MaxInt) },
	} {
		func() {
			defer func() {
				if text, ok := recover().(string); !ok || !strings.HasPrefix(text, "topology: ") {
					t.Errorf("%s: %q", name, text)
				}
			}()
			f()
		}()
	}
}

func TestCacheKindText(t *testing.T) {
	for k, want := range map[CacheKind]string{UnifiedCache: "unified", InstructionCache: "instruction", -1: "CacheKind(-1)", 9: "CacheKind(9)"} {
		if got := k.String(); got != want {
			t.Errorf("CacheKind %d: %q, want %q", int(k), got, want)
		}
	}
}

// exhausted is a source that has no file descriptors left after so many reads.
type exhausted struct {
	source
	left *int
}

func (s exhausted) read(buf []byte, name string) ([]byte, error) {
	if *s.left--; *s.left < 0 {
		return nil, &fs.PathError{Op: "open", Path: name, Err: syscall.EMFILE}
	}
	return s.source.read(buf, name)
}

// TestNoDescriptors: files that can't be opened for want of descriptors aren't
// missing, wherever that begins.
func TestNoDescriptors(t *testing.T) {
	for reads := 0; ; reads++ {
		left := reads
		m, err := read(exhausted{newSource(small(nil)), &left}, ReadOptions{}, recordedCPUID)
		if left >= 0 && err == nil {
			if reads < 20 {
				t.Errorf("all of the machine in %d reads", reads)
			}
			return
		}
		if err == nil || !errors.Is(err, syscall.EMFILE) || !strings.HasPrefix(err.Error(), "topology: ") {
			t.Fatalf("no descriptors after %d reads: %v, %v", reads, m, err)
		}
	}
}

func TestSetIsAValue(t *testing.T) {
	a := SetOf(1, 70)
	b := a.With(3)
	c := a.Union(SetOf(200))
	if a.String() != "1,70" || b.String() != "1,3,70" || c.String() != "1,70,200" {
		t.Errorf("%v, %v, %v", a, b, c)
	}
	a.Words()[0] = 0
	if !a.Contains(1) || a.Contains(-1) || a.Contains(1<<30) {
		t.Errorf("%v", a)
	}
	if d := c.Difference(SetOf(200)); !d.Equal(a) || d.Max() != 70 || d.Min() != 1 || !a.Within(c) || c.Within(a) {
		t.Errorf("%v", d)
	}
	var s Set
	if text, err := s.MarshalText(); err != nil || len(text) != 0 || s.Max() != -1 || s.Min() != -1 || !s.IsEmpty() {
		t.Errorf("the empty set: %q, %v", text, err)
	}
	if err := s.UnmarshalText([]byte("x")); err == nil || !s.IsEmpty() {
		t.Errorf("%v, %v", s, err)
	}
}
