package kernels

import (
	"math"
	"math/big"
	"testing"

	"github.com/numateam/numateam/asm/asmtest"
	"github.com/numateam/numateam/numa"
	"github.com/numateam/numateam/team"
)

// longer is a length that a team shares out in these tests.
const longer = serial + 3*grain + 5

// In all tests but one, a team gets to work on what's longer than serial, however few bytes.
func init() { worthwhile = 0 }

func TestTeamsAreForOperandsThatAreWorthwhile(t *testing.T) {
	defer func() { worthwhile = 0 }()
	worthwhile = 1 << 20
	tm := threeWorkers(t)
	x, y, z := make([]float32, 1<<18), make([]float32, 1<<18), make([]float32, 1<<18)
	b := make([]int8, 1<<20)
	for _, k := range []struct {
		name  string
		least int // elements that are shared out
		run   func(n int)
	}{
		{"fill", 1 << 18, func(n int) { Fill(tm, x[:n], 1) }},
		{"fill of bytes", 1 << 20, func(n int) { Fill(tm, b[:n], 1) }},
		{"copy", 1 << 17, func(n int) { Copy(tm, x[:n], y[:n]) }},
		{"scale", 1 << 17, func(n int) { Scale(tm, x[:n], 1, y[:n]) }},
		{"axpy", 1 << 17, func(n int) { Axpy(tm, 1, x[:n], y[:n]) }},
		{"triad", 87382, func(n int) { Triad(tm, x[:n], y[:n], 1, z[:n]) }},
		{"dot", 1 << 17, func(n int) { Dot(tm, x[:n], y[:n]) }},
		{"sum", 1 << 18, func(n int) { Sum(tm, x[:n]) }},
		{"nrm2", 1 << 18, func(n int) { Nrm2(tm, x[:n]) }},
	} {
		for _, n := range []int{k.least - 1, k.least} {
			before := tm.Stats().Launches
			k.run(n)
			if launched := tm.Stats().Launches > before; launched != (n == k.least) {
				t.Errorf("%s of %d: launched is %v", k.name, n, launched)
			}
		}
	}
}

func threeWorkers(t testing.TB) *team.Team {
	tm, err := team.New(&team.Options{Workers: 3})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tm.Close() })
	return tm
}

