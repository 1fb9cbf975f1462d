package numa_test

import (
	"errors"
	"flag"
	"fmt"
	"log"
	"unsafe"

	"github.com/numateam/numateam/numa"
	"github.com/numateam/numateam/topology"
)

func ExampleAlloc() {
	x, err := numa.Alloc[float64](1_000_000, &numa.Options{Policy: numa.Interleave(topology.Set{})})
	if err != nil {
		log.Fatal(err)
	}
	defer x.Close()
	if err := x.Outcome().Err; err != nil {
		log.Print("not placed: ", err) // usable all the same
	}
	sum := 0.0
	for i := range x.Slice() {
		x.Slice()[i] = 2
		sum += x.Slice()[i]
	}
	fmt.Println(len(x.Slice()), sum)
	// Output: 1000000 2e+06
}

// A strict array is placed as asked, or not at all.
func ExampleAlloc_strict() {
	_, err := numa.Alloc[byte](1<<20, &numa.Options{Policy: numa.Bind(topology.SetOf(4711)), Strict: true})
	fmt.Println(errors.Is(err, numa.ErrNode) || errors.Is(err, errors.ErrUnsupported))
	// Output: true
}

// Any slice can be asked where its pages are.
func ExampleWhereIs() {
	x := make([]int64, 1<<20)
	for i := range x {
		x[i] = int64(i)
	}
	where, err := numa.WhereIs(x)
	if err != nil {
		log.Print(err) // the system doesn't say: all pages are unknown
	}
	for _, node := range where.IDs() {
		fmt.Printf("node %d: %d of %d pages\n", node, where.Nodes[node], where.Pages())
	}
}

func ExampleLookup() {
	x, err := numa.Alloc[float32](1000, &numa.Options{Owner: 7})
	if err != nil {
		log.Fatal(err)
	}
	defer x.Close()
	region, ok := numa.Lookup(unsafe.Pointer(&x.Slice()[500]))
	fmt.Println(ok, region.Owner, region.Bytes)
	y := make([]float32, 1000)
	_, ok = numa.Lookup(unsafe.Pointer(&y[500]))
	fmt.Println(ok)
	// Output:
	// true 7 4000
	// false
}

func ExamplePolicy() {
	var p numa.Policy
	f := flag.NewFlagSet("program", flag.ContinueOnError)
	f.TextVar(&p, "memory", numa.FirstTouch(), "where arrays lie")
	if err := f.Parse([]string{"-memory", "bind:0-1"}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(p, "names nodes", p.Nodes())
	// Output: bind:0-1 names nodes 0-1
}
