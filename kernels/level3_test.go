package kernels

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"

	"github.com/numateam/numateam/asm/asmtest"
)

// Each element that BLAS computes with roundings in another order than gonum is a sum of
// k products, and each product takes part in at most k+3 roundings: its own, one in each
// addition, and those for alpha, beta and a reciprocal. Each rounding is off by
// eps/2 at most, on either side, so that results differ by no more than (k+3)*eps
// times the sum of the products' absolute values.

// within compares with gonum's results. bound holds each element's sum of absolute values.
func within[T scalar](t *testing.T, what string, got, gonums []T, bound []float64, k int) {
	t.Helper()
	for i, v := range got {
		most := float64(k+3) * epsilon[T]() * bound[i]
		d := math.Abs(float64(v) - float64(gonums[i]))
		if !(d <= most) && v != gonums[i] && (v == v || gonums[i] == gonums[i]) {
			t.Fatalf("%s: %v at %d, gonum %v: off by %g, bound %g", what, v, i, gonums[i], d, most)
		}
	}
}

// epsilon returns the distance from 1 to the next number.
func epsilon[T scalar]() float64 {
	if is32[T]() {
		return 0x1p-23
	}
	return 0x1p-52
}

func magnitude[T scalar](v T) float64 { return math.Abs(float64(v)) }

// magnitudes returns the absolute values of x.
func magnitudes[T scalar](x []T) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = magnitude(v)
	}
	return y
}

var level3Sizes = []int{1, 2, 5, 15, 16, 17, 33, 70, 130}

func TestSyrk(t *testing.T) {
	onEveryPath(t, func(t *testing.T, b BLAS) {
		testSyrk(t, b.Dsyrk)
		testSyrk(t, b.Ssyrk)
	})
}

// syrk is gemm in a triangle, and leaves the other one alone.
func testSyrk[T scalar](t *testing.T, syrk func(ul blas.Uplo, tA blas.Transpose, n, k int, alpha T, a []T, lda int, beta T, c []T, ldc int)) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 60 {
		n, k, ul, tA := pick(r, level3Sizes), pick(r, level3Sizes), pick(r, uplos), pick(r, transposes)
		alpha, beta := pick(r, []T{1, -0.7, 0}), pick(r, []T{0, 1, 0.3})
		ld := max(n, k) + 1
		a, c := numbers[T](r, ld*ld), numbers[T](r, n*ld)
		want := append([]T(nil), c...)
		full := append([]T(nil), c...)
		tB := blas.Trans
		if tA != blas.NoTrans {
			tB = blas.NoTrans
		}
		if alpha == 0 {
			scaleRows(n, n, beta, full, ld)
		} else {
			chain(tA, tB, n, n, k, alpha, a, ld, a, ld, beta, full, ld)
		}
		for i := range n {
			from, to := triangle(ul).columns(i, 0, n)
			copy(want[i*ld+from:i*ld+to], full[i*ld+from:])
		}
		syrk(ul, tA, n, k, alpha, a, ld, beta, c, ld)
		if i := asmtest.Differ(c, want); i >= 0 {
			t.Fatalf("%c%c n %d, k %d: %v at (%d, %d), want %v", ul, tA, n, k, c[i], i/ld, i%ld, want[i])
		}
	}
}

func TestSymm(t *testing.T) {
	onEveryPath(t, func(t *testing.T, b BLAS) {
		testSymm(t, b.Dsymm)
		testSymm(t, b.Ssymm)
	})
}

// symm is gemm with the other triangle filled in.
func testSymm[T scalar](t *testing.T, symm func(s blas.Side, ul blas.Uplo, m, n int, alpha T, a []T, lda int, b []T, ldb int, beta T, c []T, ldc int)) {
	r := rand.New(rand.NewPCG(6, 6))
	for range 60 {
		m, n, ul, s := pick(r, level3Sizes), pick(r, level3Sizes), pick(r, uplos), pick(r, sides)
		alpha, beta := pick(r, []T{1, -0.7, 0}), pick(r, []T{0, 1, 0.3})
		k := n
		if s == blas.Left {
			k = m
		}
		lda, ld := k+1, n+2
		a, x, c := numbers[T](r, k*lda), numbers[T](r, m*ld), numbers[T](r, m*ld)
		full := make([]T, k*lda)
		for i := range k {
			for j := range k {
				full[i*lda+j] = a[i*lda+j]
				if (i > j) == (ul == blas.Upper) {
					full[i*lda+j] = a[j*lda+i]
				}
			}
		}
		want := append([]T(nil), c...)
		switch {
		case alpha == 0:
			scaleRows(m, n, beta, want, ld)
		case s == blas.Left:
			chain(blas.NoTrans, blas.NoTrans, m, n, k, alpha, full, lda, x, ld, beta, want, ld)
		default:
			chain(blas.NoTrans, blas.NoTrans, m, n, k, alpha, x, ld, full, lda, beta, want, ld)
		}
		symm(s, ul, m, n, alpha, a, lda, x, ld, beta, c, ld)
		if i := asmtest.Differ(c, want); i >= 0 {
			t.Fatalf("%c%c %dx%d: %v at (%d, %d), want %v", s, ul, m, n, c[i], i/ld, i%ld, want[i])
		}
	}
}

