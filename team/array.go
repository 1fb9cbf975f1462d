package team

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/numateam/numateam/numa"
)

// arrayGrain is the grain of the blocks that Make places: 4,096 elements are a
// whole number of pages for every element size, and the grain of the kernels.
const arrayGrain = 4096

// Make allocates a zeroed array of n elements whose blocks lie on the nodes of
// the workers that own them: those who run them in every launch over the whole
// array with a grain of up to 4,096 that says so (see [Launch].Over). A worker on a
// node without memory, or one closed to the process, has its block on the nearest
// node that can be used (see [numa.Home]). Where the system lets no policy be set,
// a block's pages lie where they are touched first; launches over the array then
// wait longer for late owners until all of it has been touched.
//
// A nil team gives an array with the default placement. Make panics if n is negative;
// memory that isn't there is an error, as with [numa.Alloc].
func Make[T numa.Elem](t *Team, n int) (*numa.Array[T], error) {
	if t == nil || n <= 0 {
		return numa.Alloc[T](n, nil)
	}
	c := t.core
	b := even(n, arrayGrain, len(c.workers))
	if len(c.classCosts) > 1 {
		b.cuts = c.byClass(b, c.all, make([]group, len(c.classCosts)), make([]cut, len(c.all)))
	}
	parts := make([]numa.Part, 0, len(c.workers))
	for i := range c.workers {
		if lo, hi := b.block(i); lo < hi {
			parts = append(parts, numa.Part{End: int(hi), Node: c.workers[i].home, Worker: i})
		}
	}
	a, err := numa.Alloc[T](n, &numa.Options{Policy: numa.ByParts(parts), Machine: c.machine, Owner: c.id})
	if err != nil {
		return nil, fmt.Errorf("team: %w", err)
	}
	return a, nil
}

// Locality returns which share of x's touched pages, from 0 to 1, lies on the
// node of the worker that owns them in a launch over x by kernels (where that node
// has no memory, on the nearest, see [numa.Home]): 1 on a machine with one node, 0
// if no page has been touched, and 1 for a nil team or an empty x. It fails where the
// system doesn't tell where pages are.
func Locality[T numa.Elem](t *Team, x []T) (float64, error) {
	if t == nil || len(x) == 0 {
		return 1, nil
	}
	c := t.core
	p := plan{blocks: even(len(x), arrayGrain, len(c.all))}
	p.memory, p.covers = placed(Over(x), len(x))
	p.cuts = c.follow(&p, Over(x), make([]cut, len(c.all)), make([]run, 0, len(c.all)))
	if p.cuts == nil && len(c.classCosts) > 1 {
		p.cuts = c.byClass(p.blocks, c.all, make([]group, len(c.classCosts)), make([]cut, len(c.all)))
	}
	owners := make([]run, 0, len(c.all))
	for i := range c.all {
		if lo, hi := p.block(i); lo < hi {
			owners = append(owners, run{cut{lo, hi}, c.workers[i].home})
		}
	}
	slices.SortFunc(owners, func(a, b run) int { return cmp.Compare(a.lo, b.lo) })

	local, touched, k := 0, 0, 0
	err := numa.Pages(x, 1, func(first, node int) { // in ascending order
		for int64(first) >= owners[k].hi {
			k++
		}
		if node >= 0 {
			touched++
		}
		if node >= 0 && node == owners[k].node {
			local++
		}
	})
	if err != nil && len(c.machine.Nodes) > 1 {
		return 0, fmt.Errorf("team: %w", err)
	}
	switch {
	case len(c.machine.Nodes) == 1 && (touched > 0 || err != nil):
		return 1, nil // unbound workers too
	case touched == 0:
		return 0, nil
	}
	return float64(local) / float64(touched), nil
}
