package numa

import (
	"maps"
	"slices"
	"unsafe"
)

// What [Pages] reports for a page that isn't on a node.
const (
	Untouched = -1 // nobody has written it: it has no memory of its own yet
	Unknown   = -2 // the system doesn't say
)

// A Residency counts the pages of a slice by the node that they are on.
type Residency struct {
	Nodes     map[int]int // pages on each node, by OS id
	Untouched int         // pages that nobody has written: without memory of their own
	Unknown   int         // pages of which the system says nothing
	PageSize  int         // bytes of a page here: the base page, also where huge ones lie behind it
}

// Pages returns how many pages were looked at.
func (r Residency) Pages() int {
	n := r.Untouched + r.Unknown
	for _, k := range r.Nodes {
		n += k
	}
	return n
}

// IDs returns the nodes that have pages, in ascending order.
func (r Residency) IDs() []int { return slices.Sorted(maps.Keys(r.Nodes)) }

// WhereIs counts the pages of x by the node that they are on. x can be any
// slice, one of the Go heap too; a page that x only has a part of counts whole.
// Where the system doesn't say, all pages are unknown and the error tells why.
//
// It asks in batches, so that its memory is bounded and other threads' page
// faults wait for no more than one. It takes about 0.1 µs a page; [Sample] is
// for slices where that is too long.
func WhereIs[T Elem](x []T) (Residency, error) { return Sample(x, 0) }

// Sample is WhereIs with at most about limit pages looked at, which are spread
// over all of x; 0 is no limit.
func Sample[T Elem](x []T, limit int) (Residency, error) {
	every := 1
	if limit > 0 {
		_, pages := pagesOf(unsafe.Pointer(unsafe.SliceData(x)), uintptr(len(x))*sizeof[T]())
		every = max(1, (pages+limit-1)/limit)
	}
	r := Residency{Nodes: map[int]int{}, PageSize: int(basePage)}
	err := Pages(x, every, func(_, node int) {
		switch node {
		case Untouched:
			r.Untouched++
		case Unknown:
			r.Unknown++
		default:
			r.Nodes[node]++
		}
	})
	return r, err
}

// Pages calls visit for the pages of x in ascending order, or for one of every
// so many, with the index of x's element at the page's first byte, 0 for a page
// that begins before x, and the page's node, [Untouched] or [Unknown]. Which of a
// run of pages is taken looks random, so that a pattern in their places doesn't
// repeat in what is seen. It panics if every is less than 1.
func Pages[T Elem](x []T, every int, visit func(first, node int)) error {
	return walk(unsafe.Pointer(unsafe.SliceData(x)), len(x), sizeof[T](), every, visit)
}

func sizeof[T Elem]() uintptr {
	var zero T
	return unsafe.Sizeof(zero)
}

// pagesOf returns the address of the first of the pages that the n bytes at p
// are in, and how many they are.
func pagesOf(p unsafe.Pointer, n uintptr) (first uintptr, count int) {
	first = uintptr(p) &^ (basePage - 1)
	return first, int((roundUp(uintptr(p)+n, basePage) - first) / basePage)
}

// batch is how many pages are asked for at once. The kernel itself takes its
// locks for 16 at a time.
const batch = 4096

func walk(base unsafe.Pointer, n int, elem uintptr, every int, visit func(first, node int)) error {
	if every < 1 {
		panic("numa: Pages: every is less than 1")
	}
	if n == 0 {
		return nil
	}
	start := uintptr(base)
	low, count := pagesOf(base, uintptr(n)*elem)
	var (
		pages  = make([]uintptr, 0, min(batch, (count+every-1)/every))
		status = make([]int32, cap(pages))
		failed error
	)
	flush := func() {
		err := support().Query
		if err == nil {
			err = query(pages, status)
		}
		for i, page := range pages {
			node := Unknown
			if err == nil {
				node = int(status[i])
			}
			first := 0
			if page > start {
				first = int((page - start) / elem)
			}
			visit(first, node)
		}
		if err != nil && failed == nil {
			failed = &Error{Call: "move_pages", Err: err, Hint: hint(err), Instead: "all pages count as unknown"}
		}
		pages = pages[:0]
	}
	for i := 0; i < count; i += every {
		k := i
		if every > 1 {
			k = min(count-1, i+int(scramble(uint64(i))%uint64(every)))
		}
		if pages = append(pages, low+uintptr(k)*basePage); len(pages) == cap(pages) {
			flush()
		}
	}
	if len(pages) > 0 {
		flush()
	}
	return failed
}

// scramble is the finishing step of splitmix64, by Sebastiano Vigna
// (https://prng.di.unimi.it/splitmix64.c).
func scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
