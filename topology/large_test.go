package topology

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// largeMachine writes the files of a machine of nodes*cores*2 CPUs: as many packages as
// nodes, the second CPU of each core numbered after all first ones, caches L1d, L1i and
// L2 of each core and an L3 of every 8 cores.
func largeMachine(t testing.TB, nodes, cores int) (dir string, cpus int) {
	t.Helper()
	files := tree{}
	put := func(name, format string, args ...any) {
		files.add(name, treeFile{data: fmt.Sprintf(format, args...) + "\n"})
	}
	half := nodes * cores
	both := func(first, n int) string {
		return fmt.Sprintf("%d-%d,%d-%d", first, first+n-1, half+first, half+first+n-1)
	}
	mask := func(list string) string {
		words := mustParseSet(t, list).Words()
		var groups []string
		for i := range 2 * half / 32 {
			g := uint64(0)
			if i/2 < len(words) {
				g = words[i/2] >> (32 * (i % 2)) & 0xffffffff
			}
			groups = append([]string{fmt.Sprintf("%08x", g)}, groups...)
		}
		return strings.Join(groups, ",")
	}
	put("sys/devices/system/cpu/online", "0-%d", 2*half-1)
	put("sys/devices/system/cpu/present", "0-%d", 2*half-1)
	put("sys/devices/system/node/online", "0-%d", nodes-1)
	put("proc/meminfo", "MemTotal: %d kB\nMemFree: %d kB", nodes<<25, nodes<<24)
	for n := range nodes {
		folder := nodeFolder(n)
		put(folder+"cpulist", "%s", both(n*cores, cores))
		put(folder+"meminfo", "Node %d MemTotal: %d kB\nNode %d MemFree: %d kB", n, 1<<25, n, 1<<24)
		row := strings.Repeat("20 ", nodes)
		put(folder+"distance", "%s10%s", row[:3*n], row[3*n+2:])
	}
	for c := range 2 * half {
		core := c % half
		siblings := fmt.Sprintf("%d,%d", core, half+core)
		folder := cpuFolder(c)
		put(folder+"cpufreq/cpuinfo_max_freq", "3500000")
		put(folder+"topology/core_cpus_list", "%s", siblings)
		put(folder+"topology/package_cpus_list", "%s", both(core/cores*cores, cores))
		put(folder+"topology/die_cpus_list", "%s", both(core/cores*cores, cores))
		put(folder+"topology/cluster_cpus_list", "%s", siblings)
		put(folder+"topology/physical_package_id", "%d", core/cores)
		put(folder+"topology/core_id", "%d", core%cores)
		for i, cache := range []struct {
			level int
			kind  string
			size  string
		}{{1, "Data", "48K"}, {1, "Instruction", "32K"}, {2, "Unified", "2048K"}, {3, "Unified", "32768K"}} {
			folder := fmt.Sprintf("%scache/index%d/", folder, i)
			list := siblings
			if cache.level == 3 {
				list = both(core/8*8, 8)
			}
			put(folder+"level", "%d", cache.level)
			put(folder+"type", "%s", cache.kind)
			put(folder+"size", "%s", cache.size)
			put(folder+"coherency_line_size", "64")
			put(folder+"ways_of_associativity", "16")
			put(folder+"shared_cpu_list", "%s", list)
			put(folder+"shared_cpu_map", "%s", mask(list))
		}
	}
	return unpack(t, files), 2 * half
}

