package kernels

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"

	"github.com/numateam/numateam/asm/asmtest"
)

// The plain loops over a few elements give the bits of those over many.
func TestFewElements(t *testing.T) {
	onEveryPath(t, func(t *testing.T, b BLAS) {
		testFew(t, b.Ddot, b.Dasum, b.Dgemv)
		testFew(t, b.Sdot, b.Sasum, b.Sgemv)
	})
}

func testFew[T scalar](t *testing.T, dot func(n int, x []T, incX int, y []T, incY int) T,
	asum func(n int, x []T, incX int) T, gemv gemvRoutine[T]) {
	r := rand.New(rand.NewPCG(5, 12))
	// Half of the elements are -0, or special in another way.
	vector := func(n int) []T {
		x := numbers[T](r, n)
		for i := range x {
			switch r.IntN(8) {
			case 0, 1, 2:
				x[i] = T(math.Copysign(0, -1))
			case 3:
				x[i] = pick(r, asmtest.Specials[T]())
			}
		}
		return x
	}
	for n := 1; n <= 2*fewScal; n++ {
		for range 50 {
			x, y := vector(n), vector(n)
			if got, want := dot(n, x, 1, y, 1), Dot(nil, x, y); !asmtest.Same(got, want) {
				t.Fatalf("dot of %v and %v: %v, want %v", x, y, got, want)
			}
			if got, want := asum(n, x, 1), Asum(nil, x); !asmtest.Same(got, want) {
				t.Fatalf("asum of %v: %v, want %v", x, got, want)
			}
		}
	}
	for m := 1; m <= 2*fewDot; m++ {
		for n := 1; n <= 2*fewDot; n++ {
			for range 10 {
				alpha, beta, lda := pick(r, []T{1, -0.7}), pick(r, []T{0, 1, 0.3}), n+r.IntN(3)
				a, x, y := vector(m*lda), vector(n), vector(m)
				want := make([]T, m)
				for i := range want {
					want[i] = T(alpha * Dot(nil, a[i*lda:][:n], x))
					if beta != 0 {
						want[i] += T(beta * y[i])
					}
				}
				gemv(blas.NoTrans, m, n, alpha, a, lda, x, 1, beta, y, 1)
				if i := asmtest.Differ(y, want); i >= 0 {
					t.Fatalf("gemv %dx%d: %v at %d, want %v", m, n, y[i], i, want[i])
				}
			}
		}
	}
}
