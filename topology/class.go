package topology

import (
	"cmp"
	"slices"
)

// A coreKind is what a processor calls a core, by rising performance.
type coreKind int

const (
	anyCore coreKind = iota // not a hybrid processor
	lowPowerCore
	efficientCore
	performanceCore
)

// nominal is the capacity assumed for a kind where nothing tells how fast it is.
var nominal = [...]int{anyCore: 1024, lowPowerCore: 256, efficientCore: 512, performanceCore: 1024}

// noSource is the source of the only class.
const noSource = "nothing tells the cores apart"

// pmuFiles hold the CPUs of each kind: Linux has a performance monitoring unit for
// each kind of core of a hybrid processor.
var pmuFiles = [...]string{
	lowPowerCore:    "sys/devices/cpu_lowpower/cpus",
	efficientCore:   "sys/devices/cpu_atom/cpus",
	performanceCore: "sys/devices/cpu_core/cpus",
}

// readClasses sorts the cores into classes: by the kind that the processor names, then
// by how fast they are.
func (r *reader) readClasses() {
	m := r.m
	kinds, kindSource := r.coreKinds()
	speeds, speedSource := r.coreSpeeds(kindSource != "")
	if speedSource == "" {
		speeds = make([]int, len(m.Cores))
		for i, k := range kinds {
			speeds[i] = nominal[k]
		}
	}
	source := speedSource
	switch {
	case kindSource != "" && speedSource != "":
		source = kindSource + "; capacity: " + speedSource
	case kindSource != "":
		source = kindSource + "; capacity: assumed"
	case speedSource == "":
		source = noSource
	}

	order := make([]int, len(m.Cores))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(kinds[a], kinds[b]), cmp.Compare(speeds[a], speeds[b]))
	})
	fastest := make([]int, 0, 4) // core of each class
	for i, core := range order {
		if i == 0 || kinds[core] != kinds[order[i-1]] || apart(speeds[order[i-1]], speeds[core]) {
			m.Classes = append(m.Classes, Class{Source: source})
			fastest = append(fastest, core)
		}
		class := len(m.Classes) - 1
		fastest[class] = core
		m.Classes[class].CPUs.or(m.Cores[core].CPUs)
		for id := range m.Cores[core].CPUs.All() {
			r.cpu(id).Class = class
		}
	}
	// A class is at most as fast as the next, even where the figures disagree with the
	// kinds.
	limit := 1024
	for class := len(m.Classes) - 1; class >= 0; class-- {
		share := float64(speeds[fastest[class]]) / float64(slices.Max(speeds))
		limit = max(1, min(limit, int(1024*share+0.5)))
		m.Classes[class].Capacity = limit
	}
	m.Classes[len(m.Classes)-1].Capacity = 1024
}

// apart reports whether a slower and a faster core are of different classes. Cores of
// one design are clocked a little differently: the best of a chip by 4 %.
func apart(slower, faster int) bool { return float64(slower) < 0.875*float64(faster) }

// coreKinds returns the kind of each core and where it is from, or "".
func (r *reader) coreKinds() (kinds []coreKind, source string) {
	m := r.m
	kinds = make([]coreKind, len(m.Cores))
	for kind, name := range pmuFiles {
		if name == "" {
			continue
		}
		cpus, _ := r.list(name)
		for id := range cpus.All() {
			if c := r.cpu(id); c != nil {
				kinds[c.Core] = coreKind(kind)
				source = "cpu_core and cpu_atom"
			}
		}
	}
	if source == "" {
		if any, ok := r.cpuid(&r.files, anyCPU); ok && any.hybrid() {
			source = "CPUID"
			for i, core := range m.Cores {
				if dump, ok := r.cpuid(&r.files, core.CPUs.Min()); ok {
					kinds[i] = dump.kind()
				}
			}
		}
	}
	if source != "" && slices.Contains(kinds, anyCore) {
		return make([]coreKind, len(m.Cores)), "" // known of some cores only
	}
	return kinds, source
}

// coreSpeeds returns a figure for the speed of each core, and where it is from: the
// first source that tells the cores apart, or "" if none does. hybrid is whether they
// are of several kinds anyhow.
func (r *reader) coreSpeeds(hybrid bool) (speeds []int, source string) {
	r.alike = !hybrid
	differ := func(values []int) bool {
		slowest, fastest := slices.Min(values), slices.Max(values)
		if slowest < 1 {
			return false
		}
		r.alike = r.alike && slowest == fastest
		if hybrid {
			return slowest < fastest
		}
		sorted := slices.Sorted(slices.Values(values))
		for i := range sorted[1:] {
			if apart(sorted[i], sorted[i+1]) {
				return true
			}
		}
		return false
	}
	capacities, ok := r.speeds("cpu_capacity")
	if ok && differ(capacities) {
		return capacities, "cpu_capacity"
	}
	if ok && r.m.large() {
		return nil, ""
	}
	frequencies, ok := r.speeds("cpufreq/cpuinfo_max_freq")
	if !ok || !differ(frequencies) {
		return nil, ""
	}
	// Performance says more than frequency. It is asked for late, since the firmware may
	// take a millisecond for each answer.
	performance, ok := r.speeds("acpi_cppc/highest_perf")
	if ok && differ(performance) {
		return performance, "acpi_cppc/highest_perf"
	}
	return frequencies, "cpufreq/cpuinfo_max_freq"
}

// speeds returns the number in a file of each core or, on a large machine, of each
// package's first core for all of the package: no processor of so many CPUs has cores
// of several kinds.
func (r *reader) speeds(name string) ([]int, bool) {
	m := r.m
	if !m.large() {
		return r.perCore(name)
	}
	values := make([]int, len(m.Cores))
	for _, pkg := range m.Packages {
		speed, ok := r.number(cpuFolder(pkg.CPUs.Min()) + name)
		if !ok {
			return nil, false
		}
		for id := range pkg.CPUs.All() {
			values[r.cpu(id).Core] = speed
		}
	}
	return values, true
}
