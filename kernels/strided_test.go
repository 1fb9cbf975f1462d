package kernels

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas/gonum"

	"github.com/numateam/numateam/asm/asmtest"
)

// Elements that are multiples of 4 KiB apart are scaled in their own way.
func TestScalColumn(t *testing.T) {
	b, g := BLAS{}, gonum.Implementation{}
	testScalColumn(t, b.Dscal, g.Dscal)
	testScalColumn(t, b.Sscal, g.Sscal)
}

func testScalColumn[T scalar](t *testing.T, ours, gonums func(n int, alpha T, x []T, inc int)) {
	r := rand.New(rand.NewPCG(3, 1))
	for _, n := range []int{1, fewSwap, fewSwap + 1, fewSwap + 2, fewSwap + 3, 100} {
		for _, inc := range []int{512, 1024, 2048, -1024} {
			for _, alpha := range []T{-0.7, 0, T(math.NaN())} {
				x := strided[T](r, n, inc)
				x[(n-1)/2*max(inc, 0)] = T(math.Inf(1))
				want := append([]T(nil), x...)
				ours(n, alpha, x, inc)
				gonums(n, alpha, want, inc)
				if i := asmtest.Differ(x, want); i >= 0 {
					t.Fatalf("n %d inc %d alpha %v: x[%d] = %v, gonum %v", n, inc, alpha, i, x[i], want[i])
				}
			}
		}
	}
}
