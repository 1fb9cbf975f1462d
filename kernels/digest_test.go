package kernels

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/numateam/numateam/asm"
	"github.com/numateam/numateam/asm/asmtest"
	"github.com/numateam/numateam/asm/mem"
	"github.com/numateam/numateam/team"
)

// digestFile has a line for each kernel, type and set of lengths: a digest of all that
// the kernel computes at these lengths, on any CPU and team.
const digestFile = "testdata/digests.txt"

var update = flag.Bool("update", false, "write "+digestFile)

// lengthSets are the lengths of the digests. Without teams, all are run on every instruction
// set, and those up to 300 at many places in memory too; the larger ones with teams.
var lengthSets = []struct {
	name    string
	lengths []int
	short   bool // run with -short, as under emulation
}{
	{"0-131", upTo(0, 131), true},
	{"132-300", upTo(132, 300), false},
	{"large", []int{4095, 4097, 65537, 1e5 + 3}, true},
	{"huge", []int{1<<20 - 1, 1<<20 + 1}, false},
}

func upTo(from, to int) (list []int) {
	for n := from; n <= to; n++ {
		list = append(list, n)
	}
	return list
}

// A digest is a hash of numbers.
type digest uint64

func (d *digest) add(v float64) {
	if v != v {
		v = math.NaN() // whatever its payload
	}
	*d = digest(bits.RotateLeft64(uint64(*d)^math.Float64bits(v), 27) * 0x9e3779b97f4a7c15)
}

// operands are a kernel's for tests: numbers most of which round.
type operands[T Float] struct{ dst, a, b, dst1, a1, b1 []T }

// room is the number of elements that operands can be moved by.
const room = 64

func newOperands[T Float](n int) operands[T] {
	o := operands[T]{make([]T, n), make([]T, n), make([]T, n), make([]T, n+room), make([]T, n+room), make([]T, n+room)}
	state := uint64(1)
	for _, x := range [][]T{o.dst, o.a, o.b} {
		for i := range x {
			state ^= state << 13
			state ^= state >> 7
			state ^= state << 17
			x[i] = T(int64(state)>>11) / (1 << 48) // 53 bits, between -16 and 16
		}
	}
	return o
}

// run runs a kernel on n elements, the operands each moved by so many elements, and
// returns the destination, which is good until the next run, and the result.
func (o operands[T]) run(k op[T], t *team.Team, n int, by [3]int) ([]T, T) {
	dst, a, b := o.dst1[by[0]:by[0]+n], o.a1[by[1]:by[1]+n], o.b1[by[2]:by[2]+n]
	copy(dst, o.dst)
	copy(a, o.a)
	copy(b, o.b)
	return dst, k.run(t, 0.7, dst, a, b)
}

// agree runs a kernel and fails unless it gives what's wanted.
func (o operands[T]) agree(t *testing.T, k op[T], tm *team.Team, by [3]int, want []T, wantResult T) {
	dst, result := o.run(k, tm, len(want), by)
	if !bytes.Equal(mem.Bytes(dst), mem.Bytes(want)) {
		i := asmtest.Differ(dst, want)
		t.Fatalf("n = %d at %d: element %d is %v, want %v", len(want), by, i, dst[i], want[i])
	}
	if !asmtest.Same(result, wantResult) {
		t.Fatalf("n = %d at %d: result is %v, want %v", len(want), by, result, wantResult)
	}
}

func TestDigests(t *testing.T) {
	recorded, _ := os.ReadFile(digestFile)
	var all strings.Builder
	testDigests[float32](t, "float32", string(recorded), &all)
	testDigests[float64](t, "float64", string(recorded), &all)
	if *update {
		if err := os.WriteFile(digestFile, []byte(all.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func testDigests[T Float](t *testing.T, typ, recorded string, all *strings.Builder) {
	teams := testTeams(t)
	o := newOperands[T](1<<20 + 1)
	for _, k := range ops[T]() {
		for _, set := range lengthSets {
			if testing.Short() && !set.short {
				continue
			}
			t.Run(k.name+"/"+typ+"/"+set.name, func(t *testing.T) {
				for _, isa := range asm.Available() {
					t.Run(isa.String(), func(t *testing.T) {
						defer asm.Use(isa)()
						var d digest
						for _, n := range set.lengths {
							dst, result := o.run(k, nil, n, [3]int{})
							for _, v := range dst {
								d.add(float64(v))
							}
							d.add(float64(result))
							want := append([]T(nil), dst...)
							for _, by := range places(n) {
								o.agree(t, k, nil, by, want, result)
							}
						}
						line := fmt.Sprintf("%s %s %s: %016x\n", k.name, typ, set.name, uint64(d))
						if isa == asm.NoAsm {
							all.WriteString(line)
						}
						if !*update && !strings.Contains(recorded, line) {
							t.Errorf("not recorded: %s", line)
						}
					})
				}
				for _, n := range set.lengths {
					if n > 300 || n == 0 || n == 1 || n == 63 {
						dst, result := o.run(k, nil, n, [3]int{})
						want := append([]T(nil), dst...)
						for name, tm := range teams {
							t.Run(name, func(t *testing.T) {
								o.agree(t, k, tm, [3]int{}, want, result)
								o.agree(t, k, tm, [3]int{3, 1, 7}, want, result)
							})
						}
					}
				}
			})
		}
	}
}

// places returns how far to move the operands of n elements: for short ones all by 1
// to 15, and some each by its own.
func places(n int) (list [][3]int) {
	if n > 300 {
		return [][3]int{{1, 2, 3}}
	}
	r := rand.New(rand.NewPCG(uint64(n), 0))
	for by := 1; by < 16; by++ {
		list = append(list, [3]int{by, by, by})
	}
	for range 4 {
		list = append(list, [3]int{r.IntN(room), r.IntN(room), r.IntN(room)})
	}
	return list
}

// testTeams returns teams of several sizes and schedules for a test.
func testTeams(t *testing.T) map[string]*team.Team {
	sizes := []int{1, 2, 3, 7, 16}
	if testing.Short() {
		sizes = []int{3}
	}
	teams := map[string]*team.Team{}
	for _, workers := range sizes {
		tm, err := team.New(&team.Options{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { tm.Close() })
		for _, s := range []team.Schedule{team.Static, team.Steal, team.Auto} {
			teams[fmt.Sprintf("%d workers, %v", workers, s)] = tm.With(team.Launch{Schedule: s})
		}
	}
	return teams
}

// Stores past the caches must give the same: here on any machine, at any length above
// leastShare.
func TestDigestsOfStreamingStores(t *testing.T) {
	defer func(f func(*team.Team) int) { llcShare = f }(llcShare)
	o := newOperands[float64](1e5 + 3)
	for _, k := range ops[float64]() {
		for _, by := range [][3]int{{}, {1, 1, 1}, {3, 1, 7}} {
			llcShare = func(*team.Team) int { return math.MaxInt }
			dst, result := o.run(k, nil, 1e5+3, by)
			want := append([]float64(nil), dst...)
			llcShare = func(*team.Team) int { return 1 }
			o.agree(t, k, nil, by, want, result)
		}
	}
}
