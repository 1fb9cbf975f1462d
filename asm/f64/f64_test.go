package f64

import (
	"fmt"
	"math"
	"testing"
	"unsafe"

	"github.com/numateam/numateam/asm"
	"github.com/numateam/numateam/asm/asmtest"
)

// turn is how many elements the widest loop takes at once.
const turn = 64

type loop = asmtest.Loop[float64]

// scaled returns the loop for several scalars.
func scaled(name string, operands int, run, ref func(a float64, x [][]float64)) []loop {
	var list []loop
	for _, a := range []float64{-0.7, 0, float64(math.Inf(1)), float64(math.NaN())} {
		list = append(list, loop{
			Name:     fmt.Sprintf("%s by %v", name, a),
			Operands: operands,
			Run:      func(x [][]float64) float64 { run(a, x); return 0 },
			Ref:      func(x [][]float64) float64 { ref(a, x); return 0 },
		})
	}
	return list
}

func TestStreamsEqualThePlainLoops(t *testing.T) {
	plainScale := func(a float64, x [][]float64) { scaleGo(x[0], a, x[1]) }
	plainTriad := func(a float64, x [][]float64) { triadGo(x[0], x[1], a, x[2]) }
	plainAdd := func(x [][]float64) float64 { addGo(x[0], x[1], x[2]); return 0 }
	var all []loop
	all = append(all, scaled("scale", 2, func(a float64, x [][]float64) { Scale(x[0], a, x[1]) }, plainScale)...)
	all = append(all, scaled("scale stream", 2, func(a float64, x [][]float64) { ScaleStream(x[0], a, x[1]) }, plainScale)...)
	all = append(all, scaled("scale in place", 1,
		func(a float64, x [][]float64) { Scale(x[0], a, x[0]) },
		func(a float64, x [][]float64) { scaleGo(x[0], a, x[0]) })...)
	all = append(all, scaled("scale stream in place", 1,
		func(a float64, x [][]float64) { ScaleStream(x[0], a, x[0]) },
		func(a float64, x [][]float64) { scaleGo(x[0], a, x[0]) })...)
	all = append(all, scaled("triad", 3, func(a float64, x [][]float64) { Triad(x[0], x[1], a, x[2]) }, plainTriad)...)
	all = append(all, scaled("triad stream", 3, func(a float64, x [][]float64) { TriadStream(x[0], x[1], a, x[2]) }, plainTriad)...)
	all = append(all, scaled("triad onto a", 2,
		func(a float64, x [][]float64) { Triad(x[0], x[0], a, x[1]) },
		func(a float64, x [][]float64) { triadGo(x[0], x[0], a, x[1]) })...)
	all = append(all, scaled("triad onto b", 2,
		func(a float64, x [][]float64) { TriadStream(x[0], x[1], a, x[0]) },
		func(a float64, x [][]float64) { triadGo(x[0], x[1], a, x[0]) })...)
	all = append(all, scaled("axpy", 2,
		func(a float64, x [][]float64) { Axpy(a, x[0], x[1]) },
		func(a float64, x [][]float64) { axpyGo(a, x[0], x[1]) })...)
	all = append(all, scaled("axpy stream", 2,
		func(a float64, x [][]float64) { AxpyStream(a, x[0], x[1]) },
		func(a float64, x [][]float64) { axpyGo(a, x[0], x[1]) })...)
	all = append(all, scaled("axpy onto itself", 1,
		func(a float64, x [][]float64) { Axpy(a, x[0], x[0]) },
		func(a float64, x [][]float64) { axpyGo(a, x[0], x[0]) })...)
	all = append(all,
		loop{Name: "add", Operands: 3, Run: func(x [][]float64) float64 { Add(x[0], x[1], x[2]); return 0 }, Ref: plainAdd},
		loop{Name: "add stream", Operands: 3, Run: func(x [][]float64) float64 { AddStream(x[0], x[1], x[2]); return 0 }, Ref: plainAdd},
		loop{Name: "add to itself", Operands: 1,
			Run: func(x [][]float64) float64 { Add(x[0], x[0], x[0]); return 0 },
			Ref: func(x [][]float64) float64 { addGo(x[0], x[0], x[0]); return 0 }},
	)
	asmtest.Test(t, turn, all...)
}

// naive adds up terms in the shape that the package comment describes, in the plainest
// way: recursively, with one sum for each lane.
func naive(term []float64) float64 {
	if len(term) == 0 {
		return 0
	}
	if len(term) > 4096 {
		h := 4096
		for 2*h < len(term) {
			h *= 2
		}
		return naive(term[:h]) + naive(term[h:])
	}
	const w = len(lanes{})
	var lane [w]float64
	for i, v := range term {
		lane[i%w] += v
	}
	var fold func(l []float64) float64
	fold = func(l []float64) float64 {
		if len(l) == 1 {
			return l[0]
		}
		h := len(l) / 2
		for i := range h {
			l[i] += l[h+i]
		}
		return fold(l[:h])
	}
	return fold(lane[:])
}

