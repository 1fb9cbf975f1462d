package topology

import (
	"cmp"
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// A cpuidDump holds what the CPUID instruction of one x86 CPU tells: eax, ebx, ecx and
// edx by leaf and subleaf, and XCR0 as XGETBV gives it, 0 if that isn't allowed.
type cpuidDump struct {
	leaves map[[2]uint32][4]uint32
	xcr0   uint64
}

// A cpuidFunc returns the dump of a CPU, or of any one.
type cpuidFunc func(f *files, cpu int) (cpuidDump, bool)

const anyCPU = -1

// cpuidLeaves are the leaves that a dump has, if the CPU does.
var cpuidLeaves = [...]uint32{0, 1, 4, 7, 0xb, 0x1a, 0x80000000, 0x80000001, 0x80000005, 0x80000006, 0x8000001d}

// maxSubleaf bounds the subleaves of a leaf.
const maxSubleaf = 10

// dumpCPUID makes a dump with the given instructions.
func dumpCPUID(cpuid func(leaf, sub uint32) [4]uint32, xgetbv func() uint64) cpuidDump {
	d := cpuidDump{leaves: map[[2]uint32][4]uint32{}}
	for _, leaf := range cpuidLeaves {
		// Above the highest leaf, Intel's CPUs repeat the highest.
		if base := leaf &^ 0xffff; leaf > base && leaf > d.reg(base, 0, eax) {
			continue
		}
		for sub := range uint32(maxSubleaf) {
			d.leaves[[2]uint32{leaf, sub}] = cpuid(leaf, sub)
			if leaf != 4 && leaf != 0x8000001d || d.reg(leaf, sub, eax)&0x1f == 0 {
				break // only the leaves about caches have subleaves of use here
			}
		}
	}
	if d.has(1, ecx, 27) { // OSXSAVE: XGETBV is allowed
		d.xcr0 = xgetbv()
	}
	return d
}

const (
	eax = iota
	ebx
	ecx
	edx
)

func (d cpuidDump) reg(leaf, sub uint32, reg int) uint32 {
	return d.leaves[[2]uint32{leaf, sub}][reg]
}

func (d cpuidDump) has(leaf uint32, reg, bit int) bool { return d.reg(leaf, 0, reg)>>bit&1 == 1 }

// hybrid reports whether the processor has several kinds of core.
func (d cpuidDump) hybrid() bool { return d.has(7, edx, 15) }

// kind returns the CPU's kind by leaf 0x1a.
func (d cpuidDump) kind() coreKind {
	switch d.reg(0x1a, 0, eax) >> 24 {
	case 0x20:
		return efficientCore
	case 0x40:
		return performanceCore
	}
	return anyCore
}

// features returns the vector extensions that the CPU has and the system has enabled:
// their registers are lost on a task switch unless XCR0 says that they're saved.
func (d cpuidDump) features() []string {
	const ymm, zmm = 0x6, 0xe6
	avx := d.has(1, ecx, 28) && d.xcr0&ymm == ymm
	avx512 := avx && d.has(7, ebx, 16) && d.xcr0&zmm == zmm
	var names []string
	for _, f := range []struct {
		name string
		has  bool
	}{
		{"sse2", d.has(1, edx, 26)},
		{"avx", avx},
		{"fma", avx && d.has(1, ecx, 12)},
		{"avx2", avx && d.has(7, ebx, 5)},
		{"avx512f", avx512},
		{"avx512dq", avx512 && d.has(7, ebx, 17)},
		{"avx512bw", avx512 && d.has(7, ebx, 30)},
		{"avx512vl", avx512 && d.has(7, ebx, 31)},
	} {
		if f.has {
			names = append(names, f.name)
		}
	}
	return names
}

// apicID returns the number whose upper bits tell which caches CPUs share.
func (d cpuidDump) apicID() uint32 {
	if d.reg(0xb, 0, ebx) != 0 {
		return d.reg(0xb, 0, edx)
	}
	return d.reg(1, 0, ebx) >> 24
}

// caches returns the CPU's caches. The CPUs whose APIC ids are equal but for the given
// number of low bits share one. The leaf is described in Intel's manual, volume 2, and
// for AMD in the APM, volume 3, section E.4.15; both have the same form.
func (d cpuidDump) caches() (caches []Cache, lowBits []int) {
	leaf := uint32(4)
	if d.has(0x80000001, ecx, 22) { // AMD's TopologyExtensions
		leaf = 0x8000001d
	}
	kinds := [...]CacheKind{1: DataCache, 2: InstructionCache, 3: UnifiedCache}
	for sub := range uint32(maxSubleaf) {
		a, b, sets := d.reg(leaf, sub, eax), d.reg(leaf, sub, ebx), uint64(d.reg(leaf, sub, ecx))+1
		kind, level := a&0x1f, int(a>>5&7)
		if kind == 0 {
			break
		}
		if int(kind) >= len(kinds) || level == 0 {
			continue
		}
		line, partitions, ways := int(b&0xfff)+1, int(b>>12&0x3ff)+1, int(b>>22)+1
		c := Cache{Level: level, Kind: kinds[kind], Line: line, Ways: ways}
		if size := uint64(line) * uint64(partitions) * uint64(ways); size <= maxCacheSize/sets {
			c.Size = int(size * sets)
		}
		if a>>9&1 == 1 {
			c.Ways = 0 // fully associative
		}
		caches = append(caches, c)
		lowBits = append(lowBits, bits.Len32(a>>14&0xfff))
	}
	return caches, lowBits
}

// maxCacheSize bounds a cache in bytes: what's above is unknown.
const maxCacheSize = 1 << 30

// oldCaches returns the level 1 and 2 caches by AMD's older leaves. They don't tell
// who shares them, and for L3 they add up a package's: it's left out.
func (d cpuidDump) oldCaches() []Cache {
	l1d, l1i, l2 := d.reg(0x80000005, 0, ecx), d.reg(0x80000005, 0, edx), d.reg(0x80000006, 0, ecx)
	// Fully associative is 255 at level 1 and the code 15 at level 2.
	l1Ways := func(reg uint32) int { return int(reg>>16&0xff) % 0xff }
	l2Ways := [16]int{1: 1, 2: 2, 4: 4, 6: 8, 8: 16, 10: 32, 11: 48, 12: 64, 13: 96, 14: 128}
	caches := []Cache{
		{Level: 1, Kind: DataCache, Size: int(l1d>>24) << 10, Line: int(l1d & 0xff), Ways: l1Ways(l1d)},
		{Level: 1, Kind: InstructionCache, Size: int(l1i>>24) << 10, Line: int(l1i & 0xff), Ways: l1Ways(l1i)},
		{Level: 2, Size: int(l2>>16) << 10, Line: int(l2 & 0xff), Ways: l2Ways[l2>>12&0xf]},
	}
	return slices.DeleteFunc(caches, func(c Cache) bool { return c.Size == 0 })
}

// cachesByCPUID makes caches of what the processor says, where the system says
// nothing: as in some virtual machines.
func (r *reader) cachesByCPUID() {
	type group struct {
		level, lowBits int
		kind           CacheKind
		apic           uint32
	}
	found := map[group]*Cache{}
	for _, cpu := range r.m.CPUs {
		dump, ok := r.cpuid(&r.files, cpu.ID)
		if !ok {
			continue
		}
		caches, lowBits := dump.caches()
		for i, c := range caches {
			g := group{c.Level, lowBits[i], c.Kind, dump.apicID() >> lowBits[i]}
			if found[g] == nil {
				found[g] = &c
			}
			found[g].CPUs.add(cpu.ID)
		}
		if len(caches) == 0 && cpu.SMT == 0 {
			for _, c := range dump.oldCaches() {
				c.CPUs = r.m.Cores[cpu.Core].CPUs
				r.m.Caches = append(r.m.Caches, c)
			}
		}
	}
	for _, c := range found {
		r.m.Caches = append(r.m.Caches, *c)
	}
}

func (r *reader) readFeatures() {
	if dump, ok := r.cpuid(&r.files, anyCPU); ok {
		r.m.Features = dump.features()
	}
}

// recordedCPUID reads the dump of a CPU that [Gather] has put beside the system's files.
func recordedCPUID(f *files, cpu int) (cpuidDump, bool) {
	if cpu == anyCPU {
		ids, _ := f.ids("cpuid", "cpu")
		cpu = ids.Min()
	}
	name := "cpuid/cpu" + strconv.Itoa(cpu)
	text, ok := f.text(name)
	if !ok {
		return cpuidDump{}, false
	}
	d, err := parseCPUID(text)
	if err != nil && f.err == nil {
		f.err = fmt.Errorf("topology: %s: %w", name, err)
	}
	return d, err == nil
}

// text returns the dump as lines "leaf subleaf eax ebx ecx edx" and "xcr0 value", all in
// hexadecimal.
func (d cpuidDump) text() string {
	var b strings.Builder
	keys := slices.SortedFunc(maps.Keys(d.leaves), func(a, b [2]uint32) int { return slices.Compare(a[:], b[:]) })
	for _, k := range keys {
		v := d.leaves[k]
		fmt.Fprintf(&b, "%08x %x %08x %08x %08x %08x\n", k[0], k[1], v[eax], v[ebx], v[ecx], v[edx])
	}
	fmt.Fprintf(&b, "xcr0 %x\n", d.xcr0)
	return b.String()
}

func parseCPUID(text string) (cpuidDump, error) {
	d := cpuidDump{leaves: map[[2]uint32][4]uint32{}}
	for line := range strings.Lines(text) {
		var v [6]uint32
		var err error
		fields := strings.Fields(line)
		if len(fields) == 2 && fields[0] == "xcr0" {
			d.xcr0, err = strconv.ParseUint(fields[1], 16, 64)
		} else if len(fields) == len(v) {
			for i := range v {
				n, e := strconv.ParseUint(fields[i], 16, 32)
				v[i], err = uint32(n), cmp.Or(err, e)
			}
			d.leaves[[2]uint32(v[:2])] = [4]uint32(v[2:])
		} else {
			err = strconv.ErrSyntax
		}
		if err != nil {
			return cpuidDump{}, fmt.Errorf("%q is not a line of CPUID values", clip(strings.TrimSpace(line)))
		}
	}
	return d, nil
}
