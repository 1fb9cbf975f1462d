package team

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/numateam/numateam/topology"
	"github.com/numateam/numateam/topology/topologytest"
)

// seatsOf returns the CPUs of a team on m, by worker.
func seatsOf(t *testing.T, m *topology.Machine, o *Options, procs int) (cpus []int) {
	t.Helper()
	seats, err := seating(m, o, procs)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range seats {
		cpus = append(cpus, s.cpu)
	}
	return cpus
}

func TestSeating(t *testing.T) {
	const hybrid = "package:1 core:4:1024 cpu:2 + core:4:512"
	for _, c := range []struct {
		machine string
		o       Options
		procs   int
		want    []int
	}{
		{"core:4 cpu:2", Options{}, 99, []int{0, 2, 4, 6}},
		{"core:4 cpu:2", Options{}, 3, []int{0, 2, 4}},
		{"core:4 cpu:2", Options{Placement: Threads}, 99, []int{0, 2, 4, 6, 1, 3, 5, 7}},
		{"core:4 cpu:2", Options{Placement: Unpinned}, 99, []int{-1, -1, -1, -1, -1, -1, -1, -1}},
		{"core:4 cpu:2", Options{Workers: 6}, 2, []int{0, 2, 4, 6, 1, 3}},
		{"core:4 cpu:2", Options{Workers: 9}, 99, []int{-1, -1, -1, -1, -1, -1, -1, -1, -1}},
		{"core:4 cpu:2", Options{CPUs: topology.SetOf(1, 2, 3, 7)}, 99, []int{1, 2, 7}},
		{"node:2 core:2 cpu:2", Options{Placement: NUMA}, 99, []int{0, 2, 4, 6}},
		{"node:2 core:2 cpu:2", Options{Placement: NUMA, Workers: 2}, 99, []int{0, 4}},
		{"node:2 core:2 cpu:2", Options{Placement: NUMA, Workers: 3}, 99, []int{0, 2, 4}},
		{"node:2 core:2 cpu:2", Options{Placement: NUMA, Workers: 6}, 99, []int{0, 2, 1, 4, 6, 5}},
		{"node:2 core:2 cpu:2", Options{Workers: 3}, 99, []int{0, 2, 4}},
		{hybrid, Options{}, 99, []int{0, 2, 4, 6, 8, 9, 10, 11}},
		{hybrid, Options{Workers: 4}, 99, []int{0, 2, 4, 6}},
		{hybrid, Options{CPUs: topology.SetOf(8, 9, 10, 11)}, 99, []int{8, 9, 10, 11}},
		{"package:1 core:4:512 + core:2:1024", Options{Workers: 3}, 99, []int{4, 5, 0}},
		{"core:1", Options{}, 99, []int{0}},
	} {
		m, err := topology.Parse(c.machine)
		if err != nil {
			t.Fatal(err)
		}
		if got := seatsOf(t, m, &c.o, c.procs); !slices.Equal(got, c.want) {
			t.Errorf("%s, %+v, GOMAXPROCS %d: CPUs %v, want %v", c.machine, c.o, c.procs, got, c.want)
		}
	}
}

// A quota is rounded up, and never makes a team of none. A team that is told its
// size isn't cut to it.
func TestQuota(t *testing.T) {
	for quota, want := range map[float64]int{0: 8, 0.01: 1, 0.5: 1, 1: 1, 1.5: 2, 2: 2, 7.9: 8, 16: 8} {
		m, err := topology.Parse("core:8")
		if err != nil {
			t.Fatal(err)
		}
		limited := *m
		limited.Quota = quota
		if got := len(seatsOf(t, &limited, &Options{}, 99)); got != want {
			t.Errorf("a quota of %v CPUs: a team of %d, want %d", quota, got, want)
		}
		if got := len(seatsOf(t, &limited, &Options{Workers: 5}, 99)); got != 5 {
			t.Errorf("a quota of %v CPUs, 5 workers: a team of %d", quota, got)
		}
		tm, err := New(&Options{Topology: &limited})
		if err != nil {
			t.Fatal(err)
		}
		sum := Reduce(tm, 1000, 0, func(lo, hi int) int { return hi - lo }, func(a, b int) int { return a + b })
		if tm.Close(); sum != 1000 {
			t.Errorf("a quota of %v CPUs: %d of 1,000 indices", quota, sum)
		}
	}
}