// panics returns what f panics with.
func panics(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

func TestKernelsEqualThePlainLoops(t *testing.T) {
	t.Run("float32", testPlain[float32])
	t.Run("float64", testPlain[float64])
}

func testPlain[T Float](t *testing.T) {
	o := newOperands[T](longer)
	tm := threeWorkers(t)
	for _, k := range ops[T]() {
		for _, n := range []int{0, 1, 17, 1000, serial, serial + 1, longer} {
			want := append([]T(nil), o.dst[:n]...)
			result := k.plain(0.7, want, o.a[:n], o.b[:n])
			t.Run(k.name, func(t *testing.T) {
				o.agree(t, k, nil, [3]int{}, want, result)
				o.agree(t, k, tm, [3]int{1, 2, 3}, want, result)
			})
		}
	}
}

func TestKernelsTakeNamedTypes(t *testing.T) {
	type celsius float32
	type metre float64
	c, m := []celsius{1, 2, 3}, []metre{1, 2, 3}
	Axpy(nil, 2, c, c)
	Scale(nil, m, 2, m)
	Fill(nil, m[2:], 7)
	if c[2] != 9 || m[1] != 4 || Sum(nil, m) != 13 || Dot(nil, c, c) != 9+36+81 {
		t.Errorf("got %v, %v", c, m)
	}
}

func TestSaxpyAndDaxpyAreAxpy(t *testing.T) {
	tm := threeWorkers(t)
	o32, o64 := newOperands[float32](longer), newOperands[float64](longer)
	for _, n := range []int{0, 1, 17, longer} {
		want32, want64 := append([]float32(nil), o32.dst[:n]...), append([]float64(nil), o64.dst[:n]...)
		got32, got64 := append([]float32(nil), want32...), append([]float64(nil), want64...)
		Axpy(nil, 0.7, o32.a[:n], want32)
		Axpy(nil, 0.7, o64.a[:n], want64)
		Saxpy(tm, 0.7, o32.a[:n], got32)
		Daxpy(tm, 0.7, o64.a[:n], got64)
		if at := asmtest.Differ(got32, want32); at >= 0 {
			t.Errorf("saxpy of %d at %d is %v, want %v", n, at, got32[at], want32[at])
		}
		if at := asmtest.Differ(got64, want64); at >= 0 {
			t.Errorf("daxpy of %d at %d is %v, want %v", n, at, got64[at], want64[at])
		}
	}
}

func TestFillAndCopyTakeEveryElement(t *testing.T) {
	tm := threeWorkers(t)
	testElem(t, tm, int8(-3))
	testElem(t, tm, uint8(200))
	testElem(t, tm, int16(-300))
	testElem(t, tm, uint16(60000))
	testElem(t, tm, int32(-70000))
	testElem(t, tm, uint32(1<<31))
	testElem(t, tm, int64(-1<<40))
	testElem(t, tm, uint64(1<<63))
	testElem(t, tm, -7)
	testElem(t, tm, float32(1.5))
	testElem(t, tm, 2.5)
	testElem(t, tm, complex64(1+2i))
	testElem(t, tm, 3+4i)
}

func testElem[E numa.Elem](t *testing.T, tm *team.Team, v E) {
	for _, n := range []int{0, 1, 33, longer} {
		x, y := make([]E, n+1), make([]E, n+1)
		Fill(tm, x[:n], v)
		Copy(tm, y[:n], x[:n])
		for i := range n {
			if x[i] != v || y[i] != v {
				t.Fatalf("%T: element %d of %d is %v, its copy %v, want %v", v, i, n, x[i], y[i], v)
			}
		}
		if x[n] != 0 || y[n] != 0 {
			t.Fatalf("%T: wrote behind the end of %d", v, n)
		}
	}
}

func TestLengthsPanicBeforeAnyWrite(t *testing.T) {
	tm := threeWorkers(t)
	for _, by := range []int{1, longer} { // without and with a launch
		x, y, z := make([]float64, 16*by), make([]float64, 32*by), make([]float64, 8*by)
		for _, o := range [][3][]float64{{x, y, z}, {x, z, y}, {y, x, z}, {y, z, x}, {z, x, y}, {z, y, x}, {nil, x, x}, {x, nil, x}} {
			for name, call := range map[string]func(){
				"copy":  func() { Copy(tm, o[0], o[1]) },
				"scale": func() { Scale(tm, o[0], 2, o[1]) },
				"add":   func() { Add(tm, o[0], o[1], o[2]) },
				"triad": func() { Triad(tm, o[0], o[1], 2, o[2]) },
				"axpy":  func() { Axpy(tm, 2, o[0], o[1]) },
				"dot":   func() { Dot(tm, o[0], o[1]) },
			} {
				Fill(nil, x, 3)
				Fill(nil, y, 3)
				Fill(nil, z, 3)
				if got := panics(call); got != "kernels: slices of different length" {
					t.Fatalf("%s of %d, %d, %d: panicked with %v", name, len(o[0]), len(o[1]), len(o[2]), got)
				}
				if Sum(nil, x) != 3*16*float64(by) || Sum(nil, y) != 3*32*float64(by) || Sum(nil, z) != 3*8*float64(by) {
					t.Fatalf("%s wrote before it panicked", name)
				}
			}
		}
	}
}

func TestNothingToDo(t *testing.T) {
	tm := threeWorkers(t)
	for _, k := range ops[float32]() {
		for _, x := range [][]float32{nil, {}} {
			if got := k.run(tm, 2, x, nil, x); got != 0 {
				t.Errorf("%s of nothing is %v", k.name, got)
			}
		}
	}
}

func TestTheSameSliceTwiceEqualsThePlainLoop(t *testing.T) {
	o := newOperands[float64](longer)
	tm := threeWorkers(t)
	for _, n := range []int{1, 200, longer} {
		for _, k := range ops[float64]() {
			got, want := append([]float64(nil), o.a[:n]...), append([]float64(nil), o.a[:n]...)
			result := k.plain(0.7, want, want, want)
			if v := k.run(tm, 0.7, got, got, got); v != result || asmtest.Differ(got, want) >= 0 {
				t.Errorf("%s of %d in place differs", k.name, n)
			}
		}
	}
}

func TestPartialOverlapPanics(t *testing.T) {
	x := make([]float32, 300)
	for _, shift := range []int{-64, -63, -1, 1, 2, 63, 64, 99} {
		dst, src := x[100:200], x[100+shift:200+shift]
		for name, call := range map[string]func(){
			"scale":   func() { Scale(nil, dst, 2, src) },
			"axpy":    func() { Axpy(nil, 2, src, dst) },
			"add a":   func() { Add(nil, dst, src, dst) },
			"add b":   func() { Add(nil, dst, dst, src) },
			"triad a": func() { Triad(nil, dst, src, 2, dst) },
			"triad b": func() { Triad(nil, dst, dst, 2, src) },
		} {
			if got := panics(call); got != "kernels: the destination overlaps with a source" {
				t.Errorf("%s shifted by %d: panicked with %v", name, shift, got)
			}
		}
	}
	Scale(nil, x[:100], 2, x[100:200]) // neighbours don't overlap
	Scale(nil, x[100:200], 2, x[:100])
}

func TestCopyIsGosCopy(t *testing.T) {
	tm := threeWorkers(t)
	start := newOperands[float32](4 * longer).a
	for _, n := range []int{136, 3 * longer} {
		for shift := -64; shift <= 64; shift++ {
			if n > 136 && shift%16 != 1 {
				continue
			}
			got, want := append([]float32(nil), start...), append([]float32(nil), start...)
			Copy(tm, got[64+shift:64+shift+n], got[64:64+n])
			copy(want[64+shift:64+shift+n], want[64:64+n])
			if i := asmtest.Differ(got, want); i >= 0 {
				t.Fatalf("%d shifted by %d: element %d is %v, want %v", n, shift, i, got[i], want[i])
			}
		}
	}
}

func TestNoAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector makes sync.Pool forget at random")
	}
	o := newOperands[float64](longer)
	tm := threeWorkers(t)
	for _, k := range ops[float64]() {
		for _, n := range []int{100, longer} {
			if got := testing.AllocsPerRun(20, func() { k.run(tm, 0.7, o.dst[:n], o.a[:n], o.b[:n]) }); got != 0 {
				t.Errorf("%s of %d allocates %v times", k.name, n, got)
			}
		}
	}
}

