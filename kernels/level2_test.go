package kernels

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"

	"github.com/numateam/numateam/asm/asmtest"
)

func TestLevel2(t *testing.T) {
	gonumsBits(t)
	onEveryPath(t, func(t *testing.T, b BLAS) {
		g := gonum.Implementation{}
		testLevel2(t, b.Dgemv, g.Dgemv, b.Dger)
		testLevel2(t, b.Sgemv, g.Sgemv, b.Sger)
	})
}

type (
	gemvRoutine[T scalar] func(tA blas.Transpose, m, n int, alpha T, a []T, lda int, x []T, incX int, beta T, y []T, incY int)
	gerRoutine[T scalar]  func(m, n int, alpha T, x []T, incX int, y []T, incY int, a []T, lda int)
)

func testLevel2[T scalar](t *testing.T, gemv, gonumGemv gemvRoutine[T], ger gerRoutine[T]) {
	r := rand.New(rand.NewPCG(11, 11))
	for _, size := range [][2]int{{1, 1}, {2, 3}, {3, 2}, {7, 16}, {16, 7}, {33, 40}, {200, 130}, {3, 9000}, {9000, 3}, {530, 500}} {
		m, n := size[0], size[1]
		for range 6 {
			tA := pick(r, transposes)
			alpha, beta := pick(r, []T{1, -0.7, 0}), pick(r, []T{0, 1, 0.3})
			lda := n + r.IntN(3)
			lenX, lenY := swapIf(tA == blas.NoTrans, m, n)
			incX, incY := pick(r, increments), pick(r, increments)
			a, x, y := numbers[T](r, m*lda), strided[T](r, lenX, incX), strided[T](r, lenY, incY)
			y = y[:(lenY-1)*max(incY, -incY)+1] // gonum's sgemv clears what's behind, too
			if beta == 0 {
				y[start(lenY, incY)] = T(math.NaN())
			}
			bound := magnitudes(y)
			gonum.Implementation{}.Dgemv(tA, m, n, magnitude(alpha), magnitudes(a), lda, magnitudes(x), incX, magnitude(beta), bound, incY)
			want := append([]T(nil), y...)
			gonumGemv(tA, m, n, alpha, a, lda, x, incX, beta, want, incY)
			gemv(tA, m, n, alpha, a, lda, x, incX, beta, y, incY)
			within(t, "gemv", y, want, bound, lenX)
			if tA != blas.NoTrans && alpha != 0 && incX == 1 && incY == 1 {
				if i := asmtest.Differ(y, want); i >= 0 {
					t.Fatalf("transposed gemv %dx%d: %v at %d, gonum %v", m, n, y[i], i, want[i])
				}
			}

			x, y = strided[T](r, m, incX), strided[T](r, n, incY)
			want = append([]T(nil), a...)
			plainGer(m, n, alpha, x, incX, y, incY, want, lda)
			ger(m, n, alpha, x, incX, y, incY, a, lda)
			if i := asmtest.Differ(a, want); i >= 0 {
				t.Fatalf("ger %dx%d: %v at %d, want %v", m, n, a[i], i, want[i])
			}
		}
	}
}

// plainGer is the oracle for ger: gonum v0.17.0's assembly leaves columns out where
// incY is negative and n is 1.
func plainGer[T scalar](m, n int, alpha T, x []T, incX int, y []T, incY int, a []T, lda int) {
	if alpha == 0 {
		return
	}
	for i := range m {
		v := alpha * x[start(m, incX)+i*incX]
		for j := range n {
			a[i*lda+j] += T(v * y[start(n, incY)+j*incY])
		}
	}
}