func TestReductionsHaveTheirShape(t *testing.T) {
	terms := func(x []float64, f func(i int) float64) float64 {
		term := make([]float64, len(x))
		for i := range term {
			term[i] = f(i)
		}
		return float64(naive(term))
	}
	asmtest.Test(t, turn,
		loop{Name: "dot", Operands: 2,
			Run: func(x [][]float64) float64 { return float64(Dot(x[0], x[1])) },
			Ref: func(x [][]float64) float64 {
				return terms(x[0], func(i int) float64 { return x[0][i] * x[1][i] })
			}},
		loop{Name: "dot with itself", Operands: 1,
			Run: func(x [][]float64) float64 { return float64(Dot(x[0], x[0])) },
			Ref: func(x [][]float64) float64 {
				return terms(x[0], func(i int) float64 { return x[0][i] * x[0][i] })
			}},
		loop{Name: "sum", Operands: 1,
			Run: func(x [][]float64) float64 { return float64(Sum(x[0])) },
			Ref: func(x [][]float64) float64 { return terms(x[0], func(i int) float64 { return x[0][i] }) }},
		loop{Name: "asum", Operands: 1,
			Run: func(x [][]float64) float64 { return float64(Asum(x[0])) },
			Ref: func(x [][]float64) float64 {
				return terms(x[0], func(i int) float64 { return float64(math.Abs(float64(x[0][i]))) })
			}},
	)
}

func TestPartsOfAReductionFoldToTheWhole(t *testing.T) {
	x := make([]float64, 1<<20+12345)
	for i := range x {
		x[i] = 1 / float64(i+1)
	}
	want := Sum(x)
	for part := blockLen; part < 2*len(x); part *= 2 {
		var r []float64
		for i := 0; i < len(x); i += part {
			r = append(r, Sum(x[i:min(i+part, len(x))]))
		}
		if got := Fold(r); got != want {
			t.Errorf("in parts of %d: %v, want %v", part, got, want)
		}
	}
}

func TestLengthsPanicBeforeAnyWrite(t *testing.T) {
	x, y, z := make([]float64, 16), make([]float64, 32), make([]float64, 8)
	calls := map[string]func(a, b, c []float64){
		"scale":        func(a, b, _ []float64) { Scale(a, 1, b) },
		"scale stream": func(a, b, _ []float64) { ScaleStream(a, 1, b) },
		"axpy":         func(a, b, _ []float64) { Axpy(1, a, b) },
		"axpy stream":  func(a, b, _ []float64) { AxpyStream(1, a, b) },
		"dot":          func(a, b, _ []float64) { Dot(a, b) },
		"add":          func(a, b, c []float64) { Add(a, b, c) },
		"add stream":   func(a, b, c []float64) { AddStream(a, b, c) },
		"triad":        func(a, b, c []float64) { Triad(a, b, 1, c) },
		"triad stream": func(a, b, c []float64) { TriadStream(a, b, 1, c) },
	}
	for name, call := range calls {
		for _, o := range [][3][]float64{{x, y, z}, {x, z, y}, {y, x, z}, {y, z, x}, {z, x, y}, {z, y, x}, {x, y, y}, {nil, x, x}} {
			for _, s := range o {
				for i := range s {
					s[i] = 3
				}
			}
			func() {
				defer func() {
					if r := recover(); r != "f64: slices of different length" {
						t.Errorf("%s with lengths %d, %d, %d: %v", name, len(o[0]), len(o[1]), len(o[2]), r)
					}
				}()
				call(o[0], o[1], o[2])
			}()
			for _, s := range o {
				for i := range s {
					if s[i] != 3 {
						t.Fatalf("%s wrote before it panicked", name)
					}
				}
			}
		}
	}
}

func TestNothingEscapes(t *testing.T) {
	asmtest.EachISA(t, func(t *testing.T) {
		if n := testing.AllocsPerRun(10, func() {
			var x, y, z [100]float64
			Scale(x[:], 2, y[:])
			Add(x[:], y[:], z[:])
			Triad(x[:], y[:], 2, z[:])
			Axpy(2, x[:], y[:])
			AxpyStream(2, x[:], y[:])
			ScaleStream(x[:], 2, y[:])
			AddStream(x[:], y[:], z[:])
			TriadStream(x[:], y[:], 2, z[:])
			z[0] = Dot(x[:], y[:]) + Sum(x[:]) + Asum(y[:])
		}); n != 0 {
			t.Errorf("%v allocations", n)
		}
	})
}

// BenchmarkLoops measures each loop in the caches and beyond, x on 64 bytes and y at 192
// modulo 4096.
func BenchmarkLoops(b *testing.B) {
	for _, isa := range asm.Available() {
		for _, n := range []int{100, 1000, 10_000, 100_000, 10_000_000} {
			x, y, z := asmtest.At[float64](n, 64), asmtest.At[float64](n, 192), asmtest.At[float64](n, 320)
			for _, l := range []struct {
				name    string
				streams int
				run     func()
			}{
				{"scale", 2, func() { Scale(y, 1, x) }},
				{"scale_stream", 2, func() { ScaleStream(y, 1, x) }},
				{"add", 3, func() { Add(z, x, y) }},
				{"add_stream", 3, func() { AddStream(z, x, y) }},
				{"triad", 3, func() { Triad(z, x, 1, y) }},
				{"triad_stream", 3, func() { TriadStream(z, x, 1, y) }},
				{"axpy", 3, func() { Axpy(1, x, y) }},
				{"dot", 2, func() { Dot(x, y) }},
				{"sum", 1, func() { Sum(x) }},
				{"asum", 1, func() { Asum(x) }},
			} {
				b.Run(fmt.Sprintf("op=%s/isa=%v/n=%d", l.name, isa, n), func(b *testing.B) {
					defer asm.Use(isa)()
					b.SetBytes(int64(l.streams * n * int(unsafe.Sizeof(x[0]))))
					for b.Loop() {
						l.run()
					}
				})
			}
		}
	}
}
