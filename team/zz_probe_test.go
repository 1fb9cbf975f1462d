package team_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/numateam/numateam/numa"
	"github.com/numateam/numateam/team"
	"github.com/numateam/numateam/topology"
)

func TestProbeHuge(t *testing.T) {
	for _, d := range []string{"core:4", "package:1 core:4:1024 cpu:2 + core:4:256", "node:2 core:2"} {
		m, err := topology.Parse(d)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{1 << 40, 1 << 60, 1 << 61, 1 << 62, math.MaxInt} {
			for _, s := range schedules {
				func() {
					defer func() {
						if p := recover(); p != nil {
							fmt.Println(d, n, s, "PANIC", p)
						}
					}()
					tm := newTeam(t, &team.Options{Topology: m, Workers: m.Allowed.Len(), Schedule: s})
					c := make(chan int, 10000)
					tm.For(n, func(lo, hi int) { c <- hi - lo })
					close(c)
					sum := 0
					for v := range c {
						sum += v
					}
					if sum != n {
						fmt.Println(d, n, s, "sum", sum)
					}
				}()
			}
		}
	}
}

func TestProbeOver(t *testing.T) {
	m, err := topology.Parse("node:2 core:2")
	if err != nil {
		t.Fatal(err)
	}
	tm := newTeam(t, &team.Options{Topology: m, Workers: 4, Placement: team.NUMA})
	a, err := team.Make[float32](tm, 100_000)
	if err != nil {
		t.Fatal(err)
	}
	x := a.Slice()
	fmt.Println(tm.Report())
	for _, n := range []int{1, 1000, 99_999, 100_000, 100_001, 200_000} {
		for _, off := range []int{0, 1, 5000, 99_999} {
			c := newCounter(n)
			tm.Launch(team.Launch{Over: team.Over(x[off:]), Grain: 64}, n, c.body)
			bad := 0
			for i := range c.n {
				if c.n[i].Load() != 1 {
					bad++
				}
			}
			if bad > 0 {
				fmt.Println("n", n, "off", off, "bad", bad)
			}
		}
	}
}

func TestProbeMigrate(t *testing.T) {
	m, _ := topology.Parse("node:2 core:2")
	tm := newTeam(t, &team.Options{Topology: m, Workers: 4, Placement: team.NUMA})
	const n = 100_000
	for _, parts := range [][]numa.Part{
		{{End: n / 2, Node: 1}, {End: n, Node: 0}},
		{{End: n / 2, Node: 1, Worker: 7}, {End: n, Node: 0, Worker: -3}},
		{{End: n / 2, Node: 1}},
	} {
		a, err := team.Make[float32](tm, n)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println(a.Migrate(numa.ByParts(parts)))
		c := newCounter(n)
		tm.Launch(team.Launch{Over: team.Over(a.Slice())}, n, c.body)
		c.check(t, 1)
		fmt.Println(team.Locality(tm, a.Slice()))
	}
}
