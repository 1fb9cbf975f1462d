package kernels

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
	"gonum.org/v1/gonum/blas/testblas"

	"github.com/numateam/numateam/asm/asmtest"
)

// testblas, which has float64 alone, on the float32 routines.
func TestConformanceSingle(t *testing.T) {
	asmtest.EachISA(t, func(t *testing.T) {
		for name, b := range map[string]BLAS{"serial": {}, "team": {Team: blasTeam(t, 3)}} {
			t.Run(name, func(t *testing.T) { conformanceSingle(t, b) })
		}
	})
}

func conformanceSingle(t *testing.T, b BLAS) {
	for name, test := range map[string]func(t *testing.T, s single){
		"sasum":  func(t *testing.T, s single) { testblas.DasumTest(t, s) },
		"saxpy":  func(t *testing.T, s single) { testblas.DaxpyTest(t, s) },
		"scopy":  func(t *testing.T, s single) { testblas.DcopyTest(t, s) },
		"sdot":   func(t *testing.T, s single) { testblas.DdotTest(t, s) },
		"snrm2":  func(t *testing.T, s single) { testblas.Dnrm2Test(t, s) },
		"srot":   func(t *testing.T, s single) { testblas.DrotTest(t, s) },
		"sscal":  func(t *testing.T, s single) { testblas.DscalTest(t, s) },
		"sswap":  func(t *testing.T, s single) { testblas.DswapTest(t, s) },
		"isamax": func(t *testing.T, s single) { testblas.IdamaxTest(t, s) },
		"sgemv":  func(t *testing.T, s single) { testblas.DgemvTest(t, s) },
		"sger":   func(t *testing.T, s single) { testblas.DgerTest(t, s) },
		"sgemm":  func(t *testing.T, s single) { testblas.TestDgemm(t, s) },
		"ssymm":  func(t *testing.T, s single) { testblas.DsymmTest(t, s) },
		"ssyrk":  func(t *testing.T, s single) { testblas.DsyrkTest(t, s) },
		"strmm":  func(t *testing.T, s single) { testblas.DtrmmTest(t, s) },
		"strsm":  func(t *testing.T, s single) { testblas.DtrsmTest(t, s) },
	} {
		t.Run(name, func(t *testing.T) {
			s := single{b: b, calls: new(int)}
			test(t, s)
			if *s.calls == 0 {
				t.Error("nothing was called")
			}
		})
	}
}

// single gives testblas the float32 half of a BLAS for a float64 one.
type single struct {
	gonum.Implementation
	b     BLAS
	calls *int
}

// both calls a D routine of gonum's, and the S routine with the operands x rounded to
// float32. testblas then sees D's results, but S's in place of each that isn't D's up to
// rounding. Where float32 holds all operands and results, they have to be equal.
func (s single) both(d func(), f func(x [][]float32), x ...[]float64) {
	rounded := make([][]float32, len(x))
	exact := true
	for i, v := range x {
		rounded[i] = make([]float32, len(v))
		for j, e := range v {
			rounded[i][j] = float32(e)
			exact = exact && holds(e)
		}
	}
	*s.calls++
	panicked := panics(d) != nil
	f(rounded)
	if panicked { // and f should have
		return
	}
	for _, v := range x {
		for _, e := range v {
			exact = exact && holds(e)
		}
	}
	tolerance := 1e-5
	if exact {
		tolerance = 0
	}
	for i, v := range x {
		for j, e := range v {
			e32 := float64(rounded[i][j])
			if e != e32 && !(math.Abs(e-e32) <= tolerance*max(math.Abs(e), 1)) && (e == e || e32 == e32) {
				v[j] = e32
			}
		}
	}
}

// holds reports whether float32 has e.
func holds(e float64) bool { return float64(float32(e)) == e || e != e }

func (s single) Daxpy(n int, alpha float64, x []float64, incX int, y []float64, incY int) {
	s.both(func() { s.Implementation.Daxpy(n, alpha, x, incX, y, incY) },
		func(v [][]float32) { s.b.Saxpy(n, float32(alpha), v[0], incX, v[1], incY) }, x, y)
}

func (s single) Ddot(n int, x []float64, incX int, y []float64, incY int) float64 {
	result := make([]float64, 1)
	s.both(func() { result[0] = s.Implementation.Ddot(n, x, incX, y, incY) },
		func(v [][]float32) { v[2][0] = s.b.Sdot(n, v[0], incX, v[1], incY) }, x, y, result)
	return result[0]
}

