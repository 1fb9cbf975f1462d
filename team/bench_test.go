package team_test

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/numateam/numateam/team"
)

func BenchmarkLaunch(b *testing.B) {
	for _, schedule := range schedules {
		for _, workers := range []int{2, 16} {
			b.Run(fmt.Sprintf("%v/%d", schedule, workers), func(b *testing.B) {
				tm := newTeam(b, &team.Options{Schedule: schedule, Workers: workers})
				body := func(lo, hi int) {}
				lat := make([]time.Duration, b.N)
				b.ReportAllocs()
				for i := range lat {
					t := time.Now()
					tm.For(tm.Size(), body)
					lat[i] = time.Since(t)
				}
				slices.Sort(lat)
				b.ReportMetric(float64(lat[b.N/2]), "p50-ns")
				b.ReportMetric(float64(lat[b.N*99/100]), "p99-ns")
				s := tm.Stats()
				b.ReportMetric(float64(s.Rescued+s.Stolen)/float64(b.N), "rescued/op")
				b.ReportMetric(float64(s.Parks)/float64(b.N), "parks/op")
				b.ReportMetric(float64(s.Woken)/float64(b.N), "woken/op")
			})
		}
	}
}

// BenchmarkTwoLaunchers has two goroutines launch small work at once: on one team,
// and by goroutines and a WaitGroup.
func BenchmarkTwoLaunchers(b *testing.B) {
	body := func(lo, hi int) { spin(time.Microsecond) }
	both := func(b *testing.B, launch func()) {
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				for range b.N {
					launch()
				}
			})
		}
		wg.Wait()
	}
	parts := runtime.GOMAXPROCS(0)
	b.Run("team", func(b *testing.B) {
		tm := newTeam(b, nil)
		both(b, func() { tm.For(parts, body) })
	})
	b.Run("goroutines", func(b *testing.B) {
		both(b, func() {
			var wg sync.WaitGroup
			for i := range parts {
				wg.Go(func() { body(i, i+1) })
			}
			wg.Wait()
		})
	})
}
