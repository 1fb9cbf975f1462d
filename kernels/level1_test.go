package kernels

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas/gonum"

	"github.com/numateam/numateam/asm/asmtest"
)

// vectorLengths are short ones, and some that a team divides.
var vectorLengths = []int{0, 1, 2, 3, 7, 8, 17, 33, 100, serial, serial + 1, serial + grain + 3}

var increments = []int{1, 1, 2, -1, -3}

// strided makes a vector of n elements.
func strided[T scalar](r *rand.Rand, n, inc int) []T {
	return numbers[T](r, max(n-1, 0)*max(inc, -inc)+1+r.IntN(3))
}

func TestLevel1(t *testing.T) {
	gonumsBits(t)
	onEveryPath(t, func(t *testing.T, b BLAS) {
		g := gonum.Implementation{}
		testLevel1(t, level1[float64]{b.Daxpy, b.Ddot, b.Dnrm2, b.Dasum, b.Dscal, b.Dcopy, b.Dswap, b.Drot, b.Idamax},
			level1[float64]{g.Daxpy, g.Ddot, g.Dnrm2, g.Dasum, g.Dscal, g.Dcopy, g.Dswap, g.Drot, g.Idamax})
		testLevel1(t, level1[float32]{b.Saxpy, b.Sdot, b.Snrm2, b.Sasum, b.Sscal, b.Scopy, b.Sswap, b.Srot, b.Isamax},
			level1[float32]{g.Saxpy, g.Sdot, g.Snrm2, g.Sasum, g.Sscal, g.Scopy, g.Sswap, g.Srot, g.Isamax})
	})
}

type level1[T scalar] struct {
	axpy       func(n int, alpha T, x []T, incX int, y []T, incY int)
	dot        func(n int, x []T, incX int, y []T, incY int) T
	nrm2, asum func(n int, x []T, incX int) T
	scal       func(n int, alpha T, x []T, incX int)
	copy, swap func(n int, x []T, incX int, y []T, incY int)
	rot        func(n int, x []T, incX int, y []T, incY int, c, s T)
	iamax      func(n int, x []T, incX int) int
}

// testLevel1 compares with gonum: bit for bit where each element is computed on its own,
// and within n*eps*sum|x||y| where they're added.
func testLevel1[T scalar](t *testing.T, ours, gonums level1[T]) {
	r := rand.New(rand.NewPCG(9, 9))
	for _, n := range vectorLengths {
		for range 8 {
			incX, incY := pick(r, increments), pick(r, increments)
			x, y := strided[T](r, n, incX), strided[T](r, n, incY)
			if r.IntN(4) == 0 {
				x[r.IntN(len(x))] = T(math.NaN())
			}
			each := func(name string, f func(l level1[T], x, y []T)) {
				x1, y1 := append([]T(nil), x...), append([]T(nil), y...)
				x2, y2 := append([]T(nil), x...), append([]T(nil), y...)
				f(ours, x1, y1)
				f(gonums, x2, y2)
				if i := asmtest.Differ(x1, x2); i >= 0 {
					t.Fatalf("%s n %d inc %d %d: x[%d] = %v, gonum %v", name, n, incX, incY, i, x1[i], x2[i])
				}
				if i := asmtest.Differ(y1, y2); i >= 0 {
					t.Fatalf("%s n %d inc %d %d: y[%d] = %v, gonum %v", name, n, incX, incY, i, y1[i], y2[i])
				}
			}
			alpha := pick(r, []T{0, 1, -0.7})
			each("axpy", func(l level1[T], x, y []T) { l.axpy(n, alpha, x, incX, y, incY) })
			each("scal", func(l level1[T], x, y []T) { l.scal(n, alpha, x, incX) })
			each("copy", func(l level1[T], x, y []T) { l.copy(n, x, incX, y, incY) })
			each("swap", func(l level1[T], x, y []T) { l.swap(n, x, incX, y, incY) })
			each("rot", func(l level1[T], x, y []T) { l.rot(n, x, incX, y, incY, 0.6, -0.8) })
			if a, b := ours.iamax(n, x, incX), gonums.iamax(n, x, incX); a != b {
				t.Fatalf("iamax n %d inc %d: %d, gonum %d", n, incX, a, b)
			}
			sum := func(name string, bound float64, f func(l level1[T]) T) {
				what := fmt.Sprintf("%s n %d inc %d %d", name, n, incX, incY)
				within(t, what, []T{f(ours)}, []T{f(gonums)}, []float64{bound}, n)
			}
			g, x64, y64 := gonum.Implementation{}, magnitudes(x), magnitudes(y)
			sum("dot", g.Ddot(n, x64, incX, y64, incY), func(l level1[T]) T { return l.dot(n, x, incX, y, incY) })
			sum("nrm2", g.Dnrm2(n, x64, incX), func(l level1[T]) T { return l.nrm2(n, x, incX) })
			sum("asum", g.Dasum(n, x64, incX), func(l level1[T]) T { return l.asum(n, x, incX) })
		}
	}
}

// A strided vector gives what its elements side by side give.
func TestStridedDot(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 10))
	const n = 3000
	x, y := numbers[float64](r, n), numbers[float64](r, n)
	wide := make([]float64, 3*n)
	for i, v := range x {
		wide[3*(n-1-i)] = v
	}
	want := BLAS{}.Ddot(n, x, 1, y, 1)
	if got := (BLAS{}).Ddot(n, wide, -3, y, 1); got != want {
		t.Errorf("%v, side by side %v", got, want)
	}
	if got, want := (BLAS{}).Dnrm2(n, wide, 3), (BLAS{}).Dnrm2(n, reversed(x), 1); got != want {
		t.Errorf("norm %v, side by side %v", got, want)
	}
}

func reversed(x []float64) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[len(x)-1-i] = v
	}
	return y
}

// Operands that overlap in part give what the plain loop gives.
func TestLevel1Overlap(t *testing.T) {
	testAxpyOverlap(t, BLAS{}.Daxpy)
	testAxpyOverlap(t, BLAS{}.Saxpy)
}

func testAxpyOverlap[T scalar](t *testing.T, axpy func(n int, alpha T, x []T, incX int, y []T, incY int)) {
	r := rand.New(rand.NewPCG(14, 14))
	for _, n := range []int{2, 9, 40, 1000, serial + 1} {
		for _, x := range []int{0, 1, 3, 8, 11, 16, 17} {
			const y = 8
			memory := numbers[T](r, n+17)
			want := append([]T(nil), memory...)
			axpy(n, 0.7, memory[x:], 1, memory[y:], 1)
			for i := range n {
				want[y+i] += T(0.7 * want[x+i])
			}
			if i := asmtest.Differ(memory, want); i >= 0 {
				t.Fatalf("axpy of %d, x %d behind y: %v at %d, plain loop %v", n, x-y, memory[i], i, want[i])
			}
		}
	}
}
