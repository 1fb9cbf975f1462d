package kernels

import (
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"

	"github.com/numateam/numateam/asm/asmtest"
)

// chain is gemm as its documentation has it: one chain of rounded products for each
// element.
func chain[T scalar](tA, tB blas.Transpose, m, n, k int, alpha T, a []T, lda int, b []T, ldb int, beta T, c []T, ldc int) {
	for i := range m {
		for j := range n {
			var s T
			if beta != 0 {
				s = T(beta * c[i*ldc+j])
			}
			for l := range k {
				x, y := i*lda+l, l*ldb+j
				if tA != blas.NoTrans {
					x = l*lda + i
				}
				if tB != blas.NoTrans {
					y = j*ldb + l
				}
				s += T(T(alpha*a[x]) * b[y])
			}
			c[i*ldc+j] = s
		}
	}
}

// numbers returns n numbers whose sums and products round.
func numbers[T scalar](r *rand.Rand, n int) []T {
	x := make([]T, n)
	for i := range x {
		x[i] = T(r.Float64()*2 - 1)
	}
	return x
}

var (
	transposes = []blas.Transpose{blas.NoTrans, blas.Trans, blas.ConjTrans}
	uplos      = []blas.Uplo{blas.Upper, blas.Lower}
	sides      = []blas.Side{blas.Left, blas.Right}
	diags      = []blas.Diag{blas.NonUnit, blas.Unit}
)

func pick[E any](r *rand.Rand, list []E) E { return list[r.IntN(len(list))] }

// gemmSizes are below, at and above the sizes of tiles, of small products and of a round.
var gemmSizes = []int{1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 47, 48, 65, 100}

// onEveryPath runs f on every instruction set, alone and with a team.
func onEveryPath(t *testing.T, f func(t *testing.T, b BLAS)) {
	tm := blasTeam(t, 3)
	asmtest.EachISA(t, func(t *testing.T) {
		t.Run("serial", func(t *testing.T) { f(t, BLAS{}) })
		t.Run("team", func(t *testing.T) { f(t, BLAS{Team: tm}) })
	})
}

func TestGemmIsOneChain(t *testing.T) {
	onEveryPath(t, func(t *testing.T, b BLAS) {
		testGemm(t, b.Dgemm)
		testGemm(t, b.Sgemm)
	})
}

