package topology

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// checkMemory fails a test if f allocates more than a sane machine could need.
func checkMemory(t *testing.T, f func()) {
	t.Helper()
	const limit = 64 << 20
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > limit {
		t.Errorf("%d MiB allocated", n>>20)
	}
}

func FuzzParseSet(f *testing.F) {
	for _, list := range []string{"", "0", "0-3,8\n", "5,3,4", "0-3,2-5", "65535", "65536", "-1", "3-1", "1-", "0-4294967295", "1,,2", "0x1", "+1", "\x00", "0\n\x00", " 1 "} {
		f.Add(list)
	}
	f.Fuzz(func(t *testing.T, list string) {
		s, err := ParseSet(list)
		if err != nil {
			return
		}
		again, err := ParseSet(s.String())
		if err != nil || !again.Equal(s) {
			t.Errorf("%q is %v, which parses as %v, %v", list, s, again, err)
		}
		n, last := 0, -1
		for id := range s.All() {
			if id <= last || !s.Contains(id) {
				t.Errorf("%q: %d after %d", list, id, last)
			}
			n, last = n+1, id
		}
		if n != s.Len() || last != s.Max() || s.Max() > maxID || s.IsEmpty() != (n == 0) {
			t.Errorf("%q: %d ids up to %d, counted %d up to %d", list, s.Len(), s.Max(), n, last)
		}
	})
}

func FuzzParseMask(f *testing.F) {
	for _, mask := range []string{"0", "f\n", "ff,ffffffff", "00000000,000000ff", "1,00000000,00000000", ",", "fffffffff", "-1", "0x1", strings.Repeat("0,", 5000)} {
		f.Add(mask)
	}
	f.Fuzz(func(t *testing.T, mask string) {
		s, err := parseMask(mask)
		if err != nil {
			return
		}
		groups := strings.Split(strings.TrimSpace(strings.TrimRight(mask, "\x00")), ",")
		var want Set
		for i, group := range slices.Backward(groups) {
			v, err := strconv.ParseUint(group, 16, 32)
			if err != nil {
				t.Fatalf("%q: %v", mask, err)
			}
			for bit := range 32 {
				if v>>bit&1 == 1 {
					want = want.With(32*(len(groups)-1-i) + bit)
				}
			}
		}
		if !s.Equal(want) {
			t.Errorf("%q: %v, want %v", mask, s, want)
		}
	})
}

func FuzzParseMeminfo(f *testing.F) {
	for _, text := range []string{"", "MemTotal: 16 kB\nMemFree: 8 kB\n", "Node 3 MemTotal: 16 kB\n", "Node 3 MemTotal:\n", "MemTotal: -1 kB", "MemTotal: 99999999999999999999 kB", "HugePages_Total: 4\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		total, free, err := parseMeminfo(text)
		if err != nil && (total != 0 || free != 0 || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%q: %d, %d, %v", text, total, free, err)
		}
		if total%1024 != 0 || free%1024 != 0 {
			t.Errorf("%q: %d, %d bytes are not whole kB", text, total, free)
		}
	})
}

func FuzzControlGroups(f *testing.F) {
	f.Add("none /cgroup/unified cgroup2 rw 0 0\n", "0::/a/b\n", "/a/b", "0-5", "0", "150000 100000\n")
	f.Add("cgroup /sys/fs/cgroup/cpuset cgroup rw,cpuset 0 0\ncgroup /sys/fs/cgroup/cpu cgroup rw,cpu,cpuacct 0 0\n", "3:cpuset:/x\n4:cpu,cpuacct:/../..\n", "", "1", "1", "-1")
	f.Add("none /dev/cpuset cpuset rw 0 0\n", "", "/dummy", "0-3", "1-4", "max")
	f.Add(`none /a\040b cgroup2 rw 0 0`, "0::", "", "", "", "")
	f.Fuzz(func(t *testing.T, mounts, cgroup, cpuset, cpus, mems, quota string) {
		checkMemory(t, func() {
			src := constantSource{"proc/mounts": mounts, "proc/self/cgroup": cgroup, "proc/self/cpuset": cpuset,
				"cpus": cpus, "mems": mems, "quota": quota}
			r := reader{files: files{src: src}, m: &Machine{}}
			g := r.readControlGroups()
			if g.quota < 0 || g.cpus.Max() > maxID || g.nodes.Max() > maxID {
				t.Errorf("%+v", g)
			}
			if r.err != nil && strings.Contains(r.err.Error(), "\n") {
				t.Errorf("error of several lines: %v", r.err)
			}
		})
	})
}

