package topology

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/numateam/numateam/topology/topologytest"
)

// An xmlObject is an object of the machine as hwloc writes it.
type xmlObject struct {
	Type         string      `xml:"type,attr"`
	Index        int         `xml:"os_index,attr"`
	CPUs         string      `xml:"cpuset,attr"`
	Allowed      string      `xml:"allowed_cpuset,attr"`
	AllowedNodes string      `xml:"allowed_nodeset,attr"`
	Memory       uint64      `xml:"local_memory,attr"`
	CacheSize    int         `xml:"cache_size,attr"`
	Objects      []xmlObject `xml:"object"`
}

// runHwloc returns what hwloc finds, with all CPUs, allowed or not.
func runHwloc(t *testing.T, env ...string) xmlObject {
	t.Helper()
	path, err := exec.LookPath("hwloc-ls")
	if err != nil {
		topologytest.Missing(t, "needs hwloc-ls (Debian: hwloc)")
	}
	cmd := exec.Command(path, "--of", "xml", "--disallowed", "--no-io")
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var top struct {
		Machine xmlObject `xml:"object"`
	}
	if err := xml.Unmarshal(out, &top); err != nil {
		t.Fatal(err)
	}
	return top.Machine
}

// hwlocSet parses a set as hwloc prints it, such as 0x00000001,0xffffffff.
func hwlocSet(t *testing.T, text string) Set {
	t.Helper()
	var groups []string
	for group := range strings.SplitSeq(text, ",") {
		groups = append(groups, strings.TrimPrefix(group, "0x"))
		if groups[len(groups)-1] == "" {
			groups[len(groups)-1] = "0"
		}
	}
	s, err := parseMask(strings.Join(groups, ","))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// compareHwloc compares a machine with what hwloc found: packages, cores, CPUs, nodes,
// allowed CPUs and nodes, and those caches for which keep answers true.
func compareHwloc(t *testing.T, m *Machine, top xmlObject, keep func(Cache) bool) {
	t.Helper()
	theirs, ours := map[string][]string{}, map[string][]string{}
	add := func(to map[string][]string, what, format string, args ...any) {
		to[what] = append(to[what], fmt.Sprintf(format, args...))
	}
	cache := func(to map[string][]string, c Cache) {
		if keep(c) {
			add(to, "caches", "%s", c)
		}
	}
	var walk func(o xmlObject)
	walk = func(o xmlObject) {
		cpus := hwlocSet(t, o.CPUs)
		switch o.Type {
		case "Package", "Core":
			add(theirs, o.Type, "%v", cpus)
		case "PU":
			add(theirs, o.Type, "%d", o.Index)
		case "NUMANode":
			add(theirs, o.Type, "%d: %v, %d bytes", o.Index, cpus, o.Memory)
		case "L1Cache":
			cache(theirs, Cache{Level: 1, Kind: DataCache, Size: o.CacheSize, CPUs: cpus})
		case "L1iCache":
			cache(theirs, Cache{Level: 1, Kind: InstructionCache, Size: o.CacheSize, CPUs: cpus})
		case "L2Cache", "L3Cache":
			cache(theirs, Cache{Level: int(o.Type[1] - '0'), Size: o.CacheSize, CPUs: cpus})
		}
		for _, child := range o.Objects {
			walk(child)
		}
	}
	walk(top)
	var withMemory Set // a node without any can't be allowed to give some
	for _, n := range m.Nodes {
		if n.Memory > 0 {
			withMemory = withMemory.With(n.ID)
		}
	}
	add(theirs, "allowed", "%v, nodes %v", hwlocSet(t, top.Allowed), hwlocSet(t, top.AllowedNodes).Intersect(withMemory))

	for _, p := range m.Packages {
		add(ours, "Package", "%v", p.CPUs)
	}
	for _, c := range m.Cores {
		add(ours, "Core", "%v", c.CPUs)
	}
	for _, c := range m.CPUs {
		add(ours, "PU", "%d", c.ID)
	}
	for _, n := range m.Nodes {
		add(ours, "NUMANode", "%d: %v, %d bytes", n.ID, n.LocalCPUs, n.Memory)
	}
	for _, c := range m.Caches {
		cache(ours, c)
	}
	add(ours, "allowed", "%v, nodes %v", m.Allowed, m.AllowedNodes.Intersect(withMemory))

	for _, what := range []string{"Package", "Core", "PU", "NUMANode", "caches", "allowed"} {
		slices.Sort(ours[what])
		slices.Sort(theirs[what])
		if !slices.Equal(ours[what], theirs[what]) {
			t.Errorf("%s: %q\nhwloc: %q", what, ours[what], theirs[what])
		}
	}
	t.Logf("%d packages, %d cores, %d CPUs, %d nodes, %d caches alike", len(ours["Package"]), len(ours["Core"]), len(ours["PU"]), len(ours["NUMANode"]), len(ours["caches"]))
}

func TestSameAsHwlocHere(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("Linux only")
	}
	top := runHwloc(t)
	m, err := Detect()
	if err != nil {
		t.Fatal(err)
	}
	_, err = os.Stat("/sys/devices/system/cpu/cpu0/cache")
	compareHwloc(t, m, top, func(c Cache) bool {
		// Without sysfs there is CPUID, but for an emulated program of another kind,
		// and with AMD's older leaves only nothing tells who shares L3.
		return err == nil || runtime.GOARCH == "amd64" && c.Level < 3
	})
}

