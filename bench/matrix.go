package bench

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/numateam/numateam/bench/mem"
	"github.com/numateam/numateam/numa"
	"github.com/numateam/numateam/team"
	"github.com/numateam/numateam/topology"
)

// Matrix measures each node's CPUs against each node's memory: the bandwidth of
// triad with all workers of the node, and the latency of one worker's loads, each
// of which needs the one before it. Where the system refuses to bind memory, the
// results say that they aren't placed.
func Matrix(ctx context.Context, o Options, k *Kernels[float64]) ([]Result, error) {
	type pair struct{ cpus, memory topology.Node }
	var pairs []pair
	for _, c := range o.Machine.Nodes {
		for _, m := range o.Machine.Nodes {
			withMemory := m.Memory > 0 || len(o.Machine.Nodes) == 1
			if !c.CPUs.Intersect(o.Machine.Allowed).IsEmpty() && withMemory && (o.Machine.AllowedNodes.IsEmpty() || o.Machine.AllowedNodes.Contains(m.ID)) {
				pairs = append(pairs, pair{c, m})
			}
		}
	}
	var results []Result
	for step, p := range pairs {
		o.progress(step, len(pairs), fmt.Sprintf("CPUs of node %d, memory of node %d", p.cpus.ID, p.memory.ID))
		some, err := matrixCell(ctx, o, k, p.cpus, p.memory)
		if err != nil {
			return nil, err
		}
		results = append(results, some...)
	}
	return results, nil
}

func matrixCell(ctx context.Context, o Options, k *Kernels[float64], cpus, memory topology.Node) ([]Result, error) {
	options := o.Team
	options.Topology, options.Workers = o.Machine, 0
	options.CPUs = cpus.CPUs.Intersect(o.Machine.Allowed)
	t, err := team.New(&options)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	place := numa.Options{Policy: numa.Bind(topology.SetOf(memory.ID))}
	if o.Machine.Live {
		place.Machine = o.Machine
	}
	n, note := o.elements(3, 8, options.CPUs)
	if memory.Free > 0 {
		n = min(n, int(memory.Free/3/24))
	}
	r, err := newRig(k, t, n, func(n int) (*numa.Array[float64], error) { return numa.Alloc[float64](n, &place) })
	if err != nil {
		return nil, err
	}
	defer r.close()
	if out := r.arrays[0].Outcome(); out.Err != nil {
		note = fmt.Sprintf("memory isn't placed: %v", out.Err)
	}
	seconds, err := r.measure(ctx, someLoops[float64]([]string{"triad"})[0], n, o.repetitions(), 1)
	name := Name("matrix", "kernel", "triad", "cpus", cpus.ID, "memory", memory.ID, "n", n, "workers", t.Size())
	bandwidth, err := result(name, "triad", n, 8, seconds, err)
	if err != nil {
		return nil, err
	}
	latency, err := chase(ctx, o, t, cpus, memory, &place)
	if err != nil {
		return nil, err
	}
	bandwidth.Note, latency.Note = note, note
	return []Result{bandwidth, latency}, nil
}

// lineWords is a cache line in words of the chase.
const lineWords = 64 / 8

// chase measures the latency of loads: one worker follows a random cycle through
// all cache lines of an array, so that neither order nor prefetcher helps.
func chase(ctx context.Context, o Options, t *team.Team, cpus, memory topology.Node, place *numa.Options) (Result, error) {
	bytes := min(ArrayBytes(LastLevelCaches(o.Machine, cpus.CPUs)), 256<<20, int64(min(mem.Available()/3, math.MaxInt64)))
	if o.N > 0 {
		bytes = min(bytes, int64(o.N)*8)
	}
	lines := max(2, int(bytes/64))
	array, err := numa.Alloc[uint64](lines*lineWords, place)
	if err != nil {
		return Result{}, err
	}
	defer array.Close()
	next := array.Slice()
	randomCycle(next, lines)
	var seconds []float64
	var failed string
	t.Bind(func() {
		for s := -1; s < o.repetitions() && ctx.Err() == nil; s++ {
			start := time.Now()
			at, steps := uint64(0), 0
			for {
				at = next[at]
				steps++
				if at == 0 || steps > lines {
					break
				}
			}
			if s >= 0 {
				seconds = append(seconds, time.Since(start).Seconds()/float64(steps))
			}
			if steps != lines {
				failed = fmt.Sprintf("the chase came home after %d steps of %d", steps, lines)
			}
		}
	})
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	name := Name("latency", "cpus", cpus.ID, "memory", memory.ID, "size", fmt.Sprintf("%dMiB", lines*64>>20))
	if failed != "" {
		return Result{Name: name, Failed: failed}, nil
	}
	return NewResult(name, 0, seconds), nil
}

// randomCycle links the first words of all lines to one cycle (Sattolo, 1986).
func randomCycle(next []uint64, lines int) {
	random := rand.New(rand.NewPCG(1986, 0))
	for i := range lines {
		next[i*lineWords] = uint64(i * lineWords)
	}
	for i := lines - 1; i > 0; i-- {
		j := random.IntN(i)
		next[i*lineWords], next[j*lineWords] = next[j*lineWords], next[i*lineWords]
	}
}

// MatrixGrid makes the heat map of a matrix: GB/s, or nanoseconds per load.
func MatrixGrid(results []Result, latency bool) Grid {
	var g Grid
	index := func(names *[]string, name string) int {
		for i, n := range *names {
			if n == name {
				return i
			}
		}
		*names = append(*names, name)
		return len(*names) - 1
	}
	for _, fill := range []bool{false, true} {
		if fill {
			g.Value = make([][]float64, len(g.Rows))
			for i := range g.Value {
				g.Value[i] = make([]float64, len(g.Columns))
				for j := range g.Value[i] {
					g.Value[i][j] = math.NaN()
				}
			}
		}
		for _, r := range results {
			if (r.Bytes == 0) != latency || r.Failed != "" {
				continue
			}
			i, j := index(&g.Rows, "node "+r.Key("cpus")), index(&g.Columns, "node "+r.Key("memory"))
			switch {
			case fill && latency:
				g.Value[i][j] = r.Summary.Median * 1e9
			case fill:
				g.Value[i][j] = r.MedianGBps
			}
		}
	}
	return g
}