func TestArgumentsAreForgotten(t *testing.T) {
	tm := threeWorkers(t)
	x := make([]float32, longer)
	Axpy(tm, 2, x, x)
	Fill(tm, x, 1)
	Dot(tm, x, x)
	if r := streamArgs32.Get().(*streamArgs[float32]); r.dst != nil || r.a != nil || r.b != nil {
		t.Error("a record of the streams keeps its operands")
	}
	if r := byteArgsPool.Get().(*byteArgs); r.dst != nil || r.src != nil {
		t.Error("a record of fill keeps its operands")
	}
	if r := pool32.Get().(*reduceArgs[float32, float32]); r.x != nil || r.y != nil {
		t.Error("a record of the reductions keeps its operands")
	}
}

func TestNrm2(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	tm := threeWorkers(t)
	for _, c := range []struct {
		value, last float64 // the last element is another
	}{
		{3, 4}, {0, 0}, {1e200, 1e200}, {1e-200, 1e-180}, {math.SmallestNonzeroFloat64, 0}, {1e-310, 5e-324},
		{math.MaxFloat64 / 1000, 1}, {0x1p-480, 0}, {0x1p509, 0x1p509}, {1, inf}, {1e300, -inf}, {1, nan}, {inf, nan}, {nan, -inf},
	} {
		for _, n := range []int{1, 2, 100, longer} {
			x := make([]float64, n)
			Fill(nil, x, c.value)
			x[n-1] = c.last
			got := Nrm2(tm, x)
			switch want := exactNorm(n, c.value, c.last); {
			case math.IsNaN(want):
				if !math.IsNaN(got) {
					t.Errorf("%d of %v and %v: %v, want NaN", n, c.value, c.last, got)
				}
			case got != want && math.Abs(got-want) > 1e-14*want:
				t.Errorf("%d of %v and %v: %v, want %v", n, c.value, c.last, got, want)
			}
		}
	}
	if got := Nrm2(nil, []float32{3e30, 4e30}); got != 5e30 {
		t.Errorf("of large float32: %v", got)
	}
	if got := Nrm2(nil, []float32{3e-40, 4e-40}); math.Abs(float64(got)/5e-40-1) > 1e-5 {
		t.Errorf("of denormal float32: %v", got)
	}
}

// exactNorm returns the norm of n-1 numbers v and one w.
func exactNorm(n int, v, w float64) float64 {
	if v != v || w != w || math.IsInf(v, 0) || math.IsInf(w, 0) {
		if n == 1 {
			return math.Abs(w)
		}
		return math.Abs(v) + math.Abs(w)
	}
	square := func(v float64) *big.Float {
		f := new(big.Float).SetPrec(2000).SetFloat64(v)
		return f.Mul(f, f)
	}
	sum := square(v)
	sum.Mul(sum, big.NewFloat(float64(n-1))).Add(sum, square(w))
	norm, _ := sum.Sqrt(sum).Float64()
	return norm
}

func TestSumsOfOnesAreExact(t *testing.T) {
	n := 1 << 25 // a single float32 sum stops at 1<<24
	if testing.Short() {
		n = 1 << 20
	}
	x := make([]float32, n)
	tm := threeWorkers(t)
	Fill(tm, x, 1)
	if sum, dot := Sum(tm, x), Dot(tm, x, x); sum != float32(n) || dot != float32(n) {
		t.Errorf("sum %v, dot %v, want %d", sum, dot, n)
	}
}

func TestBeyondCacheWithoutATeam(t *testing.T) {
	defer func(f func(*team.Team) int) { llcShare = f }(llcShare)
	llcShare = func(*team.Team) int { return 8 << 20 }
	x := make([]float64, 1<<20+1)
	for _, c := range []struct {
		slices, n int
		want      bool
	}{{1, 1 << 20, false}, {1, 1<<20 + 1, true}, {2, 1 << 19, false}, {2, 1<<19 + 1, true}} {
		if got := beyondCache(nil, c.slices, x[:c.n]); got != c.want {
			t.Errorf("%d slices of %d: %v", c.slices, c.n, got)
		}
	}
	llcShare = func(*team.Team) int { return 0 } // 32 MiB are assumed
	if beyondCache(nil, 3, x) || !beyondCache(nil, 5, x) {
		t.Error("an unknown cache isn't taken for one of 32 MiB")
	}
}
