package kernels

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/blas"

	"github.com/numateam/numateam/asm/asmtest"
)

// Many goroutines call routines of different sizes at once, some large enough for the one
// team, some not. Each result is right, and nobody starves: until the slowest goroutine
// has made its few calls, none makes more than a multiple of that.
func TestBLASConcurrent(t *testing.T) {
	const (
		each  = 4 // goroutines for each routine
		few   = 10
		ratio = 20
	)
	b := BLAS{Team: blasTeam(t, 2)}
	r := rand.New(rand.NewPCG(3, 3))
	const most = 70000 // larger than what one works on alone
	x, y := numbers[float64](r, most), numbers[float64](r, most)
	none, trans := blas.NoTrans, blas.Trans
	routines := map[string]func(c []float64){
		"gemm, team":  func(c []float64) { b.Dgemm(none, none, 110, 110, 110, 1, x, 110, y, 110, 0, c, 110) },
		"gemm, alone": func(c []float64) { b.Dgemm(none, trans, 40, 40, 40, 1, x, 40, y, 40, 0, c, 40) },
		"trsm": func(c []float64) {
			copy(c, y)
			b.Dtrsm(blas.Left, blas.Upper, none, blas.Unit, 30, 200, 0.01, x, 200, c, 200)
		},
		"gemv": func(c []float64) { b.Dgemv(trans, 200, 300, 1, x, 300, y, 1, 0, c, 1) },
		"axpy": func(c []float64) { copy(c, x); b.Daxpy(most, 0.3, y, 1, c, 1) },
	}
	var (
		wg      sync.WaitGroup
		waiting atomic.Int64 // goroutines that haven't made few calls
	)
	waiting.Store(int64(each * len(routines)))
	for name, call := range routines {
		want := make([]float64, most)
		call(want)
		for range each {
			wg.Go(func() {
				c := make([]float64, most)
				for calls := 1; waiting.Load() > 0; calls++ {
					call(c)
					if i := asmtest.Differ(c, want); i >= 0 {
						t.Errorf("%s: %v at %d, want %v", name, c[i], i, want[i])
						waiting.Store(0)
					}
					if calls == few {
						waiting.Add(-1)
					}
					if calls == ratio*few {
						t.Errorf("%s: %d calls, while %d others haven't made %d", name, calls, waiting.Load(), few)
						waiting.Store(0)
					}
					runtime.Gosched() // so that it's up to the team, not to time slices
				}
			})
		}
	}
	wg.Wait()
}