func (s single) Dnrm2(n int, x []float64, incX int) float64 {
	result := make([]float64, 1)
	s.both(func() { result[0] = s.Implementation.Dnrm2(n, x, incX) },
		func(v [][]float32) { v[1][0] = s.b.Snrm2(n, v[0], incX) }, x, result)
	return result[0]
}

func (s single) Dasum(n int, x []float64, incX int) float64 {
	result := make([]float64, 1)
	s.both(func() { result[0] = s.Implementation.Dasum(n, x, incX) },
		func(v [][]float32) { v[1][0] = s.b.Sasum(n, v[0], incX) }, x, result)
	return result[0]
}

func (s single) Idamax(n int, x []float64, incX int) int {
	result := make([]float64, 1)
	s.both(func() { result[0] = float64(s.Implementation.Idamax(n, x, incX)) },
		func(v [][]float32) { v[1][0] = float32(s.b.Isamax(n, v[0], incX)) }, x, result)
	return int(result[0])
}

func (s single) Dscal(n int, alpha float64, x []float64, incX int) {
	s.both(func() { s.Implementation.Dscal(n, alpha, x, incX) },
		func(v [][]float32) { s.b.Sscal(n, float32(alpha), v[0], incX) }, x)
}

func (s single) Dcopy(n int, x []float64, incX int, y []float64, incY int) {
	s.both(func() { s.Implementation.Dcopy(n, x, incX, y, incY) },
		func(v [][]float32) { s.b.Scopy(n, v[0], incX, v[1], incY) }, x, y)
}

func (s single) Dswap(n int, x []float64, incX int, y []float64, incY int) {
	s.both(func() { s.Implementation.Dswap(n, x, incX, y, incY) },
		func(v [][]float32) { s.b.Sswap(n, v[0], incX, v[1], incY) }, x, y)
}

func (s single) Drot(n int, x []float64, incX int, y []float64, incY int, c, sin float64) {
	s.both(func() { s.Implementation.Drot(n, x, incX, y, incY, c, sin) },
		func(v [][]float32) { s.b.Srot(n, v[0], incX, v[1], incY, float32(c), float32(sin)) }, x, y)
}

func (s single) Dgemv(tA blas.Transpose, m, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64, y []float64, incY int) {
	s.both(func() { s.Implementation.Dgemv(tA, m, n, alpha, a, lda, x, incX, beta, y, incY) },
		func(v [][]float32) {
			s.b.Sgemv(tA, m, n, float32(alpha), v[0], lda, v[1], incX, float32(beta), v[2], incY)
		}, a, x, y)
}

func (s single) Dger(m, n int, alpha float64, x []float64, incX int, y []float64, incY int, a []float64, lda int) {
	s.both(func() { s.Implementation.Dger(m, n, alpha, x, incX, y, incY, a, lda) },
		func(v [][]float32) { s.b.Sger(m, n, float32(alpha), v[0], incX, v[1], incY, v[2], lda) }, x, y, a)
}

func (s single) Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	s.both(func() { s.Implementation.Dgemm(tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc) },
		func(v [][]float32) {
			s.b.Sgemm(tA, tB, m, n, k, float32(alpha), v[0], lda, v[1], ldb, float32(beta), v[2], ldc)
		}, a, b, c)
}

func (s single) Dsymm(side blas.Side, ul blas.Uplo, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	s.both(func() { s.Implementation.Dsymm(side, ul, m, n, alpha, a, lda, b, ldb, beta, c, ldc) },
		func(v [][]float32) {
			s.b.Ssymm(side, ul, m, n, float32(alpha), v[0], lda, v[1], ldb, float32(beta), v[2], ldc)
		}, a, b, c)
}

func (s single) Dsyrk(ul blas.Uplo, tA blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64, c []float64, ldc int) {
	s.both(func() { s.Implementation.Dsyrk(ul, tA, n, k, alpha, a, lda, beta, c, ldc) },
		func(v [][]float32) { s.b.Ssyrk(ul, tA, n, k, float32(alpha), v[0], lda, float32(beta), v[1], ldc) }, a, c)
}

func (s single) Dtrmm(side blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int) {
	s.both(func() { s.Implementation.Dtrmm(side, ul, tA, d, m, n, alpha, a, lda, b, ldb) },
		func(v [][]float32) { s.b.Strmm(side, ul, tA, d, m, n, float32(alpha), v[0], lda, v[1], ldb) }, a, b)
}

func (s single) Dtrsm(side blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int) {
	s.both(func() { s.Implementation.Dtrsm(side, ul, tA, d, m, n, alpha, a, lda, b, ldb) },
		func(v [][]float32) { s.b.Strsm(side, ul, tA, d, m, n, float32(alpha), v[0], lda, v[1], ldb) }, a, b)
}
