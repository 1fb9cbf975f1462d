package bench

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/klauspost/cpuid/v2"

	"github.com/numateam/numateam/asm"
	"github.com/numateam/numateam/bench/mem"
	"github.com/numateam/numateam/topology"
)

// Env is what a figure depends on beside the code: it stands in every file and
// title. It holds nothing that names the machine's owner.
type Env struct {
	Time      time.Time `json:"time"`
	CPU       string    `json:"cpu"`
	OS        string    `json:"os"`
	Arch      string    `json:"arch"`
	Kernel    string    `json:"kernel,omitempty"` // release of the operating system's kernel
	Go        string    `json:"go"`
	ISA       string    `json:"isa"`
	Revision  string    `json:"revision,omitempty"` // of this source, where the build knows it
	CPUs      int       `json:"cpus"`               // allowed
	Cores     int       `json:"cores"`              // with an allowed CPU
	Packages  int       `json:"packages"`
	Nodes     int       `json:"nodes"`
	Caches    []Level   `json:"caches"` // data and unified ones
	Memory    uint64    `json:"memory_bytes,omitempty"`
	Governor  string    `json:"governor,omitempty"`
	HugePages string    `json:"huge_pages,omitempty"` // transparent: always, madvise or never
	Load      string    `json:"load,omitempty"`       // averages over 1, 5 and 15 minutes at the start
}

// A Level is a cache as a CPU sees it.
type Level struct {
	Level int   `json:"level"`
	Bytes int64 `json:"bytes"`
	Count int   `json:"count"` // how many of them the allowed CPUs have
}

// Describe returns the environment of a measurement on m now.
func Describe(m *topology.Machine) Env {
	e := Env{
		Time: time.Now().UTC().Truncate(time.Second), CPU: cpuName(), OS: runtime.GOOS, Arch: runtime.GOARCH,
		Kernel: firstLine("/proc/sys/kernel/osrelease"), Go: runtime.Version(), ISA: asm.Active().String(),
		CPUs: m.Allowed.Len(), Nodes: len(m.Nodes), Memory: m.Memory,
		Governor:  firstLine("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
		HugePages: chosen(firstLine("/sys/kernel/mm/transparent_hugepage/enabled")),
		Load:      strings.Join(firstFields("/proc/loadavg", 3), " "),
	}
	for _, core := range m.Cores {
		if !core.CPUs.Intersect(m.Allowed).IsEmpty() {
			e.Cores++
		}
	}
	for _, p := range m.Packages {
		if !p.CPUs.Intersect(m.Allowed).IsEmpty() {
			e.Packages++
		}
	}
	e.Caches = levels(m)
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				e.Revision = s.Value
			}
		}
	}
	return e
}

// levels returns the data and unified caches by level. Where sizes differ, as on
// hybrid machines, it's the largest.
func levels(m *topology.Machine) []Level {
	var found []Level
	for _, c := range m.Caches {
		if c.Kind == topology.InstructionCache || c.Size == 0 || c.CPUs.Intersect(m.Allowed).IsEmpty() {
			continue
		}
		if len(found) == 0 || found[len(found)-1].Level != c.Level {
			found = append(found, Level{Level: c.Level})
		}
		last := &found[len(found)-1]
		last.Bytes = max(last.Bytes, int64(c.Size))
		last.Count++
	}
	return found
}

// LastLevelCaches returns the sizes of the last-level caches that the CPUs share.
// One that a core has to itself, on a machine with several, isn't the last: many
// virtual machines hide the one behind it.
func LastLevelCaches(m *topology.Machine, cpus topology.Set) []int64 {
	var sizes []int64
	var seen topology.Set
	for cpu := range cpus.All() {
		if c, ok := m.LLC(cpu); ok && !seen.Contains(cpu) {
			if one, _ := m.CPU(cpu); len(m.Cores) > 1 && c.CPUs.Difference(m.Cores[one.Core].CPUs).IsEmpty() {
				continue
			}
			seen = seen.Union(c.CPUs)
			sizes = append(sizes, int64(c.Size))
		}
	}
	return sizes
}

// cpuName returns the CPU's name as the kernel tells it, or as the CPU does,
// and what tells its generation: virtual machines often say "AMD EPYC" and no
// more.
func cpuName() string {
	name := strings.Join(strings.Fields(cpuid.CPU.BrandName), " ")
	data, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(data)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			name = strings.TrimSpace(value)
			break
		}
	}
	switch {
	case name == "":
		return runtime.GOARCH
	case cpuid.CPU.Family == 0:
		return name
	}
	return fmt.Sprintf("%s (family %d model %d)", name, cpuid.CPU.Family, cpuid.CPU.Model)
}

// Title describes the machine in one line, short enough for a plot.
func (e Env) Title() string {
	nodes := ""
	if e.Nodes > 1 {
		nodes = fmt.Sprintf(", %d nodes", e.Nodes)
	}
	return fmt.Sprintf("%s, %s%s, %s/%s, %s, %s", e.CPU, count(e.CPUs, "CPU"), nodes, e.OS, e.Arch, e.ISA, e.Go)
}

// String describes the environment in a few lines of at most 80 columns.
func (e Env) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", e.Title())
	fmt.Fprintf(&b, "%s, %s, %s", count(e.Cores, "core"), count(e.Packages, "package"), count(e.Nodes, "node"))
	for _, c := range e.Caches {
		fmt.Fprintf(&b, ", %d x L%d %s", c.Count, c.Level, mem.Text(c.Bytes))
	}
	if e.Memory > 0 {
		fmt.Fprintf(&b, ", memory %s", mem.Text(int64(e.Memory)))
	}
	sep := "\n"
	for _, kv := range [][2]string{{"kernel", e.Kernel}, {"governor", e.Governor}, {"huge pages", e.HugePages}, {"load", e.Load}} {
		if kv[1] != "" {
			fmt.Fprintf(&b, "%s%s %s", sep, kv[0], kv[1])
			sep = ", "
		}
	}
	return b.String()
}

// count writes a number with what it counts: "1 node", "2 nodes".
func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// writeConfig writes the environment in Go's benchmark format. What two runs may be
// compared across is a remark: benchstat puts runs whose keys differ in separate tables.
func (e Env) writeConfig(w io.Writer) {
	fmt.Fprintf(w, "goos: %s\ngoarch: %s\npkg: github.com/numateam/numateam/bench\ncpu: %s\n", e.OS, e.Arch, e.CPU)
	fmt.Fprintf(w, "cpus: %d\nnodes: %d\n", e.CPUs, e.Nodes)
	for _, kv := range [][2]string{
		{"go", e.Go}, {"isa", e.ISA}, {"kernel", e.Kernel}, {"governor", e.Governor}, {"load", e.Load}, {"revision", e.Revision},
	} {
		if kv[1] != "" {
			fmt.Fprintf(w, "# %s: %s\n", kv[0], kv[1])
		}
	}
}

func firstLine(file string) string {
	data, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(data), "\n")
	return line
}

func firstFields(file string, n int) []string {
	fields := strings.Fields(firstLine(file))
	return fields[:min(n, len(fields))]
}

// chosen returns the word in brackets: "always [madvise] never".
func chosen(line string) string {
	_, rest, _ := strings.Cut(line, "[")
	word, _, _ := strings.Cut(rest, "]")
	return word
}
