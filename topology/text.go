package topology

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// String returns the machine as a tree, with a line for each object; a chain of objects
// that have the same CPUs shares a line. All numbers are OS ids; a CPU that the process
// may not use is in brackets.
//
//	1 package, 8 cores, 12 CPUs, 1 node, 16 GiB
//	Package 0: CPUs 0-11
//	  Node 0 (16 GiB): CPUs 0-11
//	    L3 24 MiB: CPUs 0-11
//	      L2 1280 KiB + L1d 48 KiB + L1i 32 KiB + Core: CPUs 0 1
//	      …
func (m *Machine) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s, %s, %s, %s", count(len(m.Packages), "package"), count(len(m.Cores), "core"),
		count(len(m.CPUs), "CPU"), count(len(m.Nodes), "node"), sizeText(m.Memory))
	if m.Arch != "" {
		fmt.Fprintf(&b, ", %s", m.Arch)
	}
	if m.Guess {
		b.WriteString(" (a guess)")
	}
	b.WriteByte('\n')
	for _, o := range m.tree() {
		m.write(&b, o, 0)
	}
	for i, c := range m.Classes {
		if len(m.Classes) > 1 {
			fmt.Fprintf(&b, "Class %d: CPUs %v, capacity %d (%s)\n", i, c.CPUs, c.Capacity, c.Source)
		}
	}
	return b.String()
}

// An object is a line of the tree. Nodes, caches and clusters are no levels of one
// hierarchy: each object goes into the smallest one that has all its CPUs.
type object struct {
	rank  int // of objects with the same CPUs, the one with the lower rank is the outer one
	name  string
	cpus  Set
	outer *object
	parts []*object
}

const (
	packageRank = iota
	dieRank
	nodeRank
	cacheRank // of the highest level; three more for each level down
	coreRank  = cacheRank + 3*(maxCacheIndex+1)
)

// tree returns the outermost objects.
func (m *Machine) tree() []*object {
	var all, memory []*object
	add := func(rank int, cpus Set, format string, args ...any) {
		all = append(all, &object{rank: rank, name: fmt.Sprintf(format, args...), cpus: cpus})
	}
	for i, p := range m.Packages {
		id := p.ID
		if id < 0 {
			id = i
		}
		add(packageRank, p.CPUs, "Package %d", id)
	}
	for _, d := range m.Dies {
		add(dieRank, d, "Die")
	}
	for _, n := range m.Nodes {
		if name := fmt.Sprintf("Node %d (%s)", n.ID, m.memoryText(n)); n.CPUs.IsEmpty() {
			memory = append(memory, &object{name: name + ", no CPUs"})
		} else {
			add(nodeRank, n.CPUs, "%s", name)
		}
	}
	for _, c := range m.Clusters {
		add(cacheRank+3*(maxCacheIndex-3)+2, c, "Cluster")
	}
	for _, c := range m.Caches {
		add(cacheRank+3*(maxCacheIndex-c.Level)+int(c.Kind), c.CPUs, "%s", c.name())
	}
	for _, c := range m.Cores {
		name := "Core"
		if len(m.Classes) > 1 {
			cpu, _ := m.CPU(c.CPUs.Min())
			name = fmt.Sprintf("Core of class %d", cpu.Class)
		}
		add(coreRank, c.CPUs, "%s", name)
	}
	slices.SortStableFunc(all, func(a, b *object) int {
		return cmp.Or(b.cpus.Len()-a.cpus.Len(), a.rank-b.rank)
	})

	var outermost []*object
	smallest := map[int]*object{} // so far, by CPU
	for _, o := range all {
		o.outer = smallest[o.cpus.Min()]
		for o.outer != nil && !o.cpus.Within(o.outer.cpus) {
			o.outer = o.outer.outer
		}
		if o.outer == nil {
			outermost = append(outermost, o)
		} else {
			o.outer.parts = append(o.outer.parts, o)
		}
		for id := range o.cpus.All() {
			smallest[id] = o
		}
	}
	for _, o := range all {
		slices.SortFunc(o.parts, func(a, b *object) int { return a.cpus.Min() - b.cpus.Min() })
	}
	// Nodes without CPUs hang on the smallest package, die or node around their local
	// CPUs.
	next := 0
	for _, n := range m.Nodes {
		if !n.CPUs.IsEmpty() {
			continue
		}
		o := smallest[n.LocalCPUs.Min()]
		for o != nil && (o.rank > nodeRank || !n.LocalCPUs.Within(o.cpus)) {
			o = o.outer
		}
		if o == nil {
			outermost = append(outermost, memory[next])
		} else {
			o.parts = slices.Insert(o.parts, 0, memory[next])
		}
		next++
	}
	return outermost
}

func (m *Machine) memoryText(n Node) string {
	text := "no memory"
	if n.Memory > 0 {
		text = sizeText(n.Memory)
	}
	for _, c := range m.MemoryCaches {
		if c.Node == n.ID {
			text += " behind " + sizeText(uint64(c.Size))
		}
	}
	if !m.AllowedNodes.Contains(n.ID) {
		text += ", not allowed"
	}
	return text
}

func (m *Machine) write(b *strings.Builder, o *object, depth int) {
	b.WriteString(strings.Repeat("  ", depth))
	b.WriteString(o.name)
	for len(o.parts) == 1 && o.parts[0].cpus.Equal(o.cpus) {
		o = o.parts[0]
		b.WriteString(" + ")
		b.WriteString(o.name)
	}
	switch {
	case o.cpus.IsEmpty():
	case o.rank != coreRank:
		fmt.Fprintf(b, ": CPUs %v", o.cpus)
	default:
		b.WriteString(": CPU")
		if o.cpus.Len() > 1 {
			b.WriteByte('s')
		}
		for id := range o.cpus.All() {
			format := " %d"
			if !m.Allowed.Contains(id) {
				format = " [%d]"
			}
			fmt.Fprintf(b, format, id)
		}
	}
	b.WriteByte('\n')
	for _, part := range o.parts {
		m.write(b, part, depth+1)
	}
}

// String returns what the cache is, as in "L2 1.25 MiB of 0-3".
func (c Cache) String() string { return c.name() + " of " + c.CPUs.String() }

// name returns what the cache is, as in "L1d 32 KiB".
func (c Cache) name() string {
	name := "L" + strconv.Itoa(c.Level)
	switch {
	case c.Kind == InstructionCache:
		name += "i"
	case c.Kind == DataCache:
		name += "d"
	}
	if c.Size > 0 {
		name += " " + sizeText(uint64(c.Size))
	}
	return name
}

// sizeText returns a number of bytes with at least three digits of it.
func sizeText(n uint64) string {
	units := [...]string{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	size, unit := float64(n), 0
	for size >= 1024 && unit < len(units)-1 {
		size /= 1024
		unit++
	}
	digits := 2
	for limit := 10.0; digits > 0 && size >= limit; limit *= 10 {
		digits--
	}
	text := strconv.FormatFloat(size, 'f', digits, 64)
	if digits > 0 {
		text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	}
	return text + " " + units[unit]
}

// count returns a number with what it counts.
func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return strconv.Itoa(n) + " " + what
}
