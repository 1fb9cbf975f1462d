package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"time"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	lapack "gonum.org/v1/gonum/lapack/gonum"
)

const allRoutines = "dgemm,sgemm,dgetrf,dgemvn,dgemvt,sgemvn,sgemvt,dger,daxpy,saxpy,ddot,sdot,dnrm2,dasum,dscal,dcopy,dswap,drot,idamax"

// A library is an implementation under test.
type library interface {
	blas.Float32
	blas.Float64
}

// A routine is one line of the comparison.
type routine struct {
	name   string
	matrix bool // it has an n x n operand
	work   func(n int) float64
	before func(x [3][]float64)                   // what isn't measured, if there's something
	single func(l library, x [3][]float32, n int) // one of the two
	double func(l library, x [3][]float64, n int)
}

const none, trans = blas.NoTrans, blas.Trans

func cubic(factor float64) func(n int) float64 {
	return func(n int) float64 { return factor * math.Pow(float64(n), 3) }
}

func bytes(perElement float64) func(n int) float64 {
	return func(n int) float64 { return perElement * float64(n) }
}

func squareBytes(perElement float64) func(n int) float64 {
	return func(n int) float64 { return perElement * float64(n) * float64(n) }
}

var routines = []routine{
	{name: "dgemm", matrix: true, work: cubic(2), double: func(l library, x [3][]float64, n int) {
		l.Dgemm(none, none, n, n, n, 1, x[0], n, x[1], n, 0, x[2], n)
	}},
	{name: "sgemm", matrix: true, work: cubic(2), single: func(l library, x [3][]float32, n int) {
		l.Sgemm(none, none, n, n, n, 1, x[0], n, x[1], n, 0, x[2], n)
	}},
	{name: "dgetrf", matrix: true, work: cubic(2. / 3), before: func(x [3][]float64) {
		copy(x[2], x[0])
	}, double: func(l library, x [3][]float64, n int) {
		blas64.Use(l)
		lapack.Implementation{}.Dgetrf(n, n, x[2], n, make([]int, n))
	}},
	{name: "dgemvn", matrix: true, work: squareBytes(8), double: func(l library, x [3][]float64, n int) {
		l.Dgemv(none, n, n, 1, x[0], n, x[1], 1, 0, x[2], 1)
	}},
	{name: "dgemvt", matrix: true, work: squareBytes(8), double: func(l library, x [3][]float64, n int) {
		l.Dgemv(trans, n, n, 1, x[0], n, x[1], 1, 0, x[2], 1)
	}},
	{name: "sgemvn", matrix: true, work: squareBytes(4), single: func(l library, x [3][]float32, n int) {
		l.Sgemv(none, n, n, 1, x[0], n, x[1], 1, 0, x[2], 1)
	}},
	{name: "sgemvt", matrix: true, work: squareBytes(4), single: func(l library, x [3][]float32, n int) {
		l.Sgemv(trans, n, n, 1, x[0], n, x[1], 1, 0, x[2], 1)
	}},
	{name: "dger", matrix: true, work: squareBytes(16), double: func(l library, x [3][]float64, n int) {
		l.Dger(n, n, 1e-3, x[1], 1, x[2], 1, x[0], n)
	}},
	{name: "daxpy", work: bytes(24), double: func(l library, x [3][]float64, n int) { l.Daxpy(n, 1e-3, x[0], 1, x[1], 1) }},
	{name: "saxpy", work: bytes(12), single: func(l library, x [3][]float32, n int) { l.Saxpy(n, 1e-3, x[0], 1, x[1], 1) }},
	{name: "ddot", work: bytes(16), double: func(l library, x [3][]float64, n int) { runtime.KeepAlive(l.Ddot(n, x[0], 1, x[1], 1)) }},
	{name: "sdot", work: bytes(8), single: func(l library, x [3][]float32, n int) { runtime.KeepAlive(l.Sdot(n, x[0], 1, x[1], 1)) }},
	{name: "dnrm2", work: bytes(8), double: func(l library, x [3][]float64, n int) { runtime.KeepAlive(l.Dnrm2(n, x[0], 1)) }},
	{name: "dasum", work: bytes(8), double: func(l library, x [3][]float64, n int) { runtime.KeepAlive(l.Dasum(n, x[0], 1)) }},
	{name: "dscal", work: bytes(16), double: func(l library, x [3][]float64, n int) { l.Dscal(n, -1, x[0], 1) }},
	{name: "dcopy", work: bytes(16), double: func(l library, x [3][]float64, n int) { l.Dcopy(n, x[0], 1, x[1], 1) }},
	{name: "dswap", work: bytes(32), double: func(l library, x [3][]float64, n int) { l.Dswap(n, x[0], 1, x[1], 1) }},
	{name: "drot", work: bytes(32), double: func(l library, x [3][]float64, n int) { l.Drot(n, x[0], 1, x[1], 1, 0.6, 0.8) }},
	{name: "idamax", work: bytes(8), double: func(l library, x [3][]float64, n int) { runtime.KeepAlive(l.Idamax(n, x[0], 1)) }},
}

func find(name string) (routine, error) {
	for _, r := range routines {
		if r.name == name {
			return r, nil
		}
	}
	return routine{}, fmt.Errorf("no routine %q: one of %s", name, allRoutines)
}

// heavy reports whether a measurement doesn't go on until it has lasted a while.
func (r routine) heavy() bool { return strings.HasSuffix(r.name, "gemm") || r.name == "dgetrf" }

// reps returns how many measurements make a turn: some tens of milliseconds' worth.
func (r routine) reps(n int) int {
	if !r.heavy() {
		return 50
	}
	return min(max(int(1e10/r.work(n)), 3), 200)
}

// prepare makes operands with elements between -1 and 1, and returns the call.
func (r routine) prepare(l library, n int) func() float64 {
	size := n
	if r.matrix {
		size = n * n
	}
	calls := max(1, 32768/size) // between looks at the clock, as on the peer's side
	before, call := func() {}, func() {}
	if r.double != nil {
		x := operands[float64](size)
		call = func() { r.double(l, x, n) }
		if r.before != nil {
			before, calls = func() { r.before(x) }, 1
		}
	} else {
		x := operands[float32](size)
		call = func() { r.single(l, x, n) }
	}
	return func() float64 {
		before()
		start := time.Now()
		for times := 0; ; {
			for range calls {
				call()
			}
			times += calls
			if d := time.Since(start); r.heavy() || d > 100*time.Microsecond {
				return d.Seconds() / float64(times)
			}
		}
	}
}

func operands[T float32 | float64](n int) (x [3][]T) {
	random := rand.New(rand.NewPCG(1, 2))
	for i := range x {
		x[i] = make([]T, n)
		for j := range x[i] {
			x[i][j] = T(2*random.Float64() - 1)
		}
	}
	return x
}

func measure(reps int, call func() float64) []float64 {
	s := make([]float64, reps)
	for i := range s {
		s[i] = call()
	}
	return s
}
