package kernels

import (
	"testing"

	"gonum.org/v1/gonum/blas/testblas"

	"github.com/numateam/numateam/asm/asmtest"
	"github.com/numateam/numateam/team"
)

// newTeam returns a team of more workers than most machines need for it to matter.
func blasTeam(t testing.TB, workers int) *team.Team {
	tm, err := team.New(&team.Options{Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tm.Close() })
	return tm
}

// gonum's own conformance tests, on every instruction set, alone and on a team.
func TestConformance(t *testing.T) {
	asmtest.EachISA(t, func(t *testing.T) {
		for name, b := range map[string]BLAS{"serial": {}, "team": {Team: blasTeam(t, 3)}} {
			t.Run(name, func(t *testing.T) { conformance(t, b) })
		}
	})
}

func conformance(t *testing.T, b BLAS) {
	for _, c := range []struct {
		name string
		test func(t *testing.T)
	}{
		{"dasum", func(t *testing.T) { testblas.DasumTest(t, b) }},
		{"daxpy", func(t *testing.T) { testblas.DaxpyTest(t, b) }},
		{"dcopy", func(t *testing.T) { testblas.DcopyTest(t, b) }},
		{"ddot", func(t *testing.T) { testblas.DdotTest(t, b) }},
		{"dnrm2", func(t *testing.T) { testblas.Dnrm2Test(t, b) }},
		{"drot", func(t *testing.T) { testblas.DrotTest(t, b) }},
		{"drotg", func(t *testing.T) { testblas.DrotgTest(t, b, false) }},
		{"drotm", func(t *testing.T) { testblas.DrotmTest(t, b) }},
		{"drotmg", func(t *testing.T) { testblas.DrotmgTest(t, b) }},
		{"dscal", func(t *testing.T) { testblas.DscalTest(t, b) }},
		{"dswap", func(t *testing.T) { testblas.DswapTest(t, b) }},
		{"idamax", func(t *testing.T) { testblas.IdamaxTest(t, b) }},

		{"dgemv", func(t *testing.T) { testblas.DgemvTest(t, b) }},
		{"dger", func(t *testing.T) { testblas.DgerTest(t, b) }},
		{"dgbmv", func(t *testing.T) { testblas.DgbmvTest(t, b) }},
		{"dsbmv", func(t *testing.T) { testblas.DsbmvTest(t, b) }},
		{"dspmv", func(t *testing.T) { testblas.DspmvTest(t, b) }},
		{"dspr", func(t *testing.T) { testblas.DsprTest(t, b) }},
		{"dspr2", func(t *testing.T) { testblas.Dspr2Test(t, b) }},
		{"dsymv", func(t *testing.T) { testblas.DsymvTest(t, b) }},
		{"dsyr", func(t *testing.T) { testblas.DsyrTest(t, b) }},
		{"dsyr2", func(t *testing.T) { testblas.Dsyr2Test(t, b) }},
		{"dtbmv", func(t *testing.T) { testblas.DtbmvTest(t, b) }},
		{"dtbsv", func(t *testing.T) { testblas.DtbsvTest(t, b) }},
		{"dtpmv", func(t *testing.T) { testblas.DtpmvTest(t, b) }},
		{"dtpsv", func(t *testing.T) { testblas.DtpsvTest(t, b) }},
		{"dtrmv", func(t *testing.T) { testblas.DtrmvTest(t, b) }},
		{"dtrsv", func(t *testing.T) { testblas.DtrsvTest(t, b) }},

		{"dgemm", func(t *testing.T) { testblas.TestDgemm(t, b) }},
		{"dsymm", func(t *testing.T) { testblas.DsymmTest(t, b) }},
		{"dsyrk", func(t *testing.T) { testblas.DsyrkTest(t, b) }},
		{"dsyr2k", func(t *testing.T) { testblas.Dsyr2kTest(t, b) }},
		{"dtrmm", func(t *testing.T) { testblas.DtrmmTest(t, b) }},
		{"dtrsm", func(t *testing.T) { testblas.DtrsmTest(t, b) }},
	} {
		t.Run(c.name, c.test)
	}
}
