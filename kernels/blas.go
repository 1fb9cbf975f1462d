package kernels

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"

	"github.com/numateam/numateam/team"
)

// BLAS is gonum's BLAS on a team: after
//
//	blas32.Use(kernels.BLAS{Team: t})
//	blas64.Use(kernels.BLAS{Team: t})
//
// at the start of a program, before anything else calls them, gonum's mat, lapack and
// stat run on the team. A nil or closed Team is serial.
//
// These routines are ours, for float32 (S) and float64 (D): axpy, dot, nrm2, asum,
// scal, copy, swap, iamax, rot; gemv, ger; gemm, symm, syrk, trmm, trsm. All others are
// gonum's own. Arguments, their checks and the texts of the panics are gonum's, and so
// are the rules that alpha == 0 reads neither A nor B, and that beta == 0 overwrites
// what C or y held, NaN too.
//
// # Results
//
// The same input gives the same bits on every CPU, team and schedule. Products are
// rounded before they're added. gemm, syrk, symm and transposed gemv compute each
// element as one chain of additions over k, which begins with beta*c; that's gonum's
// order too, so that gemm gives gonum's bits for finite data unless B alone is
// transposed (there gonum sums by dot products), up to the sign of a zero. A NaN or an
// infinity in B meets a zero in A as IEEE has it, 0*Inf = NaN: gonum skips zeros.
//
// Rounding twice costs nothing where adders and multipliers are separate, as on
// AMD's Zen. Where one kind of unit does both, as on Intel's cores since Skylake and on
// most of Arm's, gemm runs at up to half the speed that fused multiply-adds would reach.
//
// # Concurrency
//
// Safe for concurrent use on separate results. While one goroutine has the
// team, others compute on their own, without waiting. Launches have the team's schedule,
// but the blocks of gemm, and of what's made of it, may be stolen under any.
type BLAS struct {
	gonum.Implementation

	Team *team.Team
}

var (
	_ blas.Float32 = BLAS{}
	_ blas.Float64 = BLAS{}
)

// team returns the team to run on, nil for serial.
func (b BLAS) team() *team.Team {
	if b.Team == nil || b.Team.Closed() {
		return nil
	}
	return b.Team
}

// What gonum's BLAS panics with.
const (
	zeroIncX = "blas: zero x index increment"
	zeroIncY = "blas: zero y index increment"

	mLT0 = "blas: m < 0"
	nLT0 = "blas: n < 0"
	kLT0 = "blas: k < 0"

	badUplo      = "blas: illegal triangle"
	badTranspose = "blas: illegal transpose"
	badDiag      = "blas: illegal diagonal"
	badSide      = "blas: illegal side"

	badLdA = "blas: bad leading dimension of A"
	badLdB = "blas: bad leading dimension of B"
	badLdC = "blas: bad leading dimension of C"

	shortX = "blas: insufficient length of x"
	shortY = "blas: insufficient length of y"
	shortA = "blas: insufficient length of a"
	shortB = "blas: insufficient length of b"
	shortC = "blas: insufficient length of c"
)
