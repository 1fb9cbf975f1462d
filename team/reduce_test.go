package team_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/numateam/numateam/team"
)

// shape reduces the indices to a text that shows which ranges were joined how.
func shape(t *team.Team, n int) string {
	return team.Reduce(t, n, "zero",
		func(lo, hi int) string { return fmt.Sprintf("%d-%d", lo, hi) },
		func(a, b string) string { return "(" + a + " " + b + ")" })
}

// The ranges and the tree depend on n and the grain alone.
func TestReduceShape(t *testing.T) {
	for n, want := range map[int]string{
		0: "zero", 1: "0-1", 2: "(0-1 1-2)", 3: "((0-1 1-2) 2-3)", 5: "(((0-1 1-2) (2-3 3-4)) 4-5)",
	} {
		if got := shape(nil, n); got != want {
			t.Errorf("n %d: %s, want %s", n, got, want)
		}
	}
	if got, want := shape((*team.Team)(nil).With(team.Launch{}), 1024), strings.Count(shape(nil, 1024), "-"); strings.Count(got, "-") != want || want != 1024 {
		t.Errorf("%d ranges of 1,024 indices", want)
	}
	if got := strings.Count(shape(nil, 1025), "-"); got != 513 {
		t.Errorf("%d ranges of 1,025 indices, want 513 of 2", got)
	}
	ns := []int{1, 2, 3, 7, 100, 1023, 1024, 1025, 2049, 10_007}
	want := map[int]string{}
	for _, n := range ns {
		want[n] = shape(nil, n)
	}
	for _, workers := range []int{1, 2, 3, 16} {
		for _, schedule := range schedules {
			tm := newTeam(t, &team.Options{Workers: workers, Schedule: schedule})
			for _, n := range ns {
				for range 3 {
					if got := shape(tm, n); got != want[n] {
						t.Fatalf("n %d, %d workers, %v: %s\nwant %s", n, workers, schedule, got, want[n])
					}
				}
			}
			if got := shape(tm.With(team.Launch{Grain: 4}), 10); got != "((0-4 4-8) 8-10)" {
				t.Errorf("grain 4: %s", got)
			}
			tm.For(2, func(lo, hi int) { // on a busy team
				if got := shape(tm, 100); got != want[100] {
					t.Errorf("nested: %s", got)
				}
			})
		}
	}
}

func TestReduceHugeN(t *testing.T) {
	tm := newTeam(t, &team.Options{Workers: 3})
	for _, n := range []int{min(1<<40, math.MaxInt), math.MaxInt/2 + 2, math.MaxInt} {
		for _, grain := range []int{1, 4096, math.MaxInt} {
			got := team.Reduce(tm.With(team.Launch{Grain: grain}), n, 0,
				func(lo, hi int) int {
					if lo < 0 || hi <= lo || hi > n {
						t.Errorf("n %d, grain %d: range [%d, %d)", n, grain, lo, hi)
					}
					return hi - lo
				},
				func(a, b int) int { return a + b })
			if got != n {
				t.Errorf("n %d, grain %d: the ranges add up to %d", n, grain, got)
			}
		}
	}
}

// A reduction over a placed array finds each index once, whatever the span of
// the view says.
func TestReduceOver(t *testing.T) {
	tm := newTeam(t, &team.Options{Topology: machine(t, "node:2 core:2"), Workers: 4, Placement: team.NUMA})
	a, err := team.Make[float64](tm, 100_000)
	if err != nil {
		t.Fatal(err)
	}
	x := a.Slice()
	for i := range x {
		x[i] = float64(i)
	}
	for _, grain := range []int{0, 1, 4096} {
		v := tm.With(team.Launch{Over: team.Over(x), Grain: grain})
		for _, n := range []int{1, 1000, len(x)} {
			got := team.Reduce(v, n, 0, func(lo, hi int) float64 {
				s := 0.0
				for _, v := range x[lo:hi] {
					s += v
				}
				return s
			}, func(a, b float64) float64 { return a + b })
			if want := float64(n) * float64(n-1) / 2; got != want {
				t.Errorf("grain %d, n %d: %v, want %v", grain, n, got, want)
			}
		}
	}
}
