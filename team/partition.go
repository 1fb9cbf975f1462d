package team

import "github.com/numateam/numateam/numa"

// blocks tells which indices each participant of a launch owns: block i is that
// of the i-th in order. Bounds are multiples of the grain, the end excepted.
//
// Without cuts the blocks are even: they differ by one grain at most, the longer
// ones first. Even or by class, the bounds depend on n, grain, the number of
// participants and their classes alone, so that a first touch and every later
// launch over the same range agree.
type blocks struct {
	n, grain    int64
	each, extra int64 // grains of a block; the first extra blocks have one more
	cuts        []cut // one for each participant, if not even
}

// A cut is the range of one block.
type cut struct{ lo, hi int64 }

// even splits n indices into width blocks.
func even(n, grain, width int) blocks {
	grains := int64(ceilDiv(n, grain))
	w := int64(width)
	return blocks{n: int64(n), grain: int64(grain), each: grains / w, extra: grains % w}
}

// block returns the range of block i.
func (b *blocks) block(i int) (lo, hi int64) {
	if b.cuts != nil {
		return b.cuts[i].lo, b.cuts[i].hi
	}
	i64 := int64(i)
	return b.at(i64*b.each + min(i64, b.extra)), b.at((i64+1)*b.each + min(i64+1, b.extra))
}

// at returns the index where grain g begins, n if there is no such grain.
func (b *blocks) at(g int64) int64 {
	if g >= ceilDiv(b.n, b.grain) {
		return b.n
	}
	return g * b.grain
}

// split decides the order of the participants and the blocks of a launch.
func (c *core) split(p *plan, l Launch, n, grain, width int) {
	c.order = c.inOrder[:width]
	p.blocks = even(n, grain, width)
	if len(c.near) > 1 {
		p.memory, p.covers = placed(l.Over, n)
		if width == len(c.all) {
			if p.cuts = c.follow(p, l.Over, c.cuts, c.runs); p.cuts != nil {
				return
			}
		} else if width < len(c.inOrder) && p.memory.Base == nil {
			c.order = c.nearCaller()[:width]
		}
	}
	if len(c.classCosts) > 1 {
		p.cuts = c.byClass(p.blocks, c.order, c.groups, c.cuts)
	}
}

// placed returns the placed array that a launch walks through, if any, and
// whether it walks through all of it.
func placed(over Span, n int) (memory numa.Region, covers bool) {
	if over.Base == nil || over.Stride == 0 {
		return numa.Region{}, false
	}
	m, ok := numa.Lookup(over.Base)
	return m, ok && m.Base == over.Base && uintptr(n)*over.Stride >= m.Bytes
}

// byClass cuts blocks whose sizes follow the speed of their owners' cores, so that
// all are done at the same time. Some may be empty. It works in groups and cuts.
func (c *core) byClass(b blocks, order []int32, groups []group, cuts []cut) []cut {
	for k, cost := range c.classCosts {
		groups[k] = group{cost: cost}
	}
	for _, i := range order {
		groups[c.workers[i].class].workers++
	}
	grains := ceilDiv(b.n, b.grain)
	unit := max(ceilDiv(grains, mostTasks), 1) // in grains
	units := ceilDiv(grains, unit)
	shares(groups, int(units))
	cuts = cuts[:len(order)]
	lo, at := int64(0), int64(0) // at: in units
	for p, i := range order {
		g := &groups[c.workers[i].class]
		share := ceilDiv(g.tasks, g.workers) // of what is left, among who is left
		g.tasks -= share
		g.workers--
		hi := b.n
		if at += int64(share); at < units {
			hi = b.at(at * unit)
		}
		cuts[p] = cut{lo, hi}
		lo = hi
	}
	return cuts
}

// mostTasks is how many tasks byClass deals out at most: few enough for their
// number times that of the workers not to overflow.
const mostTasks = 1 << 40

// follow cuts blocks that follow the placement of the memory that a launch of
// the whole team walks through. Over the whole of an array that this team placed
// they are the blocks that it was placed by. Otherwise each run of pages on one
// node is split among the workers of that node. It returns nil where that can't
// be done: a node has no workers, or fewer than runs. It works in cuts and runs.
func (c *core) follow(p *plan, over Span, cuts []cut, runs []run) []cut {
	m := &p.memory
	if len(m.Parts) == 0 {
		return nil
	}
	// index returns which index works on the end of part k, to whole grains.
	// The last part has all indices that are left.
	index := func(k int, part numa.Part) int64 {
		if k == len(m.Parts)-1 {
			return p.n
		}
		off := int64(uintptr(m.Base)) + int64(part.End)*int64(m.ElemSize) - int64(uintptr(over.Base))
		i := min(max(off/int64(over.Stride), 0), p.n)
		if i == p.n {
			return p.n
		}
		return p.at((i + p.grain/2) / p.grain)
	}
	clear(cuts)
	if p.covers && m.Owner == c.id && c.deals(m.Parts) {
		lo := int64(0)
		for k, part := range m.Parts {
			hi := index(k, part)
			cuts[part.Worker] = cut{lo, hi}
			lo = hi
		}
		return cuts
	}
	runs = runs[:0]
	lo := int64(0)
	for k, part := range m.Parts {
		hi := index(k, part)
		if r := len(runs); r > 0 && runs[r-1].node == part.Node {
			runs[r-1].hi = hi
		} else if lo < hi {
			if r == len(c.workers) {
				return nil
			}
			runs = append(runs, run{cut{lo, hi}, part.Node})
		}
		lo = hi
	}
	for i, r := range runs {
		if !c.splitRun(cuts, runs, i, r, p.grain) {
			return nil
		}
	}
	return cuts
}

// deals reports whether parts give each worker one range at most. Those that Make
// cuts do, but an array may have been migrated to others since.
func (c *core) deals(parts []numa.Part) bool {
	last := -1
	for _, part := range parts {
		if part.Worker <= last || part.Worker >= len(c.workers) {
			return false
		}
		last = part.Worker
	}
	return true
}

// A run is a range of indices whose pages are wanted on one node.
type run struct {
	cut
	node int
}

// splitRun gives run i to its share of its node's workers, and reports whether
// there was one.
func (c *core) splitRun(cuts []cut, runs []run, i int, r run, grain int64) bool {
	before, all := 0, 0 // this node's runs
	for k := range runs {
		if runs[k].node == r.node {
			all++
			if k < i {
				before++
			}
		}
	}
	local := c.atHome[r.node]
	share := local[len(local)*before/all : len(local)*(before+1)/all]
	if len(share) == 0 {
		return false
	}
	b := even(int(r.hi-r.lo), int(grain), len(share))
	for k, w := range share {
		lo, hi := b.block(k)
		cuts[w] = cut{r.lo + lo, r.lo + hi}
	}
	return true
}
