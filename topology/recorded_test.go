package topology

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/numateam/numateam/topology/topologytest"
)

// TestRecordedMachines checks the machines of shared/sysfs by the rules of its README,
// both from memory and unpacked into a folder.
func TestRecordedMachines(t *testing.T) {
	dir := topologytest.Shared(t, "sysfs")
	var expected struct {
		Machines map[string]map[string]any
	}
	topologytest.ReadJSON(t, filepath.Join(dir, "expected.json"), &expected)
	if len(expected.Machines) != 28 {
		t.Errorf("%d machines, want 28", len(expected.Machines))
	}
	for _, name := range slices.Sorted(maps.Keys(expected.Machines)) {
		t.Run(name, func(t *testing.T) {
			want := expected.Machines[name]
			files := readTar(t, filepath.Join(dir, name+".tar.gz"))
			m, err := Read(files, nil)
			if want["topology"] == "missing" {
				if err == nil || strings.Contains(err.Error(), "\n") {
					t.Errorf("Read of a tree without CPUs: %v, want an error of one line", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			checkConsistent(t, m)
			printed, err := json.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			scoreMachine(t, want, printed)

			if testing.Short() {
				return // unpacking takes longer than all the rest
			}
			folder := unpack(t, files)
			start := time.Now()
			again, err := Read(os.DirFS(folder), nil)
			if took := time.Since(start); took > 2*time.Second {
				t.Errorf("reading took %v", took)
			}
			if err != nil {
				t.Fatal(err)
			}
			if second, _ := json.Marshal(again); !bytes.Equal(printed, second) {
				t.Errorf("from a folder:\n%s\nwant\n%s", second, printed)
			}
			if third := gatherAndRead(t, os.DirFS(folder), m.Allowed); !bytes.Equal(printed, third) {
				t.Errorf("from an archive:\n%s\nwant\n%s", third, printed)
			}
		})
	}
}

// gatherAndRead returns the JSON of a tree's machine by way of an archive.
func gatherAndRead(t *testing.T, root fs.FS, affinity Set) []byte {
	t.Helper()
	src := newSource(root)
	defer src.close()
	var text bytes.Buffer
	if err := gather(&text, src, ReadOptions{Affinity: affinity}, recordedCPUID); err != nil {
		t.Fatal(err)
	}
	m, err := ReadArchive(&text)
	if err != nil {
		t.Fatal(err)
	}
	printed, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return printed
}

// checkConsistent checks what holds for every machine.
func checkConsistent(t *testing.T, m *Machine) {
	t.Helper()
	disjoint := func(what string, sets ...Set) Set {
		var all Set
		for _, s := range sets {
			if s.Intersects(all) {
				t.Errorf("%s: %v overlaps with another", what, s)
			}
			if s.IsEmpty() {
				t.Errorf("%s: an empty set", what)
			}
			all = all.Union(s)
		}
		if !all.Within(m.Online) {
			t.Errorf("%s: %v are not online", what, all.Difference(m.Online))
		}
		return all
	}
	var cores, packages, classes []Set
	for _, c := range m.Cores {
		cores = append(cores, c.CPUs)
		if !c.CPUs.Within(m.Packages[c.Package].CPUs) {
			t.Errorf("core %v is not within package %v", c.CPUs, m.Packages[c.Package].CPUs)
		}
	}
	for _, p := range m.Packages {
		packages = append(packages, p.CPUs)
	}
	for i, c := range m.Classes {
		classes = append(classes, c.CPUs)
		if c.Capacity < 1 || c.Capacity > 1024 || i > 0 && c.Capacity < m.Classes[i-1].Capacity || c.Source == "" {
			t.Errorf("class %d: %+v", i, c)
		}
	}
	if top := m.Classes[len(m.Classes)-1].Capacity; top != 1024 {
		t.Errorf("the fastest class has capacity %d", top)
	}
	for what, sets := range map[string][]Set{"cores": cores, "packages": packages, "classes": classes} {
		if all := disjoint(what, sets...); !all.Equal(m.Online) {
			t.Errorf("%s cover %v, want %v", what, all, m.Online)
		}
	}
	disjoint("dies", m.Dies...)
	disjoint("clusters", m.Clusters...)
	caches := map[string][]Set{}
	for _, c := range m.Caches {
		key := fmt.Sprint("caches L", c.Level, c.Kind)
		caches[key] = append(caches[key], c.CPUs)
		if c.Size < 0 || c.Line < 0 || c.Ways < 0 {
			t.Errorf("cache %+v", c)
		}
	}
	for what, sets := range caches {
		disjoint(what, sets...)
	}
	var inNodes Set
	for i, n := range m.Nodes {
		if n.CPUs.Intersects(inNodes) {
			t.Errorf("node %d: CPUs %v are in two nodes", n.ID, n.CPUs)
		}
		inNodes = inNodes.Union(n.CPUs)
		if i > 0 && n.ID <= m.Nodes[i-1].ID {
			t.Errorf("nodes are not in order")
		}
	}
	if !m.Allowed.Within(m.Online) || !m.Online.Within(m.Known) {
		t.Errorf("allowed %v, online %v, known %v", m.Allowed, m.Online, m.Known)
	}
	var ids Set
	for i, c := range m.CPUs {
		ids = ids.With(c.ID)
		if i > 0 && c.ID <= m.CPUs[i-1].ID {
			t.Errorf("CPUs are not in order")
		}
		if got := slices.Collect(m.Cores[c.Core].CPUs.All())[c.SMT]; got != c.ID {
			t.Errorf("CPU %d of core %v is %d, want %d", c.SMT, m.Cores[c.Core].CPUs, got, c.ID)
		}
		if !m.Packages[c.Package].CPUs.Contains(c.ID) || !m.Classes[c.Class].CPUs.Contains(c.ID) {
			t.Errorf("CPU %+v is not in its package or class", c)
		}
		if n, ok := m.Node(c.Node); ok != n.CPUs.Contains(c.ID) {
			t.Errorf("CPU %d is not in its node %d", c.ID, c.Node)
		}
	}
	if !ids.Equal(m.Online) {
		t.Errorf("CPUs are %v, want %v", ids, m.Online)
	}
}

// scoreMachine compares a printed machine with the expected one, field by field.
func scoreMachine(t *testing.T, want map[string]any, printed []byte) {
	t.Helper()
	var got map[string]any
	if err := json.Unmarshal(printed, &got); err != nil {
		t.Fatal(err)
	}
	fields := []string{"cpus", "numa", "memory_total_bytes", "allowed"}
	if want["topology"] == "full" {
		fields = append(fields, "cores", "packages", "dies", "clusters", "caches", "memory_side_caches", "cpu_kinds")
	}
	unscored, _ := want["unscored"].([]any)
	alternatives, _ := want["alternatives"].(map[string]any)
	for _, field := range fields {
		expected := want[field]
		if expected == nil || slices.Contains(unscored, any(field)) ||
			field == "caches" && want["caches_complete"] == false {
			continue
		}
		accepted := []any{expected}
		if more, ok := alternatives[field].([]any); ok {
			accepted = append(accepted, more...)
		}
		matches := func(w any) bool { return fieldEqual(field, got[field], w) }
		if !slices.ContainsFunc(accepted, matches) {
			g, _ := json.Marshal(got[field])
			w, _ := json.Marshal(accepted)
			t.Errorf("%s:\n%s\nwant one of\n%s", field, g, w)
		}
	}
}

func fieldEqual(field string, got, want any) bool {
	switch field {
	case "cpus":
		g, w := got.(map[string]any), want.(map[string]any)
		return sameList(g["known"], w["known"]) && sameList(g["online"], w["online"])
	case "cores", "packages", "dies", "clusters":
		return sameSets(got, want)
	case "numa":
		return sameNodes(got.(map[string]any), want.(map[string]any))
	case "allowed":
		g, w := got.(map[string]any), want.(map[string]any)
		return sameList(g["cpus"], w["cpus"]) && (w["mems"] == nil || sameList(g["mems"], w["mems"]))
	case "caches":
		return sameCaches(got, want)
	case "cpu_kinds":
		g, w := got.([]any), want.([]any)
		return slices.EqualFunc(g, w, func(g, w any) bool {
			return sameList(g.(map[string]any)["cpus"], w.(map[string]any)["cpus"])
		})
	case "memory_side_caches":
		g, w := got.([]any), want.([]any)
		return slices.EqualFunc(g, w, func(g, w any) bool { return reflect.DeepEqual(g, w) })
	default:
		return reflect.DeepEqual(got, want)
	}
}

func sameList(got, want any) bool {
	g, err := ParseSet(got.(string))
	w, _ := ParseSet(want.(string))
	return err == nil && g.Equal(w)
}

// sameSets compares lists of sets regardless of their order.
func sameSets(got, want any) bool {
	normal := func(list any) []string {
		var out []string
		for _, s := range list.([]any) {
			set, _ := ParseSet(s.(string))
			out = append(out, set.String())
		}
		slices.Sort(out)
		return out
	}
	return slices.Equal(normal(got), normal(want))
}

func sameNodes(got, want map[string]any) bool {
	same := slices.EqualFunc(got["nodes"].([]any), want["nodes"].([]any), func(got, want any) bool {
		g, w := got.(map[string]any), want.(map[string]any)
		return g["id"] == w["id"] && sameList(g["cpus"], w["cpus"]) &&
			(w["memory_bytes"] == nil || g["memory_bytes"] == w["memory_bytes"]) &&
			(w["local_cpus"] == nil || g["local_cpus"] == nil || sameList(g["local_cpus"], w["local_cpus"]))
	})
	return same && (want["distances"] == nil || reflect.DeepEqual(got["distances"], want["distances"]))
}

func sameCaches(got, want any) bool {
	type entry struct {
		sets       []any
		line, ways any
	}
	collect := func(list any) map[string]entry {
		all := map[string]entry{}
		for _, c := range list.([]any) {
			c := c.(map[string]any)
			key := fmt.Sprint(c["level"], c["type"], c["size_bytes"])
			e := all[key]
			all[key] = entry{append(e.sets, c["shared_cpus"].([]any)...), c["line_bytes"], c["ways"]}
		}
		return all
	}
	differ := func(g, w any) bool { return g != nil && w != nil && g != w }
	return maps.EqualFunc(collect(got), collect(want), func(g, w entry) bool {
		return sameSets(any(g.sets), any(w.sets)) && !differ(g.line, w.line) && !differ(g.ways, w.ways)
	})
}
