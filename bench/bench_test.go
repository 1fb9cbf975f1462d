package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/numateam/numateam/bench/peers"
	"github.com/numateam/numateam/team"
	"github.com/numateam/numateam/topology"
	"github.com/numateam/numateam/topology/topologytest"
)

func TestMain(m *testing.M) {
	HogMain()
	os.Exit(m.Run())
}

// near tells whether two figures agree as far as a table shows them.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(b) }

func TestCases(t *testing.T) {
	t.Run("bench-01", func(t *testing.T) {
		for bytes, want := range map[int64]string{1_000_000_000: "1.000 GB/s", 1 << 30: "1.074 GB/s"} {
			if got := FormatGBps(GBps(bytes, 1)) + " GB/s"; got != want {
				t.Errorf("%d bytes in 1 s: %s, want %s", bytes, got, want)
			}
		}
		var text, object bytes.Buffer
		p := &Report{Results: []Result{NewResult(Name("stream", "kernel", "fill"), 1<<30, []float64{1})}}
		if err := errors.Join(p.WriteText(&text), p.WriteJSON(&object)); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text.String(), "1.07") || strings.Contains(text.String(), "GiB") {
			t.Errorf("text:\n%s", &text)
		}
		if !strings.Contains(object.String(), `"gbps_best": 1.073741824`) {
			t.Errorf("JSON:\n%s", &object)
		}
	})
	t.Run("bench-02", func(t *testing.T) {
		var rows []struct {
			Kernel  string
			N       int64
			Elem    int
			Seconds float64
			Bytes   int64
			GBPerS  float64 `json:"gb_per_s"`
		}
		topologytest.Case(t, &rows, "bench-02", "cases.json")
		for _, r := range rows {
			traffic, ok := TrafficOf(r.Kernel)
			bytes := traffic.Bytes(r.N, r.Elem)
			if !ok || bytes != r.Bytes || !near(GBps(bytes, r.Seconds), r.GBPerS) {
				t.Errorf("%s: %d bytes, %v GB/s, want %d, %v", r.Kernel, bytes, GBps(bytes, r.Seconds), r.Bytes, r.GBPerS)
			}
		}
	})
	t.Run("bench-03", func(t *testing.T) { eachWorkers(t, elementsCounted) })
	t.Run("bench-04", func(t *testing.T) {
		var rows []struct {
			L3MiB       []int64 `json:"l3_mib"`
			MinArrayMiB *int64  `json:"min_array_mib"`
		}
		topologytest.Case(t, &rows, "bench-04", "cases.json")
		for _, r := range rows {
			var caches []int64
			for _, mib := range r.L3MiB {
				caches = append(caches, mib<<20)
			}
			got := ArrayBytes(caches)
			if r.MinArrayMiB == nil && got != DefaultArrayBytes || r.MinArrayMiB != nil && got < *r.MinArrayMiB<<20 {
				t.Errorf("%v: %d MiB, want %v", r.L3MiB, got>>20, r.MinArrayMiB)
			}
		}
	})
	t.Run("bench-05", func(t *testing.T) {
		t.Run("float32", wrongResults[float32])
		t.Run("float64", wrongResults[float64])
	})
	t.Run("bench-06", func(t *testing.T) {
		var rows []struct {
			Kernel string
			N      int64
			Elem   int
			Bytes  int64
		}
		topologytest.Case(t, &rows, "bench-06", "cases.json")
		for _, r := range rows {
			traffic, _ := TrafficOf(r.Kernel)
			if got := traffic.Bytes(r.N, r.Elem); got != r.Bytes {
				t.Errorf("%s: %d bytes, want %d", r.Kernel, got, r.Bytes)
			}
		}
	})
}

func TestTexts(t *testing.T) {
	for traffic, want := range map[Traffic]string{{}: "", {1, 0, 1}: "1 load", {0, 1, 0}: "1 store", {1, 1, 0}: "1 load, 1 store", {2, 2, 0}: "2 loads, 2 stores"} {
		if got := traffic.String(); got != want {
			t.Errorf("%+v: %q, want %q", traffic, got, want)
		}
	}
	for seconds, want := range map[float64]string{0: "0.00", 1.2e-10: "0.00012", 3.14159e-7: "0.314", 1e-7: "0.100", 2e-6: "2.00", 9.99e-5: "99.9", 1.2345e-4: "123", 12: "12000000"} {
		if got := microseconds(seconds); got != want {
			t.Errorf("%v s: %s us, want %s", seconds, got, want)
		}
	}
	for gbps, want := range map[float64]string{0.12345: "0.1235", 1.07374: "1.074", 9.9999: "10.00", 46.906: "46.91", 1234.5: "1234"} {
		if got := FormatGBps(gbps); got != want {
			t.Errorf("%v GB/s: %s, want %s", gbps, got, want)
		}
	}
}

