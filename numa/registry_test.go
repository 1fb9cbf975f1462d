package numa

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"
)

func alloc[T Elem](t testing.TB, n int, o *Options) *Array[T] {
	t.Helper()
	a, err := Alloc[T](n, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

func TestLookup(t *testing.T) {
	parts := []Part{{End: 600, Node: 0, Worker: 1}, {End: 1000, Node: 0, Worker: 2}}
	a := alloc[float64](t, 1000, &Options{Policy: ByParts(parts), Owner: 7})
	b := alloc[int8](t, 3, nil)
	x, y := a.Slice(), b.Slice()
	for _, p := range []unsafe.Pointer{unsafe.Pointer(&x[0]), unsafe.Pointer(&x[999]), unsafe.Add(unsafe.Pointer(&x[999]), 7)} {
		r, ok := Lookup(p)
		if !ok || r.Base != unsafe.Pointer(&x[0]) || r.Bytes != 8000 || r.ElemSize != 8 || r.Owner != 7 || !slices.Equal(r.Parts, parts) {
			t.Errorf("Lookup(base+%d): %+v, %v", uintptr(p)-uintptr(unsafe.Pointer(&x[0])), r, ok)
		}
	}
	if r, ok := Lookup(unsafe.Pointer(&y[2])); !ok || r.Bytes != 3 || r.ElemSize != 1 {
		t.Errorf("Lookup of bytes: %+v, %v", r, ok)
	}
	outside := make([]byte, 1)
	for _, p := range []unsafe.Pointer{nil, unsafe.Add(unsafe.Pointer(&x[0]), 8000), unsafe.Pointer(&outside[0])} {
		if r, ok := Lookup(p); ok {
			t.Errorf("Lookup(%p), which is in no array: %+v", p, r)
		}
	}
	a.Close()
	if r, ok := Lookup(unsafe.Pointer(unsafe.SliceData(x))); ok {
		t.Errorf("after Close: %+v", r)
	}
}

func TestLookupAllocatesNothing(t *testing.T) {
	x := alloc[int64](t, 1<<10, nil).Slice()
	if n := testing.AllocsPerRun(100, func() { Lookup(unsafe.Pointer(&x[5])) }); n != 0 {
		t.Errorf("%v allocations per Lookup", n)
	}
}

func TestLive(t *testing.T) {
	before := len(Live())
	a, b := alloc[int32](t, 10, nil), alloc[int32](t, 20, nil)
	live := Live()
	if len(live) != before+2 {
		t.Fatalf("%d arrays more are live, want 2", len(live)-before)
	}
	for i := range live[1:] {
		if uintptr(live[i].Base) >= uintptr(live[i+1].Base) {
			t.Error("not in the order of addresses")
		}
	}
	for _, bytes := range []uintptr{40, 80} {
		if !slices.ContainsFunc(live, func(r Region) bool { return r.Bytes == bytes }) {
			t.Errorf("no array of %d bytes", bytes)
		}
	}
	a.Close()
	b.Close()
	if n := len(Live()); n != before {
		t.Errorf("%d arrays stay after Close", n-before)
	}
	if e := alloc[int32](t, 0, nil); len(Live()) != before || e.Slice() == nil {
		t.Error("an empty array is listed, or has no slice")
	}
}

func TestAtStake(t *testing.T) {
	two := machine(1, 1)
	two.Live = false
	r := func(o *Options) Region {
		x := alloc[int64](t, 4096, o).Slice()
		r, ok := Lookup(unsafe.Pointer(&x[0]))
		if !ok {
			t.Fatal("not found")
		}
		return r
	}
	if !r(&Options{Machine: two}).AtStake() {
		t.Error("first touch on two nodes: nothing at stake")
	}
	if r(&Options{Machine: machine(1)}).AtStake() {
		t.Error("one node: something at stake")
	}
	if (Region{}).AtStake() {
		t.Error("the zero region: something at stake")
	}
	refused := r(&Options{Machine: two, Policy: ByParts([]Part{{End: 4096, Node: 1}})})
	if !refused.AtStake() {
		t.Error("placing was refused: nothing at stake")
	}
	again, _ := Lookup(refused.Base)
	again.MarkTouched()
	if refused.AtStake() {
		t.Error("touched: still something at stake")
	}
}

// Readers find the arrays that stay, and nothing wrong, while others come and go.
func TestLookupWhileArraysComeAndGo(t *testing.T) {
	const kept = 50
	rounds := 300
	if testing.Short() {
		rounds = 50
	}
	var stay [kept]*Array[int16]
	for i := range stay {
		stay[i] = alloc[int16](t, 1+i, &Options{Owner: uint64(i + 1)})
	}
	var stop atomic.Bool
	var readers, writers sync.WaitGroup
	for g := range 4 {
		readers.Go(func() {
			rnd := rand.New(rand.NewPCG(1, uint64(g)))
			for !stop.Load() {
				i := rnd.IntN(kept)
				x := stay[i].Slice()
				r, ok := Lookup(unsafe.Pointer(&x[rnd.IntN(len(x))]))
				if !ok || r.Base != unsafe.Pointer(&x[0]) || r.Owner != uint64(i+1) {
					t.Errorf("array %d: %+v, %v", i, r, ok)
					return
				}
				runtime.Gosched()
			}
		})
	}
	for g := range 4 {
		writers.Go(func() {
			for i := range rounds {
				owner := uint64(1000 + g*rounds + i)
				a, err := Alloc[int16](5000, &Options{Owner: owner})
				if err != nil {
					t.Error(err)
					return
				}
				if r, ok := Lookup(unsafe.Pointer(&a.Slice()[4999])); !ok || r.Owner != owner {
					t.Errorf("a new array: %+v, %v", r, ok)
				}
				a.Close()
			}
		})
	}
	writers.Wait()
	stop.Store(true)
	readers.Wait()
}

// The cost of a lookup per reader, beside the same search under locks. With
// parallel readers the table's time falls with the CPUs, the locks' doesn't.
func BenchmarkLookup(b *testing.B) {
	for range 100 {
		alloc[int64](b, 512, nil)
	}
	x := alloc[int64](b, 512, nil).Slice()
	p := unsafe.Pointer(&x[100])
	var mutex sync.Mutex
	var rw sync.RWMutex
	for _, way := range []struct {
		name   string
		lookup func() (Region, bool)
	}{
		{"table", func() (Region, bool) { return Lookup(p) }},
		{"RWMutex", func() (Region, bool) { rw.RLock(); defer rw.RUnlock(); return Lookup(p) }},
		{"Mutex", func() (Region, bool) { mutex.Lock(); defer mutex.Unlock(); return Lookup(p) }},
	} {
		for _, readers := range []int{1, 2, 4, 16, 64} {
			b.Run(fmt.Sprintf("%s/readers=%d", way.name, readers), func(b *testing.B) {
				var wg sync.WaitGroup
				for r := range readers {
					wg.Go(func() {
						for range b.N/readers + b.N%readers*(1-min(r, 1)) {
							way.lookup()
						}
					})
				}
				wg.Wait()
			})
		}
	}
}

func BenchmarkAllocClose(b *testing.B) {
	for _, live := range []int{0, 1000} {
		b.Run(fmt.Sprintf("live=%d", live), func(b *testing.B) {
			for range live {
				alloc[int64](b, 512, nil)
			}
			for b.Loop() {
				a, err := Alloc[int64](512, nil)
				if err != nil {
					b.Fatal(err)
				}
				a.Close()
			}
		})
	}
}
