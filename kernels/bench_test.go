package kernels

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/numateam/numateam/asm/asmtest"
	"github.com/numateam/numateam/team"
)

// BenchmarkStreams measures the kernels in the caches and beyond, without a team and with
// one of all CPUs, x on 64 bytes and y at 192 modulo 4096. The GB/s are 10^9 bytes of the
// traffic in the kernels' comments.
func BenchmarkStreams(b *testing.B) {
	all, err := team.New(nil)
	if err != nil {
		b.Fatal(err)
	}
	defer all.Close()
	b.Run("T=float32", func(b *testing.B) { benchmark[float32](b, all) })
	b.Run("T=float64", func(b *testing.B) { benchmark[float64](b, all) })
}

func benchmark[T Float](b *testing.B, all *team.Team) {
	for _, n := range []int{100, 1000, 10_000, 100_000, 1_000_000, 10_000_000} {
		x, y, z := asmtest.At[T](n, 64), asmtest.At[T](n, 192), asmtest.At[T](n, 320)
		for _, k := range []struct {
			name    string
			streams int
			run     func(t *team.Team)
		}{
			{"fill", 1, func(t *team.Team) { Fill(t, y, 1) }},
			{"copy", 2, func(t *team.Team) { Copy(t, y, x) }},
			{"scale", 2, func(t *team.Team) { Scale(t, y, 1, x) }},
			{"add", 3, func(t *team.Team) { Add(t, z, x, y) }},
			{"triad", 3, func(t *team.Team) { Triad(t, z, x, 1, y) }},
			{"axpy", 3, func(t *team.Team) { Axpy(t, 0, x, y) }},
			{"dot", 2, func(t *team.Team) { Dot(t, x, y) }},
			{"sum", 1, func(t *team.Team) { Sum(t, x) }},
			{"asum", 1, func(t *team.Team) { Asum(t, x) }},
			{"nrm2", 1, func(t *team.Team) { Nrm2(t, x) }},
		} {
			for _, t := range []*team.Team{nil, all} {
				name := "none"
				if t != nil {
					name = "all"
				}
				b.Run(fmt.Sprintf("op=%s/team=%s/n=%d", k.name, name, n), func(b *testing.B) {
					b.SetBytes(int64(k.streams * n * int(unsafe.Sizeof(x[0]))))
					b.ReportAllocs()
					for b.Loop() {
						k.run(t)
					}
				})
			}
		}
	}
}

// BenchmarkCollectorDuringDot collects garbage while all CPUs work on dot products of 1 GiB,
// and reports how long it took at most to stop the world for that, and how many stops took
// longer than 1 ms. Beside a team's: goroutines that share nothing, each at its own part, as
// they are and each locked to a thread, which is what a team's workers can't do without; and
// one goroutine.
func BenchmarkCollectorDuringDot(b *testing.B) {
	all, err := team.New(nil)
	if err != nil {
		b.Fatal(err)
	}
	defer all.Close()
	x, y := make([]float32, 1<<27), make([]float32, 1<<27)
	Fill(all, x, 1)
	Fill(all, y, 1)
	for _, c := range []struct {
		name       string
		goroutines int
		locked     bool
		team       *team.Team
	}{
		{"team", 1, false, all},
		{"goroutines", all.Size(), false, nil},
		{"threads", all.Size(), true, nil},
		{"one", 1, false, nil},
	} {
		b.Run("work="+c.name, func(b *testing.B) {
			var stop atomic.Bool
			var working sync.WaitGroup
			part := len(x) / c.goroutines
			for i := range c.goroutines {
				working.Go(func() {
					if c.locked {
						runtime.LockOSThread()
						defer runtime.UnlockOSThread()
					}
					for !stop.Load() {
						Dot(c.team, x[i*part:(i+1)*part], y[i*part:(i+1)*part])
					}
				})
			}
			before := stops()
			for b.Loop() {
				runtime.GC()
			}
			after := stops()
			stop.Store(true)
			working.Wait()
			b.ReportMetric(float64(longest(before, after).Microseconds()), "µs/longest-stop")
			b.ReportMetric(float64(stopsAbove(before, after, time.Millisecond)), "stops>1ms")
		})
	}
}