func machine(t *testing.T) *topology.Machine {
	t.Helper()
	m, err := topology.Detect()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func eachWorkers(t *testing.T, f func(t *testing.T, workers int)) {
	for _, workers := range []int{1, 3, 4, 7} {
		t.Run(fmt.Sprintf("workers=%d", workers), func(t *testing.T) { f(t, workers) })
	}
}

// elementsCounted runs a kernel that counts what it's given: the result must
// count the same.
func elementsCounted(t *testing.T, workers int) {
	o := Options{Machine: machine(t), N: 2500, Repetitions: 2, Team: team.Options{Workers: workers}}
	k := Real[float32]()
	counted := 0
	fill := k.Fill
	k.Fill = func(t *team.Team, dst []float32, v float32) {
		counted = len(dst)
		fill(t, dst, v)
	}
	results, err := Stream(t.Context(), o, k)
	if err != nil {
		t.Fatal(err)
	}
	r := results[0]
	if r.Failed != "" || r.Bytes != int64(counted)*4 || r.Key("n") != "2500" || counted != 2500 {
		t.Errorf("counted %d elements: %+v", counted, r)
	}
	o.N = math.MaxInt
	n, note := o.elements(3, 4, o.Machine.Allowed)
	if n >= o.N || !strings.Contains(note, fmt.Sprint(n)) {
		t.Errorf("n = %d, note %q", n, note)
	}
}

// sabotaged returns kernels that leave out part of their work: each is handed
// what is left by cut.
func sabotaged[T Float](cut func(n int) (lo, hi int)) *Kernels[T] {
	k, real := &Kernels[T]{}, Real[T]()
	both := func(n int, f func(lo, hi int)) {
		lo, hi := cut(n)
		f(0, lo)
		f(hi, n)
	}
	k.Fill = func(t *team.Team, dst []T, v T) {
		both(len(dst), func(lo, hi int) { real.Fill(t, dst[lo:hi], v) })
	}
	k.Copy = func(t *team.Team, dst, src []T) {
		both(len(dst), func(lo, hi int) { real.Copy(t, dst[lo:hi], src[lo:hi]) })
	}
	k.Scale = func(t *team.Team, dst []T, a T, src []T) {
		both(len(dst), func(lo, hi int) { real.Scale(t, dst[lo:hi], a, src[lo:hi]) })
	}
	k.Add = func(t *team.Team, dst, a, b []T) {
		both(len(dst), func(lo, hi int) { real.Add(t, dst[lo:hi], a[lo:hi], b[lo:hi]) })
	}
	k.Triad = func(t *team.Team, dst, a []T, s T, b []T) {
		both(len(dst), func(lo, hi int) { real.Triad(t, dst[lo:hi], a[lo:hi], s, b[lo:hi]) })
	}
	k.Axpy = func(t *team.Team, a T, x, y []T) {
		both(len(y), func(lo, hi int) { real.Axpy(t, a, x[lo:hi], y[lo:hi]) })
	}
	k.Dot = func(t *team.Team, x, y []T) T {
		lo, hi := cut(len(x))
		return real.Dot(t, x[:lo], y[:lo]) + real.Dot(t, x[hi:], y[hi:])
	}
	return k
}

// wrongResults runs every bench of loops with right kernels, with ones that
// leave out the last element, and with ones that leave out one worker's part.
func wrongResults[T Float](t *testing.T) {
	const workers = 4
	benches := map[string]func(context.Context, Options, *Kernels[T]) ([]Result, error){
		"stream": Stream[T], "sweep": Sweep[T], "scaling": Scaling[T],
	}
	if k, ok := any(benches).(map[string]func(context.Context, Options, *Kernels[float64]) ([]Result, error)); ok {
		k["matrix"], k["roofline"] = Matrix, rooflineLoops
	}
	for name, bench := range benches {
		for _, n := range []int{10007, 1 << 16} {
			o := Options{Machine: machine(t), N: n, Repetitions: 2, Team: team.Options{Workers: workers}}
			t.Run(fmt.Sprintf("%s/n=%d/right", name, n), func(t *testing.T) {
				results, err := bench(t.Context(), o, Real[T]())
				if err != nil || len(results) == 0 {
					t.Fatal(len(results), err)
				}
				for _, r := range results {
					if r.Failed != "" || r.Summary.N != o.Repetitions {
						t.Errorf("%+v", r)
					}
				}
			})
			for what, cut := range map[string]func(n int) (lo, hi int){
				"last element":    func(n int) (int, int) { return n - 1, n },
				"a worker's part": func(n int) (int, int) { return n / workers, n / workers * 2 },
			} {
				t.Run(fmt.Sprintf("%s/n=%d/%s", name, n, what), func(t *testing.T) {
					results, err := bench(t.Context(), o, sabotaged[T](cut))
					if err != nil || len(results) == 0 {
						t.Fatal(len(results), err)
					}
					p := &Report{Results: results}
					for _, r := range results {
						if r.Bench() == "latency" {
							continue // not loops of the table
						}
						var size int
						fmt.Sscan(r.Key("n"), &size)
						lo, _ := cut(size)
						want := fmt.Sprintf("first wrong index %d:", lo)
						if r.Key("kernel") == "dot" {
							want = "result is "
						}
						if !strings.HasPrefix(r.Failed, want) || r.BestGBps != 0 || len(r.Seconds) != 0 {
							t.Errorf("%s: failed %q, want %q and no figure: %+v", r.Name, r.Failed, want, r)
						}
					}
					var text, lines bytes.Buffer
					if err := errors.Join(p.WriteText(&text), p.WriteBenchmark(&lines)); err != nil {
						t.Fatal(err)
					}
					if !strings.Contains(text.String(), "WRONG") || !strings.Contains(lines.String(), "--- FAIL") {
						t.Errorf("not marked as failed:\n%s\n%s", &text, &lines)
					}
				})
			}
		}
	}
}

func TestSums(t *testing.T) {
	// The closed form of dot's result, against the plain sum.
	for _, n := range []int{0, 1, 4095, 4096, 4097, 8190, 8191, 8192, 100_000} {
		sum := 0
		for i := range n {
			sum += int(unit[float64](i))
		}
		if got := unitSum(n); got != sum {
			t.Errorf("n = %d: %d, want %d", n, got, sum)
		}
	}
}

func TestSummary(t *testing.T) {
	s := Summarize([]float64{5, 1, 3, 2, 4})
	if s.Best != 1 || s.Worst != 5 || s.Median != 3 || s.Q1 != 2 || s.Q3 != 4 || s.N != 5 {
		t.Errorf("%+v", s)
	}
	if s := Summarize([]float64{7}); s.Best != 7 || s.P999 != 7 || s.Worst != 7 {
		t.Errorf("%+v", s)
	}
	if r := Ratio([][]float64{{2}, {4}, {9}}, [][]float64{{1}, {2}, {3}}); r != (Spread{2, 2, 2.5}) {
		t.Errorf("%+v", r)
	}
	if g := GeometricMean([]float64{1, 4}); !near(g, 2) {
		t.Errorf("geometric mean %v", g)
	}
	many := make([]float64, 10_000)
	for i := range many {
		many[i] = float64((i * 7919) % len(many))
	}
	kept := thin(many, 11)
	if len(kept) != 11 || kept[0] != 0 || kept[10] != 9999 || math.Abs(kept[5]-5000) > 1 {
		t.Errorf("deciles %v", kept)
	}
}

func TestChange(t *testing.T) {
	slow, fast := make([]float64, 20), make([]float64, 20)
	for i := range slow {
		slow[i], fast[i] = 100+float64(i%5), 80+float64(i%5)
	}
	if c := Change(slow, fast); c.High >= 1 || !near(c.Median, 82.0/102) {
		t.Errorf("a real change: %+v", c)
	}
	if c := Change(slow, slow); c.Low > 1 || c.High < 1 {
		t.Errorf("no change: %+v", c)
	}
}

// TestComparison writes, reads and compares reports.
func TestComparison(t *testing.T) {
	report := func(scale float64) *Report {
		var seconds []float64
		for i := range 20 {
			seconds = append(seconds, scale*(1e-3+1e-6*float64(i%5)))
		}
		wrong := Result{Name: "stream/kernel=copy", Failed: "first wrong index 3: 0, want 1"}
		return &Report{Env: Env{CPU: "test"}, Results: []Result{NewResult("stream/kernel=fill", 1e6, seconds), wrong}}
	}
	file := filepath.Join(t.TempDir(), "r.json")
	var data bytes.Buffer
	if err := report(1).WriteJSON(&data); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	before, err := ReadReport(file)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if n, err := WriteComparison(&text, before, report(0.5)); n != 2 || err != nil || !strings.Contains(text.String(), "-50.0 %") || !strings.Contains(text.String(), "WRONG") {
		t.Errorf("%d %v\n%s", n, err, &text)
	}
	text.Reset()
	if _, err := WriteComparison(&text, before, report(1)); err != nil || !strings.Contains(text.String(), "~") {
		t.Errorf("%v\n%s", err, &text)
	}
	for _, content := range []string{"", "{", `{"results": 3}`} {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadReport(file); err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("%q: %v", content, err)
		}
	}
}

