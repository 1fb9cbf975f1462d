package kernels

import (
	"sync"
	"unsafe"

	"github.com/numateam/numateam/team"
)

// How a product of matrices is computed.
//
// C is computed in tiles that fit the registers (f64.GemmTiles). A tile reads rows of A
// and columns of B, which are first packed into panels: a panel of A holds the elements
// of a tile's rows, step by step of k, and a panel of B those of its columns, so that the
// tile's loop reads both from end to end. The steps of k are taken gemmK at a time,
// which bounds a panel: A's stays in the first cache while gemmNear bytes of B pass by,
// which stay in the second while the panels of a block of A do. So tiles go along rows of
// C: the CPU sees what comes next, and where rows are a power of two apart, no more of them
// than a tile has share a set of a cache. The more steps, the less often C is read and
// written. Small operands lie in the caches as they are, and aren't packed.
//
// One round packs up to gemmBytes of A and of B, in one launch, and multiplies them in
// a second one, whose indices are blocks of C: all of a band of rows, then the
// next, so that a worker's share is a number of bands, and a launch over C gives each
// node the rows that lie on it. The bands are as even as tiles allow, and as many for each
// worker. Packing costs 1 load and 1 store per element of A for each gemmBytes of B, and the
// other way round.
//
// An element of C is one chain: beta*c, then for each k in order the product, rounded,
// is added. A round that isn't the first goes on from c. So no size in this file,
// no instruction set and no team has a part in the result.

const (
	gemmK     = 512       // steps of k in a round
	gemmBytes = 4 << 20   // most bytes of A, and of B, that a round packs
	gemmBlock = 384 << 10 // most bytes of A for a block of C
	gemmNear  = 256 << 10 // most bytes of B that pass by a panel of A at once

	gemmDirect = 128 << 10 // most bytes of an operand that isn't packed

	// gemmAlone is the number of products below which a team isn't worth waking.
	gemmAlone = 1 << 20
)

// A part says which elements of C are computed.
type part uint8

const (
	whole part = iota
	lower      // those with i >= j
	upper      // those with i <= j
)

// A product is C = alpha*A*B + beta*C with k steps, k at least 1.
type product[T scalar] struct {
	m, n, k     int
	alpha, beta T
	a, b        operand[T] // lanes: the rows of A, the columns of B
	c           []T
	ldc         int
	part        part
}

// A gemmRun is what the launches of one product share. It's reused, with its bodies
// bound and its memory kept, by the next product that finds it free.
type gemmRun[T scalar] struct {
	product[T]
	rows, cols int // of a tile

	// The round: rows [i, i+ni) and columns [j, j+nj) of C, steps [l, l+nl).
	i, ni, j, nj, l, nl int

	tall, wide   int // the round in tiles
	down, across int // and in blocks: below each other, side by side

	memory           []T
	panelsA, panelsB []T // parts of memory
	pack, multiply   func(lo, hi int)
}

var (
	gemmRuns32 = sync.Pool{New: func() any { return newGemmRun[float32]() }}
	gemmRuns64 = sync.Pool{New: func() any { return newGemmRun[float64]() }}
)

func newGemmRun[T scalar]() *gemmRun[T] {
	r := new(gemmRun[T])
	r.pack, r.multiply = r.packPanels, r.multiplyBlocks
	return r
}

// gemmRuns returns the free runs for T.
func gemmRuns[T scalar]() *sync.Pool {
	if is32[T]() {
		return &gemmRuns32
	}
	return &gemmRuns64
}

// run computes p on the team.
func (p product[T]) run(t *team.Team) {
	if p.m*p.n*p.k < gemmAlone {
		t = nil
	}
	pool := gemmRuns[T]()
	r := pool.Get().(*gemmRun[T])
	r.product = p
	r.rounds(t)
	r.product = product[T]{}
	pool.Put(r)
}