func TestSeatingErrors(t *testing.T) {
	m, err := topology.Parse("core:4")
	if err != nil {
		t.Fatal(err)
	}
	part, none := *m, *m
	part.Allowed = topology.SetOf(1, 2)
	none.Allowed = topology.Set{}
	for _, c := range []struct {
		m    *topology.Machine
		o    Options
		want string
	}{
		{m, Options{Workers: -1}, "team: -1 workers"},
		{m, Options{Workers: 10_000}, "team: 10000 workers"},
		{m, Options{Placement: 9}, "team: unknown placement Placement(9)"},
		{m, Options{Schedule: 9}, "team: unknown schedule Schedule(9)"},
		{m, Options{CPUs: topology.SetOf(3, 4, 77)}, "team: can't use CPU 4: "},
		{&part, Options{CPUs: topology.SetOf(0, 1)}, "team: can't use CPU 0: "},
		{&none, Options{}, "team: no CPU is allowed and online"},
	} {
		c.o.Topology = c.m
		if tm, err := New(&c.o); err == nil || !strings.HasPrefix(err.Error(), c.want) || tm != nil {
			t.Errorf("%+v: %v, want %q", c.o, err, c.want)
		}
	}
}

// recorded reads a tree of the cases for a process with an affinity.
func recorded(t *testing.T, affinity string, path ...string) *topology.Machine {
	t.Helper()
	dir := topologytest.Shared(t, append([]string{"cases"}, path...)...)
	if affinity == "" {
		b, err := os.ReadFile(filepath.Join(dir, "affinity"))
		if err == nil {
			affinity = strings.TrimSpace(string(b))
		}
	}
	o := &topology.ReadOptions{}
	if affinity != "" {
		s, err := topology.ParseSet(affinity)
		if err != nil {
			t.Fatal(err)
		}
		o.Affinity = s
	}
	m, err := topology.Read(os.DirFS(dir), o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestCases checks those of the collected behaviours that are about sizes and
// places. The others are TestLiveCases.
func TestCases(t *testing.T) {
	setOf := func(cpus []int) string { return topology.SetOf(cpus...).String() }
	t.Run("team-03", func(t *testing.T) {
		var rows []struct{ N, Workers, Min, Max int }
		topologytest.Case(t, &rows, "team-03", "cases.json")
		for _, c := range rows {
			b, at, least, most := even(c.N, 1, c.Workers), int64(0), c.N, 0
			for i := range c.Workers {
				lo, hi := b.block(i)
				if lo != at || hi < lo {
					t.Errorf("n %d, %d workers: [%d, %d) after %d", c.N, c.Workers, lo, hi, at)
				}
				at, least, most = hi, min(least, int(hi-lo)), max(most, int(hi-lo))
			}
			if at != int64(c.N) || least != c.Min || most != c.Max {
				t.Errorf("n %d, %d workers: end %d, blocks of %d to %d, want %d to %d", c.N, c.Workers, at, least, most, c.Min, c.Max)
			}
		}
	})
	t.Run("team-10", func(t *testing.T) {
		var rows []struct {
			Tree    string
			Workers int
			CPUs    *string
		}
		topologytest.Case(t, &rows, "team-10", "expect.json")
		for _, c := range rows {
			m := recorded(t, "", "top-09", c.Tree)
			got := seatsOf(t, m, &Options{Workers: c.Workers, Placement: Threads}, 99)
			if c.CPUs == nil { // more than there are CPUs: an explicit oversubscription
				if len(got) != c.Workers || got[0] != -1 {
					t.Errorf("%s, %d workers: CPUs %v", c.Tree, c.Workers, got)
				}
			} else if setOf(got) != *c.CPUs {
				t.Errorf("%s, %d workers: CPUs %v, want %s", c.Tree, c.Workers, got, *c.CPUs)
			}
		}
	})
	t.Run("team-11", func(t *testing.T) {
		var rows []struct {
			Affinity string
			PerCore  int `json:"per_core_workers"`
			All      int `json:"all_workers"`
		}
		topologytest.Case(t, &rows, "team-11", "expect.json")
		for _, c := range rows {
			m := recorded(t, c.Affinity, "top-09", "split")
			cores := seatsOf(t, m, &Options{}, 99)
			if all := seatsOf(t, m, &Options{Placement: Threads}, 99); len(cores) != c.PerCore || len(all) != c.All || setOf(all) != c.Affinity {
				t.Errorf("affinity %s: %v and %v, want %d and %d workers", c.Affinity, cores, all, c.PerCore, c.All)
			}
		}
	})
	t.Run("top-09", func(t *testing.T) {
		for tree, want := range map[string]string{"adjacent": "0,2", "split": "0-1"} {
			if got := seatsOf(t, recorded(t, "", "top-09", tree), &Options{}, 99); setOf(got) != want {
				t.Errorf("%s: %v, want %s", tree, got, want)
			}
		}
	})
	for id, tree := range map[string]string{"top-15": "top-15", "top-17": "top-17", "top-19": "top-18"} {
		t.Run(id, func(t *testing.T) {
			var want struct {
				Allowed string
				Workers int `json:"default_workers"`
			}
			topologytest.Case(t, &want, id, "expect.json")
			affinity := ""
			if b, err := os.ReadFile(filepath.Join(topologytest.Shared(t, "cases", id), "affinity")); err == nil {
				affinity = strings.TrimSpace(string(b))
			}
			got := seatsOf(t, recorded(t, affinity, tree), &Options{}, 99)
			if len(got) != want.Workers || setOf(got) != want.Allowed {
				t.Errorf("CPUs %v, want %d workers on %s", got, want.Workers, want.Allowed)
			}
		})
	}
	t.Run("top-16", func(t *testing.T) {
		var rows []struct {
			In      string
			Quota   float64
			Workers []int
		}
		topologytest.Case(t, &rows, "top-16", "cases.json")
		for _, c := range rows {
			m, err := topology.Parse("core:8")
			if err != nil {
				t.Fatal(err)
			}
			limited := *m
			limited.Quota = c.Quota
			if got := len(seatsOf(t, &limited, &Options{}, 99)); !slices.Contains(c.Workers, got) {
				t.Errorf("%q: a team of %d, want %v", c.In, got, c.Workers)
			}
		}
	})
	t.Run("top-18", func(t *testing.T) {
		var want struct {
			First          string `json:"performance_first_threads"`
			Cores, Threads int
		}
		topologytest.Case(t, &want, "top-18", "expect.json")
		m := recorded(t, "", "top-18")
		cores, all := seatsOf(t, m, &Options{}, 99), seatsOf(t, m, &Options{Placement: Threads}, 99)
		if setOf(cores[:4]) != want.First || len(cores) != want.Cores || len(all) != want.Threads {
			t.Errorf("CPUs %v and %v, want %s first, %d and %d", cores, all, want.First, want.Cores, want.Threads)
		}
	})
	t.Run("top-20", func(t *testing.T) {
		var want map[string]struct{ Performance, Efficient string }
		topologytest.Case(t, &want, "top-20", "expect.json")
		for tree, want := range want {
			m := recorded(t, "0-5", "top-20", tree)
			got := seatsOf(t, m, &Options{}, 99)
			if len(got) != 6 || setOf(got[:2]) != want.Performance || setOf(got[2:]) != want.Efficient {
				t.Errorf("%s: CPUs %v, want %s and then %s", tree, got, want.Performance, want.Efficient)
			}
		}
	})
}