// TestBenchmarkFormat reads back, as benchstat does, what is written for it: every
// sample of every result, however it's named, and nothing that splits two runs on one
// machine into two tables.
func TestBenchmarkFormat(t *testing.T) {
	e := Env{CPU: "test cpu", OS: "linux", Arch: "amd64", CPUs: 4, Nodes: 2, Go: "go1.26", ISA: "avx2", Kernel: "6.1", Load: "0 0 0", Revision: "abc"}
	p := &Report{Env: e, Results: []Result{
		NewResult(Name("stream", "kernel", "triad", "n", 100), 2400, []float64{1e-6, 2e-6}),
		NewResult(Name("launch", "gap", 50*time.Microsecond, "who", "libgomp"), 0, []float64{3e-7}),
		NewResult(Name("peers", "case", "fill n=8, 2 threads", "who", "numateam"), 32, []float64{1e-8}),
		{Name: Name("stream", "kernel", "fill"), Failed: "first wrong index 3: 0, want 1"},
	}}
	var b strings.Builder
	if err := p.WriteBenchmark(&b); err != nil {
		t.Fatal(err)
	}
	type sample struct {
		name         string
		seconds, gbs float64
	}
	want := []sample{
		{"Stream/kernel=triad/n=100", 1e-6, 2.4}, {"Stream/kernel=triad/n=100", 2e-6, 1.2},
		{"Launch/gap=50µs/who=libgomp", 3e-7, 0},
		{"Peers/case=fill_n=8,_2_threads/who=numateam", 1e-8, 3.2},
	}
	var got []sample
	r := benchfmt.NewReader(strings.NewReader(b.String()), "out.bench")
	for r.Scan() {
		switch rec := r.Result().(type) {
		case *benchfmt.Result:
			seconds, _ := rec.Value("sec/op")
			gbs, _ := rec.Value("GB/s")
			got = append(got, sample{rec.Name.String(), seconds, gbs})
			keys := ""
			for _, c := range rec.Config {
				keys += c.Key + " "
			}
			if keys != "goos goarch pkg cpu cpus nodes " || rec.GetConfig("cpu") != "test cpu" || rec.GetConfig("nodes") != "2" {
				t.Errorf("keys %q", keys)
			}
		case *benchfmt.UnitMetadata:
			if rec.OrigUnit != "GB/s" || rec.Key != "better" || rec.Value != "higher" {
				t.Errorf("%+v", rec)
			}
		case *benchfmt.SyntaxError:
			t.Error(rec)
		}
	}
	if err := r.Err(); err != nil || !slices.EqualFunc(got, want, func(a, b sample) bool {
		return a.name == b.name && near(a.seconds, b.seconds) && near(a.gbs, b.gbs)
	}) {
		t.Errorf("%v: read %v, want %v of\n%s", err, got, want, &b)
	}
}