type (
	gemmRoutine[T scalar]       func(tA, tB blas.Transpose, m, n, k int, alpha T, a []T, lda int, b []T, ldb int, beta T, c []T, ldc int)
	triangularRoutine[T scalar] func(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha T, a []T, lda int, b []T, ldb int)
)

func TestGemmNearGonum(t *testing.T) {
	onEveryPath(t, func(t *testing.T, b BLAS) {
		g := gonum.Implementation{}
		testGemmNear(t, b.Dgemm, g.Dgemm)
		testGemmNear(t, b.Sgemm, g.Sgemm)
	})
}

func testGemmNear[T scalar](t *testing.T, ours, gonums gemmRoutine[T]) {
	r := rand.New(rand.NewPCG(13, 13))
	for range 40 {
		m, n, k := pick(r, level3Sizes), pick(r, level3Sizes), pick(r, level3Sizes)
		tA, tB, alpha, beta := pick(r, transposes), pick(r, transposes), pick(r, []T{1, -0.7}), pick(r, []T{0, 1, 0.3})
		ld := max(m, n, k) + 1
		a, b, c := numbers[T](r, ld*ld), numbers[T](r, ld*ld), numbers[T](r, ld*ld)
		bound, want := magnitudes(c), slices.Clone(c)
		gonum.Implementation{}.Dgemm(tA, tB, m, n, k, magnitude(alpha), magnitudes(a), ld, magnitudes(b), ld, magnitude(beta), bound, ld)
		gonums(tA, tB, m, n, k, alpha, a, ld, b, ld, beta, want, ld)
		ours(tA, tB, m, n, k, alpha, a, ld, b, ld, beta, c, ld)
		within(t, fmt.Sprintf("gemm %c%c", tA, tB), c, want, bound, k)
	}
}

func TestTriangular(t *testing.T) {
	onEveryPath(t, func(t *testing.T, b BLAS) {
		g := gonum.Implementation{}
		testTriangular(t, solve, b.Dtrsm, g.Dtrsm)
		testTriangular(t, solve, b.Strsm, g.Strsm)
		testTriangular(t, apply, b.Dtrmm, g.Dtrmm)
		testTriangular(t, apply, b.Strmm, g.Strmm)
	})
}

func testTriangular[T scalar](t *testing.T, op triangleOp, ours, gonums triangularRoutine[T]) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 80 {
		m, n, s, ul, tA, d := pick(r, level3Sizes), pick(r, level3Sizes), pick(r, sides), pick(r, uplos), pick(r, transposes), pick(r, diags)
		alpha := pick(r, []T{1, -0.7, 0})
		k := n
		if s == blas.Left {
			k = m
		}
		lda, ld := k+1, n+2
		a, x := numbers[T](r, k*lda), numbers[T](r, m*ld)
		for i := range a {
			a[i] /= T(k) // well conditioned, with a unit diagonal too
		}
		for i := range k {
			a[i*lda+i] += 2
		}
		// The other triangle, and the diagonal if it's taken for ones, aren't read.
		for i := range k {
			for j := range k {
				if i == j && d == blas.Unit || i > j && ul == blas.Upper || i < j && ul == blas.Lower {
					a[i*lda+j] = T(math.NaN())
				}
			}
		}
		bound, want := magnitudes(x), slices.Clone(x)
		gonums(s, ul, tA, d, m, n, alpha, a, lda, want, ld)
		ours(s, ul, tA, d, m, n, alpha, a, lda, x, ld)
		multiply := func(alpha float64, a, b []float64) {
			gonum.Implementation{}.Dtrmm(s, ul, tA, d, m, n, alpha, a, lda, b, ld)
		}
		if op == apply {
			multiply(magnitude(alpha), magnitudes(a), bound)
			within(t, "trmm", x, want, bound, k)
			continue
		}
		// A solution X has op(A)*X near alpha*B, to within the bound for a product. So the
		// products of ours and gonum's solutions are near each other.
		bound = magnitudes(want)
		multiply(1, magnitudes(a), bound)
		difference := make([]float64, len(x))
		for i := range x {
			difference[i] = float64(x[i]) - float64(want[i])
		}
		multiply(1, widened(a), difference)
		for i, d := range difference {
			if most := float64(k+3) * epsilon[T]() * bound[i]; !(math.Abs(d) <= most) {
				t.Fatalf("trsm: the product differs by %g at %d from that of gonum's solution, bound %g", d, i, most)
			}
		}
	}
}

// widened returns x in float64.
func widened[T scalar](x []T) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = float64(v)
	}
	return y
}

// Every path gives the same bits.
func TestTriangularSameBits(t *testing.T) {
	const m, n = 150, 140
	r := rand.New(rand.NewPCG(8, 8))
	a, x := numbers[float64](r, m*m), numbers[float64](r, m*n)
	for i := range m {
		a[i*m+i] += 20
	}
	for _, s := range sides {
		for _, tA := range transposes[:2] {
			var want []float64
			onEveryPath(t, func(t *testing.T, b BLAS) {
				got := append([]float64(nil), x...)
				b.Dtrsm(s, blas.Lower, tA, blas.NonUnit, m, n, 1.5, a, m, got, n)
				if want == nil {
					want = got
				}
				if i := asmtest.Differ(got, want); i >= 0 {
					t.Fatalf("%c%c: %v at %d, %v before", s, tA, got[i], i, want[i])
				}
			})
		}
	}
}
