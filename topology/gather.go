package topology

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"
)

// An archive is a text that holds the files of a tree:
//
//	numateam topology
//	arch amd64
//	affinity 0-3
//	-- sys/devices/system/cpu/online --
//	0-3
//	…
//
// It can be read as a txtar archive.
const archiveTitle = "numateam topology"

// gathered are the files that an archive has: those that Read uses, and their like that
// hwloc reads. A # stands for any number; a name that ends in one is a folder, noted as
// an empty file if nothing in it is gathered.
var gathered = slices.Concat(
	each("sys/devices/system/cpu/", "online", "possible", "present", "kernel_max"),
	each("sys/devices/system/cpu/cpu#/", "online", "cpu_capacity", "acpi_cppc/highest_perf",
		"cpufreq/cpuinfo_max_freq", "cpufreq/base_frequency"),
	each("sys/devices/system/cpu/cpu#/topology/", "core_id", "physical_package_id", "die_id", "cluster_id",
		"core_cpus", "core_cpus_list", "thread_siblings", "thread_siblings_list", "cluster_cpus", "cluster_cpus_list",
		"die_cpus", "die_cpus_list", "package_cpus", "package_cpus_list", "core_siblings", "core_siblings_list"),
	each("sys/devices/system/cpu/cpu#/cache/index#/", "level", "type", "size", "coherency_line_size",
		"ways_of_associativity", "number_of_sets", "physical_line_partition", "shared_cpu_list", "shared_cpu_map"),
	each("sys/devices/system/node/", "online", "possible"),
	each("sys/devices/system/node/node#/", "cpulist", "cpumap", "distance",
		"access0/initiators/node#", "access1/initiators/node#",
		"memory_side_cache/index#/size", "memory_side_cache/index#/line_size"),
	pmuFiles[lowPowerCore:],
	[]string{"sys/devices/system/cpu/cpu#"}, // on very old systems these have none of the above
)

func each(folder string, names ...string) []string {
	for i := range names {
		names[i] = folder + names[i]
	}
	return names
}

// Gather writes what [Detect] reads of the running machine into one text, which
// [ReadArchive] reads: for a bug report, or as a test. It has no host names, serial
// numbers, boot ids or process names; what control groups grant is in it, but not their
// names. Linux only; elsewhere the error is errors.ErrUnsupported.
func Gather(w io.Writer) error {
	src, affinity, arch, err := runningSystem()
	if err != nil {
		return err
	}
	defer src.close()
	return gather(w, src, ReadOptions{affinity, arch}, liveCPUID(affinity))
}

func gather(w io.Writer, src source, o ReadOptions, cpuid cpuidFunc) error {
	r := reader{files: files{src: src}, m: &Machine{}}
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s\narch %s\naffinity %v\n", archiveTitle, o.Arch, o.Affinity)
	folders := map[string]bool{} // that the archive has files in
	put := func(name, text string) {
		for dir := path.Dir(name); !folders[dir]; dir = path.Dir(dir) {
			folders[dir] = true
		}
		fmt.Fprintf(b, "-- %s --\n%s", name, text)
		if text != "" {
			b.WriteByte('\n')
		}
	}
	for _, pattern := range gathered {
		for _, name := range r.expand(pattern) {
			if strings.HasSuffix(pattern, "#") {
				if !folders[name] {
					put(name, "")
				}
			} else if text, ok := r.text(name); ok {
				put(name, text)
			}
		}
	}
	// keep puts the lines of a file that have one of the keys.
	keep := func(name string, keys ...string) {
		text, _ := r.text(name)
		var lines []string
		for line := range strings.Lines(text) {
			if slices.ContainsFunc(keys, func(key string) bool { return strings.Contains(line, key) }) {
				lines = append(lines, strings.TrimSpace(line))
			}
		}
		if lines != nil {
			put(name, strings.Join(lines, "\n"))
		}
	}
	for _, name := range append(r.expand("sys/devices/system/node/node#/meminfo"), "proc/meminfo") {
		keep(name, "MemTotal:", "MemFree:")
	}
	keep("proc/self/status", "Cpus_allowed_list:", "Mems_allowed_list:")
	if g := r.readControlGroups(); !g.cpus.IsEmpty() || !g.nodes.IsEmpty() || g.quota > 0 {
		put("proc/mounts", "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0")
		put("proc/self/cgroup", "0::/")
		put("sys/fs/cgroup/cgroup.controllers", "cpuset cpu") // for hwloc
		put("sys/fs/cgroup/cpuset.cpus.effective", g.cpus.String())
		put("sys/fs/cgroup/cpuset.mems.effective", g.nodes.String())
		if g.quota > 0 {
			put("sys/fs/cgroup/cpu.max", fmt.Sprintf("%.0f %s", math.Ceil(g.quota*100000), defaultPeriod))
		}
	}
	for id := range o.Affinity.All() {
		if dump, ok := cpuid(&r.files, id); ok {
			put(fmt.Sprintf("cpuid/cpu%d", id), strings.TrimSpace(dump.text()))
		}
	}
	if r.err != nil {
		return r.err
	}
	return b.Flush()
}