// TestPrivateLastCache: a cache that one of two cores has to itself isn't the last.
func TestPrivateLastCache(t *testing.T) {
	for description, want := range map[string]int{"package:1 l2:2:1M core:1": 0, "package:1 l2:1:1M core:1": 1, "package:1 l3:2:8M core:2": 2} {
		m, err := topology.Parse(description)
		if err != nil {
			t.Fatal(err)
		}
		if got := LastLevelCaches(m, m.Online); len(got) != want {
			t.Errorf("%s: %v, want %d caches", description, got, want)
		}
	}
}

// TestPeerFails lets a peer end in the middle: its rows say so, the others have their
// figures, and they can be drawn.
func TestPeerFails(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		topologytest.Missing(t, "no shell to play a peer: %v", err)
	}
	mortal := func(answers int) *peers.Peer {
		script := filepath.Join(t.TempDir(), "peer")
		text := "#!" + bash + "\necho ready libgomp\n" + strings.Repeat("read x; echo 2 2\n", answers)
		if err := os.WriteFile(script, []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
		peer, err := peers.Start(t.Context(), script)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { peer.Close() })
		return peer
	}
	l := &Lineup{Running: map[string]*peers.Peer{"libgomp": mortal(3)}}
	ours := func(context.Context) ([]float64, error) { return []float64{1}, nil }
	request := map[string]string{"libgomp": "work"}
	results, err := compare(t.Context(), Options{Quick: true}, l, []comparison{
		{name: "first", ours: ours, request: request}, {name: "second", ours: ours, request: request},
	})
	if err != nil || len(results) != 4 || results[1].Ratio == nil || results[1].Ratio.Median != 2 ||
		results[3].Failed == "" || results[2].Summary.N != 2 {
		t.Fatalf("%+v, %v", results, err)
	}
	if err := (&Report{Results: results}).Err(); err != nil {
		t.Error(err)
	}
	var table strings.Builder
	if err := WritePeers(&table, results, nil); err != nil || !strings.Contains(table.String(), "libgomp   failed") {
		t.Errorf("%v\n%s", err, &table)
	}

	o := Options{Machine: machine(t), Team: team.Options{Workers: 2}, Quick: true}
	tm, err := o.newTeam(0)
	if err != nil {
		t.Fatal(err)
	}
	defer tm.Close()
	launches, err := Launch(t.Context(), o, LaunchGaps[2:3], launchers(tm, map[string]*peers.Peer{"libgomp": mortal(2)}, "libgomp"))
	if err != nil {
		t.Fatal(err)
	}
	cells, err := RunScenarios(t.Context(), o, Scenarios()[:2], mortal(4))
	if err != nil {
		t.Fatal(err)
	}
	p := &Report{Results: append(launches, cells...)}
	table.Reset()
	if err := errors.Join(p.WriteText(&table), WriteScenarios(&table, cells), p.Err()); err != nil || len(p.Failed()) != 2 ||
		!strings.Contains(table.String(), "libgomp: failed: peer libgomp no longer runs") {
		t.Errorf("%v, %d of the peer's results failed:\n%s", err, len(p.Failed()), &table)
	}
	for _, draw := range []func() (*Figure, error){
		func() (*Figure, error) { return PlotLatency("launches", Env{}, launches) },
		func() (*Figure, error) { return PlotGrid("cells", Env{}, "", "", "%g", ScenarioGrid(cells, "libgomp")) },
	} {
		f, err := draw()
		if err == nil {
			err = f.Save(filepath.Join(t.TempDir(), "a.png"))
		}
		if err != nil {
			t.Error(err)
		}
	}
}

