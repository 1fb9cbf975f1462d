package topology

import "fmt"

// macMachine makes a machine of what sysctl tells on macOS, where get returns a
// number by its name. CPUs have no ids there; the slowest level is assumed to come
// first. A level without CPUs, or one that's missing, has none.
func macMachine(get func(name string) (int, bool)) *Machine {
	number := func(names ...string) int {
		for _, name := range names {
			if n, ok := get(name); ok && n > 0 {
				return n
			}
		}
		return 0
	}
	cpus := min(max(1, number("hw.logicalcpu", "hw.ncpu")), maxID)
	memory, _ := get("hw.memsize")
	m := &Machine{Memory: uint64(max(memory, 0)), Guess: true}

	var levels []string
	for l := min(number("hw.nperflevels"), 8) - 1; l >= 0; l-- {
		levels = append(levels, fmt.Sprintf("hw.perflevel%d.", l))
	}
	sum := 0
	for _, level := range levels {
		sum += number(level+"logicalcpu", level+"physicalcpu")
	}
	if sum < cpus || sum > maxID { // there are none, or they don't add up
		levels = []string{"hw."}
	}
	next := 0
	for _, level := range levels {
		n, cores := number(level+"logicalcpu", level+"physicalcpu"), number(level+"physicalcpu")
		if level == "hw." {
			n = cpus
		}
		if cores == 0 || n%cores != 0 {
			cores = n
		}
		class := Class{Source: "hw.perflevel; capacity: assumed"}
		for ; cores > 0; cores-- {
			var core Core
			core.CPUs.addRange(next, next+n/cores-1)
			class.CPUs.or(core.CPUs)
			m.Cores = append(m.Cores, core)
			next += n / cores
			n -= n / cores
		}
		if class.CPUs.IsEmpty() {
			continue
		}
		m.Classes = append(m.Classes, class)
		add := func(level int, kind CacheKind, size, sharers int) {
			for first := class.CPUs.Min(); size > 0 && first <= class.CPUs.Max(); first += sharers {
				c := Cache{Level: level, Kind: kind, Size: size, Line: number("hw.cachelinesize")}
				c.CPUs.addRange(first, min(first+sharers-1, class.CPUs.Max()))
				m.Caches = append(m.Caches, c)
			}
		}
		threads := m.Cores[len(m.Cores)-1].CPUs.Len()
		add(1, DataCache, number(level+"l1dcachesize"), threads)
		add(1, InstructionCache, number(level+"l1icachesize"), threads)
		add(2, UnifiedCache, number(level+"l2cachesize"), max(threads, number(level+"cpusperl2")))
		add(3, UnifiedCache, number(level+"l3cachesize"), max(class.CPUs.Len(), number(level+"cpusperl3")))
	}
	for i := range m.Classes {
		m.Classes[i].Capacity = 1024 >> (len(m.Classes) - 1 - i) // nothing tells how fast a level is
	}
	m.complete()
	return m
}
