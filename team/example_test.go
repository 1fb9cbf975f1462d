package team_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"time"

	"github.com/numateam/numateam/team"
	"github.com/numateam/numateam/topology"
)

func Example() {
	t, err := team.New(&team.Options{Placement: team.NUMA})
	if err != nil {
		log.Fatal(err)
	}
	defer t.Close()
	const n = 1 << 20
	x, err := team.Make[float64](t, n) // each worker's block on its own node
	if err != nil {
		log.Fatal(err)
	}
	defer x.Close()

	s := x.Slice()
	t.Launch(team.Launch{Grain: 4096, Over: team.Over(s)}, n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			s[i] = float64(i)
		}
	})
	fmt.Println(s[0], s[n-1])
	// Output: 0 1.048575e+06
}

// The body is called for ranges that together make up all of it.
func ExampleTeam_For() {
	t, err := team.New(nil)
	if err != nil {
		log.Fatal(err)
	}
	defer t.Close()
	squares := make([]int, 6)
	t.For(len(squares), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			squares[i] = i * i
		}
	})
	fmt.Println(squares)

	var none *team.Team // runs on the caller
	none.For(3, func(lo, hi int) { fmt.Println("from", lo, "to", hi) })
	// Output:
	// [0 1 4 9 16 25]
	// from 0 to 3
}

// Each participant has scratch memory of its own.
func ExampleTeam_ForWorker() {
	t, err := team.New(&team.Options{Workers: 2})
	if err != nil {
		log.Fatal(err)
	}
	defer t.Close()
	ran := make([][8]int, t.Size()) // a cache line each
	t.ForWorker(1000, func(w *team.Worker, lo, hi int) { ran[w.ID()][0] += hi - lo })
	fmt.Println(ran[0][0] + ran[1][0])
	// Output: 1000
}

func ExampleTeam_ForContext() {
	t, err := team.New(nil)
	if err != nil {
		log.Fatal(err)
	}
	defer t.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	err = t.ForContext(ctx, 1_000_000, func(lo, hi int) { time.Sleep(5 * time.Millisecond) })
	fmt.Println(err)
	// Output: context deadline exceeded
}

// The result doesn't depend on how many workers there are.
func ExampleReduce() {
	t, err := team.New(nil)
	if err != nil {
		log.Fatal(err)
	}
	defer t.Close()
	x := []float64{3, -7, 2, 5}
	largest := team.Reduce(t, len(x), 0, func(lo, hi int) float64 {
		m := 0.0
		for _, v := range x[lo:hi] {
			m = max(m, math.Abs(v))
		}
		return m
	}, math.Max)
	fmt.Println(largest)
	// Output: 7
}

// Where a team would sit on a machine of two nodes.
func ExamplePlacement_CPUs() {
	m, err := topology.Parse("node:2 core:2 cpu:2")
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range []team.Placement{team.Cores, team.NUMA, team.Threads} {
		cpus, err := p.CPUs(m)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(p, cpus)
	}
	// Output:
	// cores [0 2 4 6]
	// numa [0 2 4 6]
	// threads [0 2 4 6 1 3 5 7]
}