func TestAlternate(t *testing.T) {
	var order strings.Builder
	who := func(name string) Contender {
		return Contender{Name: name, Run: func(context.Context) ([]float64, error) { order.WriteString(name); return []float64{1}, nil }}
	}
	samples, err := Alternate(t.Context(), 3, []Contender{who("a"), who("b"), who("c")})
	if err != nil || len(samples) != 3 || len(samples[2]) != 3 || order.String() != "cbabcabacabc" {
		t.Errorf("%v %v %s", samples, err, &order)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Alternate(ctx, 3, []Contender{who("a")}); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	broken := Contender{Name: "broken", Run: func(context.Context) ([]float64, error) { return nil, errors.New("no result") }}
	if _, err := Alternate(t.Context(), 1, []Contender{broken}); err == nil || !strings.Contains(err.Error(), "broken: no result") {
		t.Errorf("failed: %v", err)
	}
	// A guest that breaks loses its samples, and the others go on.
	runs := 0
	guest := Contender{Name: "guest", Guest: true, Run: func(context.Context) ([]float64, error) {
		if runs++; runs == 3 {
			return nil, errors.New("gone")
		}
		return []float64{1}, nil
	}}
	both := []Contender{who("a"), guest}
	samples, err = Alternate(t.Context(), 5, both)
	if err != nil || runs != 3 || len(samples[0]) != 5 || samples[1] != nil || both[1].Failed == nil {
		t.Errorf("%v, %v after %d runs: %v", samples, err, runs, both[1].Failed)
	}
}

// TestLaunches runs the launch bench with few launches.
func TestLaunches(t *testing.T) {
	tm, err := team.New(&team.Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer tm.Close()
	results, err := alternateLaunches(t.Context(), launchers(tm, nil), 100*time.Microsecond, 2, 20, func(who string) string { return who })
	if err != nil || len(results) != 2 || results[0].Summary.N != 40 || results[1].Ratio == nil {
		t.Errorf("%+v, %v", results, err)
	}
	for _, n := range []int{0, 1, 2, 100} {
		if err := eachOnce(tm, n); err != nil {
			t.Error(n, err)
		}
	}
}

func TestScenarios(t *testing.T) {
	cells := Scenarios()
	if len(cells) != 144 {
		t.Fatalf("%d cells", len(cells))
	}
	var openmp *peers.Peer
	if lineup, err := StartPeers(t.Context(), t.TempDir(), "libgomp"); err != nil {
		t.Fatal(err)
	} else {
		defer lineup.Close()
		openmp = lineup.Running["libgomp"]
	}
	o := Options{Machine: machine(t), Team: team.Options{Workers: 2}}
	results, err := RunScenarios(t.Context(), o, []Scenario{{64, 16, false, 1}, {64, 2, true, 1}}, openmp)
	if err != nil {
		t.Fatal(err)
	}
	means, worst := ScenarioMeans(results)
	if means["goroutines"] <= 0 || worst.Ratio == nil {
		t.Errorf("%v %v", means, worst)
	}
	var text strings.Builder
	if err := WriteScenarios(&text, results); err != nil || !strings.Contains(text.String(), "64, memory") {
		t.Errorf("%v\n%s", err, &text)
	}

	r := &scenarioRunner{}
	if seconds, err := r.run(t.Context(), Scenario{64, 3, false, 8}, 4, onGoroutines(2)); err != nil || len(seconds) != 32 {
		t.Errorf("eight callers: %d samples, %v", len(seconds), err)
	}
	_, err = r.run(t.Context(), Scenario{64, 16, false, 1}, 1, func(c *scenarioCall) { c.body(0, 15) })
	var wrong *WrongError
	if !errors.As(err, &wrong) || wrong.Index != 15 {
		t.Errorf("a loop without its last task: %v", err)
	}
}

func TestHogs(t *testing.T) {
	hogs, err := StartHogs(topology.SetOf(machine(t).CPUs[0].ID))
	if err != nil {
		topologytest.Missing(t, "no processes here: %v", err)
	}
	time.Sleep(20 * time.Millisecond)
	hogs.Stop()
	for _, p := range hogs.processes {
		if p.ProcessState == nil {
			t.Error("a hog is left")
		}
	}
}

func TestMatrixGrid(t *testing.T) {
	var results []Result
	for c := range 2 {
		for m := range 2 {
			name := Name("matrix", "cpus", c, "memory", m)
			results = append(results, NewResult(name, int64(1e9*(1+c+2*m)), []float64{1}), NewResult(name, 0, []float64{1e-7}))
		}
	}
	g := MatrixGrid(results, false)
	if g.Value[0][0] != 1 || g.Value[1][0] != 2 || g.Value[0][1] != 3 || g.Value[1][1] != 4 {
		t.Errorf("%v", g)
	}
	if g := MatrixGrid(results, true); !near(g.Value[1][1], 100) {
		t.Errorf("%v", g)
	}
}

// TestRandomCycle: one cycle, through every line.
func TestRandomCycle(t *testing.T) {
	for _, lines := range []int{2, 3, 1000} {
		next := make([]uint64, lines*lineWords)
		randomCycle(next, lines)
		steps, at := 1, next[0]
		for ; at != 0 && steps <= lines; at = next[at] {
			steps++
		}
		if steps != lines {
			t.Errorf("%d lines: home after %d steps", lines, steps)
		}
	}
}
