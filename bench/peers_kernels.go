package bench

import (
	"context"
	"fmt"
	"time"

	"gonum.org/v1/gonum/blas"

	"github.com/numateam/numateam/kernels"
	"github.com/numateam/numateam/team"
)

// timed returns a contender's run: f so many times, calls to a sample, and check
// once after that.
func timed(repetitions, calls int, f func(), check func() error) func(context.Context) ([]float64, error) {
	return func(ctx context.Context) ([]float64, error) {
		seconds := make([]float64, repetitions)
		for i := range seconds {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			start := time.Now()
			for range calls {
				f()
			}
			seconds[i] = time.Since(start).Seconds() / float64(calls)
		}
		return seconds, check()
	}
}

// peersBLAS compares dot in cache on one thread and in memory on all, and the
// product of matrices on all, with OpenBLAS.
func peersBLAS(ctx context.Context, o Options, l *Lineup) ([]Result, error) {
	t, err := o.newTeam(0)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	var cases []comparison
	for _, c := range []struct {
		n  int
		on *team.Team
	}{{1000, nil}, {1 << 24, t}} {
		x, err := team.Make[float64](c.on, c.n)
		if err != nil {
			return nil, err
		}
		defer x.Close()
		y, err := team.Make[float64](c.on, c.n)
		if err != nil {
			return nil, err
		}
		defer y.Close()
		set(c.on, x.Slice(), unit[float64])
		set(c.on, y.Slice(), func(int) float64 { return 1 })
		var got float64
		cases = append(cases, comparison{
			name:  fmt.Sprintf("ddot n=%d, %s", c.n, count(c.on.Size(), "thread")),
			bytes: 16 * int64(c.n),
			ours: timed(5, max(1, 100_000/c.n), func() { got = kernels.Dot(c.on, x.Slice(), y.Slice()) }, func() error {
				if want := float64(unitSum(c.n)); got != want {
					return &WrongError{-1, got, want}
				}
				return nil
			}),
			request: map[string]string{"OpenBLAS": fmt.Sprintf("ddot %d %d 5", c.n, c.on.Size())},
		})
	}
	gemm := newGemm(t)
	cases = append(cases, comparison{
		name:    fmt.Sprintf("dgemm n=%d, %s", gemmSize, count(t.Size(), "thread")),
		ours:    timed(3, 1, gemm.run, gemm.check),
		request: map[string]string{"OpenBLAS": fmt.Sprintf("dgemm %d %d 3", gemmSize, t.Size())},
	})
	return compare(ctx, o, l, cases)
}

// A gemm multiplies a matrix of ones by one of small whole numbers, so that the
// result is exact: each element is the sum of a column.
type gemm struct {
	lib     kernels.BLAS
	a, b, c []float64
	sums    []float64
}

func newGemm(t *team.Team) *gemm {
	const n = gemmSize
	g := &gemm{kernels.BLAS{Team: t}, make([]float64, n*n), make([]float64, n*n), make([]float64, n*n), make([]float64, n)}
	for i := range g.b {
		g.a[i], g.b[i] = 1, first[float64](i)
		g.sums[i%n] += g.b[i]
	}
	return g
}

func (g *gemm) run() {
	const n = gemmSize
	g.lib.Dgemm(blas.NoTrans, blas.NoTrans, n, n, n, 1, g.a, n, g.b, n, 0, g.c, n)
}

func (g *gemm) check() error {
	for i, v := range g.c {
		if want := g.sums[i%gemmSize]; v != want {
			return &WrongError{i, v, want}
		}
	}
	return nil
}

// peersBlur compares the 3x3 box blur on the image of Halide's blur application,
// with 12 bits to a pixel, where the sums of 16 bits of its schedule don't wrap,
// and with 16, where the one widened to be exact is asked.
func peersBlur(ctx context.Context, o Options, l *Lineup) ([]Result, error) {
	const width, height, repetitions = 2568, 1922, 10
	t, err := o.newTeam(0)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	target, err := team.Make[uint16](t, (width-2)*(height-2))
	if err != nil {
		return nil, err
	}
	defer target.Close()
	dst := kernels.Image[uint16]{Pix: target.Slice(), Stride: width - 2, Width: width - 2, Height: height - 2}
	var cases []comparison
	for _, c := range []struct {
		bits   int
		halide string
	}{{12, "halide"}, {16, "wide"}} {
		source, err := team.Make[uint16](t, width*height)
		if err != nil {
			return nil, err
		}
		defer source.Close()
		src := kernels.Image[uint16]{Pix: source.Slice(), Stride: width, Width: width, Height: height}
		for i := range src.Pix {
			src.Pix[i] = uint16(uint32(i) * 2654435761 >> (32 - c.bits)) // as the peers draw theirs
		}
		size := fmt.Sprintf("%d %d %d %d", width, height, c.bits, repetitions)
		cases = append(cases, comparison{
			name:  fmt.Sprintf("blur %dx%d, %d bits", width, height, c.bits),
			bytes: 2 * (width*height + (width-2)*(height-2)),
			ours: timed(repetitions, 1, func() { kernels.Blur3x3(t, dst, src, kernels.Valid) }, func() error {
				return checkBlur(dst, src)
			}),
			request: map[string]string{"Halide": c.halide + " " + size, "OpenCV": "opencv " + size},
		})
	}
	return compare(ctx, o, l, cases)
}

// checkBlur compares every 97th pixel with the plain loop.
func checkBlur(dst, src kernels.Image[uint16]) error {
	for i := 0; i < len(dst.Pix); i += 97 {
		x, y := i%dst.Stride, i/dst.Stride
		sum := uint32(0)
		for row := y; row < y+3; row++ {
			p := src.Pix[row*src.Stride+x:]
			sum += (uint32(p[0]) + uint32(p[1]) + uint32(p[2])) / 3
		}
		if want := uint16(sum / 3); dst.Pix[i] != want {
			return &WrongError{i, float64(dst.Pix[i]), float64(want)}
		}
	}
	return nil
}