// A constantSource has the same few contents wherever it's asked.
type constantSource map[string]string

func (s constantSource) read(buf []byte, name string) ([]byte, error) {
	text, ok := s[name]
	switch base := filepath.Base(name); {
	case ok:
	case strings.Contains(base, "mems"):
		text = s["mems"]
	case strings.Contains(base, "quota") || base == "cpu.max" || strings.Contains(base, "period"):
		text = s["quota"]
	case strings.Contains(base, "cpus"):
		text = s["cpus"]
	default:
		return nil, os.ErrNotExist
	}
	return append(buf, text...), nil
}

func (constantSource) list(string) ([]string, error) { return nil, os.ErrNotExist }
func (constantSource) close()                        {}

func FuzzParse(f *testing.F) {
	for _, description := range []string{"", "core:4", "package:2 node:2 core:4 cpu:2", "package:1 l3:1:24M core:4:1024 cpu:2 + l2:2:2M core:4:512",
		"node:2:8G package:2 core:2", "core:8192", "core:8193", "node:1999+cpu:2", "core:100 cpu:100", "cpu:2 core:2", "core:2 core:2", "core:0", "core:-1", "socket:2", "core:2:2000", "l3:2:0K core:1", "+", "die:2 core:1 + core:1"} {
		f.Add(description)
	}
	f.Fuzz(func(t *testing.T, description string) {
		checkMemory(t, func() {
			m, err := Parse(description)
			if err != nil {
				if strings.Contains(err.Error(), "\n") {
					t.Errorf("error of several lines: %v", err)
				}
				return
			}
			if len(m.CPUs) <= 256 {
				checkConsistent(t, m)
				_ = m.String()
			}
		})
	})
}

func FuzzCPUID(f *testing.F) {
	f.Add("00000001 0 00b00f21 2bfe0800 fed83203 178bfbff\n80000005 0 ff60ff40 ff60ff40 300c0140 20080140\nxcr0 e7\n")
	f.Add("00000004 0 1c004121 01c0003f 0000003f 00000000\n00000004 1 1c004122 01c0003f 0000003f 00000000\n00000004 2 1c004143 00c0003f 000003ff 00000000\n")
	f.Add("00000004 0 ffffffff ffffffff ffffffff ffffffff\n")
	f.Add("xcr0")
	f.Fuzz(func(t *testing.T, text string) {
		d, err := parseCPUID(text)
		if err != nil {
			return
		}
		if again, err := parseCPUID(d.text()); err != nil || again.text() != d.text() {
			t.Errorf("%q is %q, which parses as %q, %v", text, d.text(), again.text(), err)
		}
		caches, lowBits := d.caches()
		for i, c := range append(caches, d.oldCaches()...) {
			if c.Size < 0 || c.Size > maxCacheSize || c.Line < 1 && c.Size == 0 || c.Ways < 0 || c.Level < 1 || c.Level > maxCacheIndex {
				t.Errorf("%q: cache %+v", text, c)
			}
			if i < len(lowBits) && (lowBits[i] < 0 || lowBits[i] > 12) {
				t.Errorf("%q: cache %+v within %d bits", text, c, lowBits[i])
			}
		}
		_, _, _ = d.features(), d.kind(), d.apicID()
	})
}

func FuzzWindows(f *testing.F) {
	f.Add(windowsRecords(8, 2, 4, 2), true)
	f.Add(windowsRecords(4, 1, 2, 1), false)
	f.Add([]byte{0, 0, 0, 0, 8, 0, 0, 0}, true)
	f.Add([]byte{0, 0, 0, 0, 0, 0, 0, 0}, true)
	f.Fuzz(func(t *testing.T, records []byte, wide bool) {
		word := 4
		if wide {
			word = 8
		}
		checkMemory(t, func() {
			if m, err := winMachine(records, word); err == nil {
				checkConsistent(t, m)
				_ = m.String()
			}
		})
	})
}

// FuzzArchive reads whole machines with broken files.
func FuzzArchive(f *testing.F) {
	seeds, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(seeds) == 0 {
		f.Fatal("no seeds in testdata", err)
	}
	for _, name := range seeds {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data))
	}
	f.Fuzz(func(t *testing.T, text string) {
		checkMemory(t, func() {
			m, err := ReadArchive(strings.NewReader(text))
			if err != nil {
				if strings.Contains(err.Error(), "\n") {
					t.Errorf("error of several lines: %v", err)
				}
				return
			}
			checkConsistent(t, m)
			_ = m.String()
			if _, err := json.Marshal(m); err != nil {
				t.Error(err)
			}
		})
	})
}