// TestLargeMachine checks that taking cores as examples for others finds the same as
// reading them all.
func TestLargeMachine(t *testing.T) {
	if testing.Short() {
		t.Skip("writes thousands of files")
	}
	dir, cpus := largeMachine(t, 4, 72)
	m, err := Read(os.DirFS(dir), nil)
	if err != nil {
		t.Fatal(err)
	}
	checkConsistent(t, m)
	if len(m.CPUs) != cpus || len(m.Cores) != 288 || len(m.Packages) != 4 || len(m.Nodes) != 4 || len(m.Caches) != 3*288+36 {
		t.Fatalf("%d CPUs, %d cores, %d packages, %d nodes, %d caches", len(m.CPUs), len(m.Cores), len(m.Packages), len(m.Nodes), len(m.Caches))
	}
	if !m.large() {
		t.Fatal("the machine isn't large")
	}
	// A slower package makes the cores differ, so that all caches are read.
	name := filepath.Join(dir, cpuFolder(216), "cpufreq/cpuinfo_max_freq")
	if err := os.WriteFile(name, []byte("2000000\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	each, err := Read(os.DirFS(dir), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(each.Classes) != 2 {
		t.Errorf("%d classes, want 2", len(each.Classes))
	}
	a, _ := json.Marshal(m.Caches)
	b, _ := json.Marshal(each.Caches)
	if string(a) != string(b) {
		t.Errorf("caches by example:\n%s\nof each core:\n%s", a, b)
	}
}

// BenchmarkReadLarge reads a machine of 4,096 CPUs and 64 nodes from a folder.
func BenchmarkReadLarge(b *testing.B) {
	dir, cpus := largeMachine(b, 64, 32)
	root := os.DirFS(dir)
	for b.Loop() {
		m, err := Read(root, nil)
		if err != nil || len(m.CPUs) != cpus || len(m.Nodes) != 64 || len(m.Caches) != 3*2048+256 {
			b.Fatal(m, err)
		}
	}
}

// hwlocProgram prints how long hwloc_topology_load takes, in ns, once for each line that
// it reads.
const hwlocProgram = `
#include <hwloc.h>
#include <stdio.h>
#include <time.h>
int main(void) {
	while (getchar() != EOF) {
		struct timespec a, b;
		hwloc_topology_t t;
		clock_gettime(CLOCK_MONOTONIC, &a);
		hwloc_topology_init(&t);
		if (hwloc_topology_load(t)) return 1;
		clock_gettime(CLOCK_MONOTONIC, &b);
		hwloc_topology_destroy(t);
		printf("%ld\n", (b.tv_sec-a.tv_sec)*1000000000L + b.tv_nsec-a.tv_nsec);
		fflush(stdout);
	}
}
`

// BenchmarkDetect measures Detect and, in turn with it, hwloc_topology_load where gcc
// and libhwloc are installed: ns/op is the former, hwloc-ns the median of the latter.
func BenchmarkDetect(b *testing.B) {
	load := startHwloc(b)
	var ours, theirs []time.Duration
	for b.Loop() {
		start := time.Now()
		if _, err := Detect(); err != nil {
			b.Fatal(err)
		}
		ours = append(ours, time.Since(start))
		b.StopTimer()
		if load != nil {
			theirs = append(theirs, load())
		}
		b.StartTimer()
	}
	median := func(d []time.Duration) float64 {
		slices.Sort(d)
		return float64(d[len(d)/2].Nanoseconds())
	}
	b.ReportMetric(median(ours), "median-ns")
	if load != nil {
		b.ReportMetric(median(theirs), "hwloc-median-ns")
		b.ReportMetric(median(ours)/median(theirs), "of-hwloc")
	}
}

// startHwloc returns a function that lets hwloc load the machine once, or nil.
func startHwloc(b *testing.B) func() time.Duration {
	program := filepath.Join(b.TempDir(), "load")
	cc := exec.Command("gcc", "-O2", "-x", "c", "-o", program, "-", "-lhwloc")
	cc.Stdin = strings.NewReader(hwlocProgram)
	if cc.Run() != nil {
		return nil
	}
	cmd := exec.Command(program)
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { in.Close(); cmd.Wait() })
	return func() time.Duration {
		var ns int64
		if _, err := in.Write([]byte("x")); err != nil {
			b.Fatal(err)
		}
		if _, err := fmt.Fscan(out, &ns); err != nil {
			b.Fatal(err)
		}
		return time.Duration(ns)
	}
}
