package kernels

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/gonum"
	"gonum.org/v1/gonum/mat"
)

// mat and lapack, which call BLAS, get the same results to tolerance.
func TestLapack(t *testing.T) {
	const n = 230
	r := rand.New(rand.NewPCG(12, 12))
	a := mat.NewDense(n, n, numbers[float64](r, n*n))
	b := mat.NewDense(n, 7, numbers[float64](r, n*7))
	var spd mat.SymDense
	spd.SymOuterK(1, a)
	for i := range n {
		spd.SetSym(i, i, spd.At(i, i)+1)
	}
	solve := func() (x [4]mat.Dense) {
		var lu mat.LU
		lu.Factorize(a)
		if err := lu.SolveTo(&x[0], false, b); err != nil {
			t.Fatal(err)
		}
		var qr mat.QR
		qr.Factorize(a)
		if err := qr.SolveTo(&x[1], false, b); err != nil {
			t.Fatal(err)
		}
		var ch mat.Cholesky
		if !ch.Factorize(&spd) {
			t.Fatal("not positive definite")
		}
		if err := ch.SolveTo(&x[2], b); err != nil {
			t.Fatal(err)
		}
		x[3].Mul(a.T(), &spd)
		return x
	}
	want := solve()
	defer blas64.Use(gonum.Implementation{})
	blas64.Use(BLAS{Team: blasTeam(t, 3)})
	got := solve()
	for i, name := range []string{"LU", "QR", "Cholesky", "product"} {
		if !mat.EqualApprox(&got[i], &want[i], 1e-9) {
			t.Errorf("%s: differs from gonum's result", name)
		}
	}
}