func testGemm[T scalar](t *testing.T, gemm gemmRoutine[T]) {
	r := rand.New(rand.NewPCG(1, 1))
	check := func(m, n, k int) {
		tA, tB := pick(r, transposes), pick(r, transposes)
		alpha, beta := pick(r, []T{1, 1, -0.7}), pick(r, []T{0, 1, 0.3})
		rows, cols := swapIf(tA != blas.NoTrans, m, k)
		lda := cols + r.IntN(4)
		a := numbers[T](r, (rows-1)*lda+cols)
		rows, cols = swapIf(tB != blas.NoTrans, k, n)
		ldb := cols + r.IntN(4)
		b := numbers[T](r, (rows-1)*ldb+cols)
		ldc := n + r.IntN(4)
		c := numbers[T](r, (m-1)*ldc+n)
		if r.IntN(8) == 0 {
			b[r.IntN(len(b))] = T(math.NaN())
			a[r.IntN(len(a))] = 0
			c[r.IntN(len(c))] = T(math.Inf(1))
		}
		want := append([]T(nil), c...)
		chain(tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, want, ldc)
		gemm(tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
		if i := asmtest.Differ(c, want); i >= 0 {
			t.Fatalf("%c%c %dx%dx%d, alpha %v, beta %v: %v at (%d, %d), want %v", tA, tB, m, n, k, alpha, beta, c[i], i/ldc, i%ldc, want[i])
		}
	}
	for range 150 {
		check(pick(r, gemmSizes), pick(r, gemmSizes), pick(r, gemmSizes))
	}
	check(50, 48, gemmK+44)    // a team's worth, and two rounds over k
	check(9, 7, 2*gemmK+88)    // three rounds
	check(1, 300, 300)         // one row
	check(gemmBlock/8+5, 9, 1) // two bands
	check(gemmBytes/1024, 9, 2)
	check(10, gemmBytes/1024, 2)
	check(gemmBytes/(gemmK*4)+5, 3, gemmK) // two rounds over m
	check(3, gemmBytes/(gemmK*4)+5, gemmK) // two rounds over n
}

// gonum adds in the same order where B isn't the only transposed operand.
func TestGemmHasGonumsBits(t *testing.T) {
	gonumsBits(t)
	onEveryPath(t, func(t *testing.T, b BLAS) {
		r := rand.New(rand.NewPCG(2, 2))
		for range 40 {
			m, n, k := 1+r.IntN(150), 1+r.IntN(150), 1+r.IntN(150)
			tA, tB := pick(r, transposes), blas.NoTrans
			if tA != blas.NoTrans {
				tB = pick(r, transposes)
			}
			ld := max(m, n, k)
			x, y, c := numbers[float64](r, ld*ld), numbers[float64](r, ld*ld), numbers[float64](r, ld*ld)
			want := append([]float64(nil), c...)
			gonum.Implementation{}.Dgemm(tA, tB, m, n, k, 1.3, x, ld, y, ld, -0.4, want, ld)
			b.Dgemm(tA, tB, m, n, k, 1.3, x, ld, y, ld, -0.4, c, ld)
			if i := asmtest.Differ(c, want); i >= 0 {
				t.Fatalf("%c%c %dx%dx%d: %v at %d, gonum %v", tA, tB, m, n, k, c[i], i, want[i])
			}
		}
	})
}

// alpha == 0 reads neither A nor B; beta == 0 doesn't read C; k == 0 scales C.
func TestGemmZeros(t *testing.T) {
	nan := math.NaN()
	onEveryPath(t, func(t *testing.T, b BLAS) {
		for _, n := range []int{2, 10, 70} {
			x := make([]float64, n*n)
			for i := range x {
				x[i] = nan
			}
			c := append([]float64(nil), x...)
			b.Dgemm(blas.NoTrans, blas.NoTrans, n, n, n, 0, x, n, x, n, 0, c, n)
			for i, v := range c {
				if v != 0 || math.Signbit(v) {
					t.Fatalf("n = %d: c[%d] = %v", n, i, v)
				}
			}
			c[0] = 2
			b.Dgemm(blas.NoTrans, blas.Trans, n, n, 0, 1, x, n, x, n, 0.5, c, n)
			if c[0] != 1 {
				t.Fatalf("n = %d: k = 0 gave %v", n, c[0])
			}
			one := make([]float64, n*n)
			for i := range n {
				one[i*n+i] = 1
			}
			copy(c, x)
			b.Dgemm(blas.NoTrans, blas.NoTrans, n, n, n, 1, one, n, one, n, 0, c, n)
			if i := asmtest.Differ(c, one); i >= 0 {
				t.Fatalf("n = %d: 1*1 = %v at %d over NaN", n, c[i], i)
			}
			// An infinity in B meets zeros in A.
			inf := append([]float64(nil), one...)
			inf[1] = math.Inf(1)
			b.Dgemm(blas.NoTrans, blas.NoTrans, n, n, n, 1, one, n, inf, n, 0, c, n)
			if c[1] != math.Inf(1) || c[n+1] == c[n+1] {
				t.Fatalf("n = %d: %v and %v below an infinity", n, c[1], c[n+1])
			}
		}
		b.Dgemm(blas.NoTrans, blas.NoTrans, 0, 0, 0, 1, nil, 1, nil, 1, 1, nil, 1)
	})
}

// A product on a team that's closed is computed alone.
func TestGemmClosedTeam(t *testing.T) {
	tm := blasTeam(t, 2)
	tm.Close()
	r := rand.New(rand.NewPCG(4, 4))
	const n = 140
	x, c, want := numbers[float64](r, n*n), make([]float64, n*n), make([]float64, n*n)
	chain(blas.NoTrans, blas.NoTrans, n, n, n, 1, x, n, x, n, 0, want, n)
	BLAS{Team: tm}.Dgemm(blas.NoTrans, blas.NoTrans, n, n, n, 1, x, n, x, n, 0, c, n)
	if i := asmtest.Differ(c, want); i >= 0 {
		t.Fatalf("%v at %d, want %v", c[i], i, want[i])
	}
}

func TestBLASAllocatesNothing(t *testing.T) {
	b := BLAS{Team: blasTeam(t, 2)}
	const n = 130
	x, y, c := make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
	for i := range n {
		x[i*n+i] = 1
	}
	v := make([]float64, 3*grain*4)
	for name, f := range map[string]func(){
		"gemm small": func() { b.Dgemm(blas.NoTrans, blas.Trans, 9, 9, 9, 1, x, n, y, n, 0, c, n) },
		"gemm":       func() { b.Dgemm(blas.NoTrans, blas.Trans, n, n, n, 1, x, n, y, n, 0, c, n) },
		"syrk":       func() { b.Dsyrk(blas.Lower, blas.Trans, n, n, 1, x, n, 0, c, n) },
		"trsm": func() {
			b.Dtrsm(blas.Right, blas.Lower, blas.Trans, blas.NonUnit, n, n, 1, x, n, c, n)
		},
		"gemv":   func() { b.Dgemv(blas.Trans, n, n, 1, x, n, y, 2, 0, c, 3) },
		"ger":    func() { b.Dger(n, n, 1, y, 1, y, 1, c, n) },
		"axpy":   func() { b.Daxpy(len(v), 1, v, 1, v, 1) },
		"dot":    func() { b.Ddot(100, v, 3, v, -2) },
		"swap":   func() { b.Dswap(len(v)/2, v, 1, v[len(v)/2:], 1) },
		"idamax": func() { b.Idamax(len(v), v, 1) },
	} {
		f()
		if a := testing.AllocsPerRun(50, f); a >= 1 && !raceEnabled { // which has pools drop what they hold
			t.Errorf("%s: %v allocations", name, a)
		}
	}
}

// gonumsBits skips a test that compares bits with gonum's where the compiler fuses
// gonum's products and sums.
func gonumsBits(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("gonum's own loops are fused on ", runtime.GOARCH)
	}
}
