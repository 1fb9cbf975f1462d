package bench_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/numateam/numateam/bench"
	"github.com/numateam/numateam/team"
	"github.com/numateam/numateam/topology"
)

// STREAM's loops on this machine, as numabench's stream measures them.
func ExampleStream() {
	m, err := topology.Detect()
	if err != nil {
		log.Fatal(err)
	}
	o := bench.Options{Machine: m, Team: team.Options{Placement: team.NUMA}, Repetitions: 5}
	results, err := bench.Stream(context.Background(), o, bench.Real[float64]())
	if err != nil {
		log.Fatal(err)
	}
	report := &bench.Report{Env: bench.Describe(m), Results: results}
	fmt.Println(report.Env)
	if err := report.WriteText(os.Stdout); err != nil {
		log.Fatal(err)
	}
	if err := report.Err(); err != nil { // a wrong result has no figure
		log.Fatal(err)
	}
}

func ExampleTraffic() {
	triad, _ := bench.TrafficOf("triad")
	moved := triad.Bytes(1<<20, 8)
	fmt.Printf("%v: %d bytes in 1 ms are %s GB/s\n", triad, moved, bench.FormatGBps(bench.GBps(moved, 1e-3)))
	// Output: 2 loads, 1 store: 25165824 bytes in 1 ms are 25.17 GB/s
}

// Two contenders in turn: the ratio is the median over the turns, with its quartiles.
func ExampleAlternate() {
	takes := func(seconds float64) func(context.Context) ([]float64, error) {
		return func(context.Context) ([]float64, error) { return []float64{seconds, seconds}, nil }
	}
	samples, err := bench.Alternate(context.Background(), 5, []bench.Contender{
		{Name: "ours", Run: takes(0.010)}, {Name: "theirs", Run: takes(0.015)},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.2f\n", bench.Ratio(samples[1], samples[0]).Median)
	// Output: 1.50
}
