package kernels

import (
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"runtime/trace"
	"strconv"
	"testing"
	"time"

	"github.com/numateam/numateam/asm/asmtest"
	"github.com/numateam/numateam/topology/topologytest"
)

// These are the cases kern-NN of the shared collection of bug reports that concern the
// streams and reductions. Those not here: kern-02 and kern-05 are in package asm's
// runner and TestDigests, kern-04 and kern-06 in args_test.go, kern-08 in package asm.

func TestKern01ScaleFollowsIEEE(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	asmtest.EachISA(t, func(t *testing.T) {
		for n := 1; n <= 67; n++ {
			x, y := make([]float64, n), make([]float64, n)
			x32, y32 := make([]float32, n), make([]float32, n)
			for _, v := range []float64{nan, inf, -inf, 1} {
				for _, a := range []float64{0, math.Copysign(0, -1), 1, 2, nan, inf} {
					Fill(nil, x, v)
					Fill(nil, x32, float32(v))
					Scale(nil, y, a, x)
					Scale(nil, y32, float32(a), x32)
					for i := range n {
						if !asmtest.Same(y[i], a*v) || !asmtest.Same(float64(y32[i]), a*v) {
							t.Fatalf("%v * %v at %d of %d: %v, %v", a, v, i, n, y[i], y32[i])
						}
					}
				}
			}
		}
	})
}

func TestKern03DotAtTheEdgeOfTheUnrolledLoop(t *testing.T) {
	var cases []struct {
		N   int
		Dot float64
	}
	topologytest.Case(t, &cases, "kern-03", "cases.json")
	a, b := make([]float32, 301), make([]float32, 301)
	for i := range a {
		a[i], b[i] = float32(i%3+1), float32(4-i%3)
	}
	asmtest.EachISA(t, func(t *testing.T) {
		for _, c := range cases {
			if got := Dot(nil, a[:c.N], b[:c.N]); float64(got) != c.Dot {
				t.Errorf("n = %d: %v, want %v", c.N, got, c.Dot)
			}
		}
		want := float32(0)
		for n := range 301 {
			if got := Dot(nil, a[:n], b[:n]); got != want {
				t.Errorf("n = %d: %v, want %v", n, got, want)
			}
			want += a[n] * b[n]
		}
	})
}

func TestKern07NeverFused(t *testing.T) {
	var cases []struct{ Type, A, X, Y, Separate string }
	topologytest.Case(t, &cases, "kern-07", "cases.json")
	bits := func(s string) uint64 {
		v, err := strconv.ParseUint(s, 0, 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, c := range cases {
		a, x, y, want := bits(c.A), bits(c.X), bits(c.Y), bits(c.Separate)
		if c.Type == "float32" {
			of := func(b uint64) float32 { return math.Float32frombits(uint32(b)) }
			testUnfused(t, of(a), of(x), of(y), of(want))
		} else {
			testUnfused(t, math.Float64frombits(a), math.Float64frombits(x), math.Float64frombits(y), math.Float64frombits(want))
		}
	}
}

func testUnfused[T Float](t *testing.T, a, x, y, want T) {
	asmtest.EachISA(t, func(t *testing.T) {
		for n := 1; n <= 40; n++ {
			xs, ys, sum := make([]T, n), make([]T, n), make([]T, n)
			Fill(nil, xs, x)
			Fill(nil, ys, y)
			Triad(nil, sum, ys, a, xs)
			Axpy(nil, a, xs, ys)
			for i := range n {
				if sum[i] != want || ys[i] != want {
					t.Fatalf("%v*%v + %v at %d of %d: triad %v, axpy %v, want %v", a, x, y, i, n, sum[i], ys[i], want)
				}
			}
		}
	})
}

func TestKern09ProfilesWhileKernelsRun(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "trace"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	runtime.SetBlockProfileRate(1)
	defer runtime.SetBlockProfileRate(0)
	if err := trace.Start(f); err != nil { // by the flag -trace
		topologytest.Missing(t, "can't trace: %v", err)
	}
	defer trace.Stop()
	o := newOperands[float32](longer)
	tm := threeWorkers(t)
	for end := time.Now().Add(time.Second); time.Now().Before(end); {
		for _, k := range ops[float32]() {
			k.run(tm, 0.7, o.dst, o.a, o.b)
			k.run(nil, 0.7, o.dst[:1000], o.a[:1000], o.b[:1000])
		}
	}
}

func TestKern11LongKernelsDoNotHoldUpTheCollector(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 256 MiB")
	}
	x := make([]float32, 1<<26)
	tm := threeWorkers(t)
	Fill(tm, x, 1)
	start := time.Now()
	Dot(nil, x, x)
	dot := time.Since(start)
	stop, stopped := make(chan bool), make(chan bool)
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				Dot(nil, x, x)
			}
		}
	}()
	before := stops()
	for range 20 {
		runtime.GC()
	}
	close(stop)
	<-stopped
	// If a stop had to wait for the end of a dot, most would for more than a quarter of it.
	after := stops()
	all, long := stopsAbove(before, after, 0), stopsAbove(before, after, dot/4)
	t.Logf("%d stops, %d of them above %v, the longest up to %v", all, long, dot/4, longest(before, after))
	if long > all/2 {
		t.Errorf("%d of %d stops took longer than a quarter of a dot's %v", long, all, dot)
	}
}

func TestKern13NoStateFromCallToCall(t *testing.T) {
	nan := float32(math.NaN())
	asmtest.EachISA(t, func(t *testing.T) {
		for n := 1; n <= 64; n++ {
			dirty, x, y, dst := make([]float32, 200), make([]float32, n), make([]float32, n), make([]float32, n)
			Fill(nil, dirty, nan)
			x[0] = 1
			Fill(nil, y, 0)
			y[0] = 1
			Dot(nil, dirty, dirty)
			if got := Dot(nil, x, y); got != 1 {
				t.Fatalf("dot of %d after NaN: %v", n, got)
			}
			Asum(nil, dirty)
			if got := Sum(nil, x); got != 1 {
				t.Fatalf("sum of %d after NaN: %v", n, got)
			}
			Triad(nil, dirty, dirty, nan, dirty)
			Triad(nil, dst, x, 2, y)
			if dst[0] != 3 || Asum(nil, dst) != 3 {
				t.Fatalf("triad of %d after NaN: %v", n, dst)
			}
		}
	})
}

// stops returns how often the collector waited how long for all threads to stop.
func stops() *metrics.Float64Histogram {
	sample := []metrics.Sample{{Name: "/sched/pauses/stopping/gc:seconds"}}
	metrics.Read(sample)
	return sample[0].Value.Float64Histogram()
}

// longest returns an upper bound for the longest wait that is in after but not in before.
func longest(before, after *metrics.Float64Histogram) time.Duration {
	for i := len(after.Counts) - 1; i >= 0; i-- {
		if after.Counts[i] > before.Counts[i] {
			return time.Duration(after.Buckets[i+1] * float64(time.Second))
		}
	}
	return 0
}

// stopsAbove returns how many of the waits that are in after but not in before were for d
// or longer.
func stopsAbove(before, after *metrics.Float64Histogram, d time.Duration) (n uint64) {
	for i := range after.Counts {
		if after.Buckets[i] >= d.Seconds() || d == 0 {
			n += after.Counts[i] - before.Counts[i]
		}
	}
	return n
}
