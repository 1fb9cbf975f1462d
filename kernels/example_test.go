package kernels_test

import (
	"fmt"
	"log"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/gonum"
	"gonum.org/v1/gonum/mat"

	"github.com/numateam/numateam/kernels"
	"github.com/numateam/numateam/team"
)

func Example() {
	t, err := team.New(&team.Options{Placement: team.NUMA})
	if err != nil {
		log.Fatal(err)
	}
	defer t.Close()
	const n = 1 << 20
	x, err := team.Make[float32](t, n)
	if err != nil {
		log.Fatal(err)
	}
	defer x.Close()
	y, err := team.Make[float32](t, n)
	if err != nil {
		log.Fatal(err)
	}
	defer y.Close()
	kernels.Fill(t, x.Slice(), 1)
	kernels.Fill(t, y.Slice(), 2)
	kernels.Saxpy(t, 0.5, x.Slice(), y.Slice()) // y += 0.5*x
	fmt.Println(y.Slice()[0], kernels.Dot(t, x.Slice(), y.Slice()))
	// Output: 2.5 2.62144e+06
}

// Kernels take any slices, and run on the caller without a team.
func ExampleTriad() {
	type Metres float64
	dst := make([]Metres, 3)
	kernels.Triad(nil, dst, []Metres{1, 2, 3}, 10, []Metres{1, 1, 2})
	fmt.Println(dst)
	// Output: [11 12 23]
}

func ExampleBlur3x3() {
	src := kernels.Image[uint8]{Pix: []uint8{
		0, 0, 0, 0,
		0, 90, 0, 0,
		0, 0, 0, 0,
	}, Stride: 4, Width: 4, Height: 3}
	dst := kernels.Image[uint8]{Pix: make([]uint8, 12), Stride: 4, Width: 4, Height: 3}
	kernels.Blur3x3(nil, dst, src, kernels.Replicate)
	for y := range dst.Height {
		fmt.Println(dst.Pix[y*dst.Stride:][:dst.Width])
	}
	// Output:
	// [10 10 10 0]
	// [10 10 10 0]
	// [10 10 10 0]
}

// A gonum program runs on a team after two lines.
func ExampleBLAS() {
	t, err := team.New(nil)
	if err != nil {
		log.Fatal(err)
	}
	defer t.Close()
	blas64.Use(kernels.BLAS{Team: t})
	defer blas64.Use(gonum.Implementation{})

	var c mat.Dense
	c.Mul(mat.NewDense(2, 2, []float64{1, 2, 3, 4}), mat.NewDense(2, 1, []float64{1, 10}))
	fmt.Println(c.At(0, 0), c.At(1, 0))
	// Output: 21 43
}