// expand returns the names that a pattern stands for.
func (f *files) expand(pattern string) []string {
	before, after, ok := strings.Cut(pattern, "#")
	if !ok {
		return []string{pattern}
	}
	var names []string
	dir, prefix := path.Split(before)
	ids, _ := f.ids(path.Clean(dir), prefix)
	for id := range ids.All() {
		names = append(names, f.expand(fmt.Sprintf("%s%d%s", before, id, after))...)
	}
	return names
}

// maxName bounds a file's name, as Linux does.
const maxName = 4096

// maxArchive bounds an archive. One of 4,096 CPUs has 30 MB.
const maxArchive = 1 << 28

// ReadArchive describes the machine of an archive that [Gather] has written, as [Read]
// does.
func ReadArchive(r io.Reader) (*Machine, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxArchive))
	if err != nil {
		return nil, fmt.Errorf("topology: archive: %w", err)
	}
	a, o, err := parseArchive(string(data))
	if err != nil {
		return nil, err
	}
	return read(a, o, recordedCPUID)
}

func parseArchive(text string) (archive, ReadOptions, error) {
	var o ReadOptions
	head, rest, _ := strings.Cut("\n"+text, "\n-- ")
	if !strings.HasPrefix(text, archiveTitle+"\n") {
		return archive{}, o, errors.New("topology: not an archive of a machine's files")
	}
	o.Arch = field(head, "arch ")
	affinity := field(head, "affinity ")
	if err := o.Affinity.UnmarshalText([]byte(affinity)); err != nil {
		return archive{}, o, fmt.Errorf("topology: archive: affinity: %q is not a set of ids", clip(affinity))
	}
	a := archive{map[string]string{}, map[string][]string{}}
	for rest != "" {
		var file string
		file, rest, _ = strings.Cut(rest, "\n-- ")
		name, content, ok := strings.Cut(file, " --\n")
		if !ok {
			name, ok = strings.CutSuffix(file, " --")
		}
		if !ok || !fs.ValidPath(name) || name == "." || len(name) > maxName {
			line, _, _ := strings.Cut(file, "\n")
			return archive{}, o, fmt.Errorf("topology: archive: %q is not a file's first line", clip("-- "+line))
		}
		a.add(name, content)
	}
	return a, o, nil
}

// An archive is a source in memory.
type archive struct {
	files   map[string]string
	folders map[string][]string // the names in each
}

func (a archive) add(name, content string) {
	if _, ok := a.files[name]; ok {
		return // the first counts
	}
	a.files[name] = content
	for dir := path.Dir(name); ; name, dir = dir, path.Dir(dir) {
		_, known := a.folders[dir]
		a.folders[dir] = append(a.folders[dir], path.Base(name))
		if known || dir == "." {
			return
		}
	}
}

func (a archive) read(buf []byte, name string) ([]byte, error) {
	text, ok := a.files[name]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return append(buf, text...), nil
}

func (a archive) list(name string) ([]string, error) {
	names, ok := a.folders[name]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return names, nil
}

func (a archive) close() {}
