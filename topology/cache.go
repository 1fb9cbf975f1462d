package topology

import (
	"cmp"
	"slices"
	"strconv"
)

// A cacheFile is a cache as one of its CPUs tells of it.
type cacheFile struct {
	Cache
	folder string
	read   bool // size, line and ways are read
}

// maxCacheIndex bounds the caches of a CPU. Linux has at most 5: two at level 1 and,
// on Itanium, two at level 2.
const maxCacheIndex = 10

// readCaches reads the caches. Firmware is often wrong about them, so that nothing in
// their files is an error: a size that makes no sense is unknown, a cache whose list
// of CPUs is broken belongs to the core that names it, and one that overlaps with
// another of its level and kind is left out.
func (r *reader) readCaches() {
	m := r.m
	if !m.large() || !r.alike || !r.cachesByExample() {
		r.cachesOfEach()
	}
	if len(m.Caches) == 0 {
		r.cachesByCPUID()
	}
	m.orderCaches()
}

// orderCaches puts the caches in order. Of those that overlap with one before of the
// same level and kind nothing remains.
func (m *Machine) orderCaches() {
	slices.SortFunc(m.Caches, func(a, b Cache) int {
		return cmp.Or(a.Level-b.Level, cmp.Compare(a.Kind, b.Kind), a.CPUs.Min()-b.CPUs.Min(), a.CPUs.Len()-b.CPUs.Len(), a.Size-b.Size)
	})
	var taken Set
	for i, c := range m.Caches {
		if i == 0 || c.Level != m.Caches[i-1].Level || c.Kind != m.Caches[i-1].Kind {
			taken = Set{}
		}
		if c.CPUs.Intersects(taken) || !c.CPUs.Within(m.Online) {
			m.Caches[i].CPUs = Set{}
			continue
		}
		taken.or(c.CPUs)
	}
	m.Caches = slices.DeleteFunc(m.Caches, func(c Cache) bool { return c.CPUs.IsEmpty() })
}

// cachesOfEach reads the caches of each core.
func (r *reader) cachesOfEach() {
	m := r.m
	lists := make([][]cacheFile, len(m.Cores))
	parallel(r.src, len(m.Cores), func(f *files, i int) {
		core := m.Cores[i].CPUs
		var shared Set // by all caches seen so far
		for id := range core.All() {
			if shared.Contains(id) {
				continue // as with the core's first CPU
			}
			of := f.cachesOf(id, core, m.Online)
			for j, c := range of {
				if j == 0 {
					shared = c.CPUs
				}
				shared = shared.Intersect(c.CPUs)
			}
			lists[i] = append(lists[i], of...)
		}
	})
	add := r.cacheAdder()
	for _, list := range lists {
		for _, c := range list {
			add(c)
		}
	}
}

// cacheAdder returns a function that adds a cache to the machine, unless it's there or
// contradicts one that is.
func (r *reader) cacheAdder() func(cacheFile) {
	type key struct {
		level int
		kind  CacheKind
	}
	taken := map[key]*Set{}
	return func(c cacheFile) {
		t := taken[key{c.Level, c.Kind}]
		if t == nil {
			t = &Set{}
			taken[key{c.Level, c.Kind}] = t
		}
		if c.CPUs.Intersects(*t) {
			return
		}
		t.or(c.CPUs)
		if !c.read {
			r.cacheShape(&c)
		}
		r.m.Caches = append(r.m.Caches, c.Cache)
	}
}

// cachesOf reads the caches that a CPU names. Size, line and ways are only read for the
// lowest CPU of those that share a cache.
func (f *files) cachesOf(id int, core, online Set) []cacheFile {
	var caches []cacheFile
	for i := range maxCacheIndex {
		c := cacheFile{folder: cpuFolder(id) + "cache/index" + strconv.Itoa(i) + "/"}
		text, ok := f.text(c.folder + "level")
		if !ok {
			if len(caches) > 0 || i > 3 {
				break
			}
			continue
		}
		level, ok := parseID(text)
		kind, isKind := f.cacheKind(c.folder)
		if !ok || level < 1 || level > maxCacheIndex || !isKind {
			continue
		}
		c.Level, c.Kind, c.CPUs = level, kind, f.sharers(c.folder).Intersect(online)
		if !c.CPUs.Contains(id) {
			c.CPUs = core
		}
		if c.CPUs.Equal(core) {
			c.CPUs = core // one bitmap for all
		}
		if c.CPUs.Min() == id {
			f.cacheShape(&c)
		}
		caches = append(caches, c)
	}
	return caches
}

func (f *files) cacheKind(folder string) (CacheKind, bool) {
	text, _ := f.text(folder + "type")
	switch text {
	case "Unified":
		return UnifiedCache, true
	case "Data":
		return DataCache, true
	case "Instruction":
		return InstructionCache, true
	}
	return 0, false
}

// sharers returns the CPUs that share a cache, or the empty set.
func (f *files) sharers(folder string) Set {
	if text, ok := f.text(folder + "shared_cpu_map"); ok {
		s, _ := parseMask(text)
		return s
	}
	text, _ := f.text(folder + "shared_cpu_list")
	s, _ := ParseSet(text)
	return s
}

func (f *files) cacheShape(c *cacheFile) {
	c.read = true
	text, _ := f.text(c.folder + "size")
	c.Size = parseBytes(text)
	text, _ = f.text(c.folder + "coherency_line_size")
	c.Line, _ = parseID(text)
	text, _ = f.text(c.folder + "ways_of_associativity")
	c.Ways, _ = parseID(text)
}

// cachesByExample takes the first core as an example for the others, and reports whether
// that was possible. Opening a file takes microseconds, and a machine of thousands of
// CPUs has a hundred thousand files about caches.
func (r *reader) cachesByExample() bool {
	m := r.m
	first := m.Cores[0].CPUs
	var caches []cacheFile
	for _, example := range r.cachesOf(first.Min(), first, m.Online) {
		index := example.folder[len(cpuFolder(first.Min())):]
		var done Set
		for _, core := range m.Cores {
			c := example
			switch {
			case example.CPUs.Equal(first):
				c.CPUs = core.CPUs
				caches = append(caches, c)
			case example.CPUs.Len() == 1: // one for each CPU of a core
				for id := range core.CPUs.All() {
					c.CPUs = SetOf(id)
					caches = append(caches, c)
				}
			case example.CPUs.Within(first):
				return false
			case !done.Contains(core.CPUs.Min()):
				c.CPUs = r.sharers(cpuFolder(core.CPUs.Min()) + index).Intersect(m.Online)
				if !core.CPUs.Within(c.CPUs) {
					return false
				}
				done.or(c.CPUs)
				caches = append(caches, c)
			}
		}
	}
	add := r.cacheAdder()
	for _, c := range caches {
		add(c)
	}
	return len(caches) > 0
}

// CacheSize returns the size in bytes of a CPU's data or unified cache of a level. It
// is not ok if there's none or its size is unknown.
func (m *Machine) CacheSize(cpu, level int) (size int, ok bool) {
	for _, c := range m.Caches {
		if c.Level == level && c.Kind != InstructionCache && c.CPUs.Contains(cpu) {
			return c.Size, c.Size > 0
		}
	}
	return 0, false
}