// rounds goes through C by rounds: over k inside, so that a round finds c as the one
// before left it.
func (r *gemmRun[T]) rounds(t *team.Team) {
	r.rows, r.cols = gemmShape[T]()
	deep := min(r.k, gemmK)
	most := gemmBytes / r.size() / deep // lanes of A or B in a round
	tall := min(r.m, most/r.rows*r.rows)
	if t == nil {
		tall = min(tall, gemmBlock/r.size()/deep/r.rows*r.rows) // one block, which stays near
	}
	wide := min(r.n, most/r.cols*r.cols)
	r.reserve(ceil(tall, r.rows)*gemmLanes*deep, ceil(wide, r.cols)*r.cols*deep)
	for r.j = 0; r.j < r.n; r.j += wide {
		r.nj = min(wide, r.n-r.j)
		for r.l = 0; r.l < r.k; r.l += deep {
			r.nl = min(deep, r.k-r.l)
			for r.i = 0; r.i < r.m; r.i += tall {
				r.ni = min(tall, r.m-r.i)
				r.round(t)
			}
		}
	}
}

// size returns the bytes of an element.
func (r *gemmRun[T]) size() int { return int(unsafe.Sizeof(r.alpha)) }

// reserve makes room for a and b elements of panels, each from the start of a cache line.
func (r *gemmRun[T]) reserve(a, b int) {
	const line = 64
	size := r.size()
	a = ceil(a*size, line) * line / size
	if need := a + b + line/size; len(r.memory) < need {
		r.memory = make([]T, need)
	}
	skip := int(-uintptr(unsafe.Pointer(&r.memory[0]))%line) / size
	r.panelsA, r.panelsB = r.memory[skip:skip+a], r.memory[skip+a:skip+a+b]
}

// round packs what isn't packed yet and multiplies.
func (r *gemmRun[T]) round(t *team.Team) {
	panels := ceil(r.ni, r.rows)
	if r.i == 0 {
		panels += ceil(r.nj, r.cols) // all bands share B's
	}
	blocks := r.divide(t.Size())
	if t == nil {
		r.pack(0, panels)
		r.multiply(0, blocks)
		return
	}
	t.Launch(team.Launch{}, panels, r.pack)
	over := team.Span{
		Base:   unsafe.Pointer(&r.c[r.i*r.ldc+r.j]),
		Stride: uintptr(r.ni * r.ldc * r.size() / blocks),
	}
	// A block lasts so long that stealing costs nothing, and the team's other launches of as many
	// say little of what this one will take.
	t.Launch(team.Launch{Over: over, Schedule: team.Steal}, blocks, r.multiply)
}

// divide chooses the blocks for a number of workers and returns how many there are:
// whole bands of rows if those are enough to go round, parts of them otherwise.
func (r *gemmRun[T]) divide(workers int) int {
	r.tall, r.wide = ceil(r.ni, r.rows), ceil(r.nj, r.cols)
	r.down, r.across = ceil(r.tall, max(gemmBlock/(r.size()*r.nl*r.rows), 1)), 1
	if workers > 1 {
		const (
			each = 4 // blocks for each worker, so that none waits long for the last
			low  = 6 // tiles that make a band high enough
		)
		r.down = max(r.down, min(each*workers, ceil(r.tall, low)))
		if r.down > workers {
			r.down = min(ceil(r.down, workers)*workers, r.tall)
		}
		r.across = min(ceil(each*workers, r.down), r.wide)
	}
	return r.down * r.across
}

// packPanels packs the panels [lo, hi): A's come first, then B's.
func (r *gemmRun[T]) packPanels(lo, hi int) {
	fromA := ceil(r.ni, r.rows)
	for p := lo; p < min(hi, fromA); p++ {
		if i := r.i + p*r.rows; !r.directA(i) {
			r.a.pack(r.panelsA[p*gemmLanes*r.nl:], gemmLanes, r.alpha, i, min(gemmLanes, r.m-i), r.l, r.nl)
		}
	}
	for p := max(lo, fromA) - fromA; p < hi-fromA; p++ {
		if j := r.j + p*r.cols; !r.directB(j) {
			r.b.pack(r.panelsB[p*r.cols*r.nl:], r.cols, 1, j, min(r.cols, r.n-j), r.l, r.nl)
		}
	}
}

// directA reports whether tiles read the rows of A from i on where they are.
func (r *gemmRun[T]) directA(i int) bool {
	return r.m*r.k*r.size() <= gemmDirect && r.alpha == 1 && i+r.rows <= r.m && r.a.kind <= byStep
}

// directB reports whether tiles read the columns of B from j on where they are.
func (r *gemmRun[T]) directB(j int) bool {
	return r.n*r.k*r.size() <= gemmDirect && j+r.cols <= r.n && r.b.kind == byStep
}