// guestEnv makes the test binary print the guest's machine instead of testing.
const guestEnv = "NUMATEAM_TOPOLOGY_GUEST"

const guestMark = "\n== detected ==\n"

func TestMain(m *testing.M) {
	if os.Getenv(guestEnv) == "" {
		os.Exit(m.Run())
	}
	err := Gather(os.Stdout)
	if err == nil {
		var live *Machine
		if live, err = Detect(); err == nil {
			text, _ := json.Marshal(live)
			fmt.Printf("%s%s", guestMark, text)
			return
		}
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// TestSameAsHwlocInVirtualMachines gathers the files of guests with several nodes,
// offline CPUs, cpusets and so on, and compares what hwloc and we make of them.
func TestSameAsHwlocInVirtualMachines(t *testing.T) {
	if os.Getenv("NUMATEAM_GUESTS") == "" {
		t.Skip("boots a dozen virtual machines: set NUMATEAM_GUESTS=1, as the step vms of .ci/run does")
	}
	rig := filepath.Join("..", ".ci", "vm", "run")
	runHwloc(t)
	binaries, folder := map[string]string{}, t.TempDir()
	for _, topology := range []string{
		"amd64/uma", "amd64/numa2", "amd64/numa4", "amd64/memonly", "amd64/cpuonly", "amd64/restricted", "amd64/offline",
		"amd64/interleaved", "arm64/biglittle", "arm64/numa4", "arm64/sparse",
	} {
		t.Run(topology, func(t *testing.T) {
			arch, name, _ := strings.Cut(topology, "/")
			if binaries[arch] == "" {
				binaries[arch] = buildTest(t, folder, arch)
			}
			out := guestOutput(t, rig, "--topology", name, "--timeout", "60s", "--env", guestEnv+"=1", "--", binaries[arch])
			gathered, live, _ := strings.Cut(string(out), guestMark)
			m, err := ReadArchive(strings.NewReader(gathered))
			if err != nil {
				t.Fatal(err)
			}
			checkConsistent(t, m)
			recorded, _ := json.Marshal(m)
			if l, r := withoutState(t, []byte(live)), withoutState(t, recorded); l != r {
				t.Errorf("live:\n%s\nfrom the archive:\n%s", l, r)
			}
			a, _, err := parseArchive(gathered)
			if err != nil {
				t.Fatal(err)
			}
			files := tree{}
			for name, data := range a.files {
				f := treeFile{data: data}
				if data == "" && strings.Contains(filepath.Base(name), "node") {
					f = treeFile{names: []string{}}
				}
				files.add(name, f)
			}
			dir := unpack(t, files)
			top := runHwloc(t, "HWLOC_FSROOT="+dir, "HWLOC_THISSYSTEM=0", "HWLOC_COMPONENTS=linux,stop")
			compareHwloc(t, m, top, func(Cache) bool { return true })
		})
	}
}

// guestOutput runs a program in a guest. A guest that doesn't boot, status 125, is
// tried again: on a busy host the emulator's clock can come to a standstill.
func guestOutput(t *testing.T, rig string, args ...string) []byte {
	t.Helper()
	for try := 1; ; try++ {
		cmd := exec.Command(rig, args...)
		cmd.WaitDelay = time.Second
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err == nil {
			return out
		}
		if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != 125 || try == 3 {
			t.Fatalf("%v\n%s", err, stderr.String())
		}
	}
}

// buildTest builds this package's test for an architecture.
func buildTest(t *testing.T, folder, arch string) string {
	t.Helper()
	name := filepath.Join(folder, "topology-"+arch)
	cmd := exec.Command("go", "test", "-c", "-o", name, ".")
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+arch, "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return name
}

// withoutState returns a machine's JSON without what changes by itself.
func withoutState(t *testing.T, text []byte) string {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatalf("%v in %q", err, text)
	}
	delete(m, "live")
	for _, n := range m["numa"].(map[string]any)["nodes"].([]any) {
		delete(n.(map[string]any), "free_bytes")
	}
	out, _ := json.Marshal(m)
	return string(out)
}