// rowsOfA returns the rows of A from i on, and the strides of rows and steps.
func (r *gemmRun[T]) rowsOfA(i int) (x []T, ars, acs int) {
	switch {
	case !r.directA(i):
		return r.panelsA[(i-r.i)/r.rows*gemmLanes*r.nl:], 1, gemmLanes
	case r.a.kind == byLane:
		return r.a.x[i*r.a.ld+r.l:], r.a.ld, 1
	}
	return r.a.x[r.l*r.a.ld+i:], 1, r.a.ld
}

// colsOfB returns the columns of B from j on, and the strides of tiles and steps.
func (r *gemmRun[T]) colsOfB(j int) (x []T, bp, ldb int) {
	if r.directB(j) {
		return r.b.x[r.l*r.b.ld+j:], r.cols, r.b.ld
	}
	return r.panelsB[(j-r.j)*r.nl:], r.cols * r.nl, r.cols
}

// multiplyBlocks computes the blocks [lo, hi) of the round's part of C.
func (r *gemmRun[T]) multiplyBlocks(lo, hi int) {
	near := max(gemmNear/(r.size()*r.nl*r.cols), 1) * r.cols
	for block := lo; block < hi; block++ {
		y, x := block/r.across, block%r.across
		top, bottom := r.i+y*r.tall/r.down*r.rows, r.i+(y+1)*r.tall/r.down*r.rows
		j, end := r.j+x*r.wide/r.across*r.cols, r.j+(x+1)*r.wide/r.across*r.cols
		bottom, end = min(bottom, r.i+r.ni), min(end, r.j+r.nj)
		for ; j < end; j += near {
			for i := top; i < bottom; i += r.rows {
				r.row(i, j, min(j+near, end))
			}
		}
	}
}

// row computes the tiles of columns [j, end) whose first row is i.
func (r *gemmRun[T]) row(i, j, end int) {
	rows := min(r.rows, r.m-i)
	for j < end {
		if tiles := r.wholeTiles(i, j, end); tiles > 0 {
			a, ars, acs := r.rowsOfA(i)
			b, bp, ldb := r.colsOfB(j)
			gemmTiles(tiles, r.nl, a, ars, acs, b, bp, ldb, r.startFrom(), r.c[i*r.ldc+j:], r.ldc)
			j += tiles * r.cols
			continue
		}
		if cols := min(r.cols, r.n-j); !r.part.misses(i, rows, j, cols) {
			r.partOfTile(i, rows, j, cols)
		}
		j += r.cols
	}
}

// wholeTiles returns how many tiles from (i, j) on to end belong to C in full.
func (r *gemmRun[T]) wholeTiles(i, j, end int) int {
	if i+r.rows > r.m {
		return 0
	}
	switch r.part {
	case lower:
		end = min(end, i+1)
	case upper:
		if j < i+r.rows-1 {
			return 0
		}
	}
	return max(end-j, 0) / r.cols
}

// startFrom returns what C is multiplied with in this round.
func (r *gemmRun[T]) startFrom() T {
	if r.l > 0 {
		return 1
	}
	return r.beta
}

// partOfTile computes the tile at (i, j) at an edge of C, or on the diagonal: by way of a
// whole one.
func (r *gemmRun[T]) partOfTile(i, rows, j, cols int) {
	a, ars, acs := r.rowsOfA(i)
	b, bp, ldb := r.colsOfB(j)
	c := r.c[i*r.ldc+j:]
	var t [gemmLanes * gemmMaxCols]T
	for y := range rows {
		copy(t[y*r.cols:], c[y*r.ldc:][:cols])
	}
	gemmTiles(1, r.nl, a, ars, acs, b, bp, ldb, r.startFrom(), t[:], r.cols)
	for y := range rows {
		from, to := r.part.columns(i+y, j, cols)
		copy(c[y*r.ldc:][from:to], t[y*r.cols:][from:to])
	}
}

// misses reports whether no element of a rectangle of C belongs to the part.
func (p part) misses(i, rows, j, cols int) bool {
	return p == lower && i+rows <= j || p == upper && j+cols <= i
}

// columns returns which of cols elements of row i, from column j on, belong to the part.
func (p part) columns(i, j, cols int) (from, to int) {
	switch p {
	case lower:
		return 0, min(max(i+1-j, 0), cols)
	case upper:
		return min(max(i-j, 0), cols), cols
	}
	return 0, cols
}

func ceil(n, d int) int { return (n + d - 1) / d }
