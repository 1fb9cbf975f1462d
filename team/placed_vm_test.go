//go:build linux && (amd64 || arm64)

package team_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/numateam/numateam/kernels"
	"github.com/numateam/numateam/numa"
	"github.com/numateam/numateam/numa/numatest"
	"github.com/numateam/numateam/team"
	"github.com/numateam/numateam/topology"
	"golang.org/x/sys/unix"
)

// The tests of this file are about teams on several nodes. .ci/vm/test runs them
// in machines that have some.

const childVar = "TEAM_TEST_CHILD"

func init() {
	switch child, cpu, _ := strings.Cut(os.Getenv(childVar), ":"); child {
	case "hog":
		hog(cpu)
	case "refused":
		if err := numatest.Refuse(unix.EPERM, unix.SYS_MBIND); err != nil {
			panic(err)
		}
	}
}

// hog keeps a CPU busy until it's killed.
func hog(cpu string) {
	var id int
	fmt.Sscan(cpu, &id)
	runtime.LockOSThread()
	var mask unix.CPUSet
	mask.Set(id)
	unix.SchedSetaffinity(0, &mask)
	for i := 0; i >= 0; i++ { // for years
	}
}

// vm skips the test outside of the emulated machines, and returns this one's
// topology.
func vm(t *testing.T) *topology.Machine {
	t.Helper()
	if os.Getenv("VM_TOPOLOGY") == "" {
		t.Skip("needs several nodes: .ci/vm/test runs this in machines that have them")
	}
	m, err := topology.Detect()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// hogs starts a busy process on each CPU for the time of the test.
func hogs(t *testing.T, m *topology.Machine) {
	t.Helper()
	for cpu := range m.Allowed.All() {
		cmd := exec.Command("/proc/self/exe")
		cmd.Env = append(os.Environ(), fmt.Sprintf("%s=hog:%d", childVar, cpu))
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			cmd.Process.Kill()
			cmd.Wait()
		})
	}
}

func vmTeam(t *testing.T, o team.Options) *team.Team {
	t.Helper()
	tm, err := team.New(&o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tm.Close() })
	return tm
}

func locality[T numa.Elem](t *testing.T, tm *team.Team, x []T) float64 {
	t.Helper()
	share, err := team.Locality(tm, x)
	if err != nil {
		t.Fatal(err)
	}
	return share
}

// fillAndSaxpy makes two arrays by owner, fills them cold, adds one to the
// other, and returns the second.
func fillAndSaxpy(t *testing.T, tm *team.Team, n int) *numa.Array[float32] {
	t.Helper()
	var a [2]*numa.Array[float32]
	for i := range a {
		var err error
		if a[i], err = team.Make[float32](tm, n); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { a[i].Close() })
		kernels.Fill(tm, a[i].Slice(), float32(i+1))
	}
	x, y := a[0].Slice(), a[1].Slice()
	kernels.Saxpy(tm, 3, x, y)
	for i, v := range y {
		if v != 5 {
			t.Fatalf("y[%d] = %v, want 5", i, v)
		}
	}
	return a[1]
}

// Where policies can be set, all pages lie with their owners, whoever touches
// them first and however late.
func TestVMMadeArraysAreLocal(t *testing.T) {
	m := vm(t)
	const n = 1<<19 + 12345
	for _, load := range []string{"idle", "a hog per CPU"} {
		t.Run(load, func(t *testing.T) {
			placements := []team.Placement{team.Cores, team.NUMA, team.Threads}
			if load != "idle" {
				hogs(t, m)
				if os.Getenv("VM_TOPOLOGY") != "numa2" { // a launch among hogs takes its time
					placements = placements[1:2]
				}
			}
			for _, placement := range placements {
				for _, schedule := range []team.Schedule{team.Static, team.Steal} {
					tm := vmTeam(t, team.Options{Placement: placement, Schedule: schedule})
					a := fillAndSaxpy(t, tm, n)
					r, err := a.Residency()
					if err != nil || r.Untouched+r.Unknown > 0 {
						t.Fatal(r, err)
					}
					if share := locality(t, tm, a.Slice()); share != 1 || a.Outcome().Err != nil {
						t.Errorf("%v, %v: locality %.4f, pages %v, want all local; %v", placement, schedule, share, r.Nodes, a.Outcome().Err)
					}
					tm.Close()
				}
			}
		})
	}
}

// A worker on a node without memory has its block on the nearest node with some:
// in cpuonly, those of node 1 on node 2.
func TestVMNodeWithoutMemory(t *testing.T) {
	vm(t)
	if os.Getenv("VM_TOPOLOGY") != "cpuonly" {
		t.Skip("needs a node without memory: runs in cpuonly")
	}
	tm := vmTeam(t, team.Options{Placement: team.NUMA})
	x := fillAndSaxpy(t, tm, 1<<19).Slice()
	r, ok := numa.Lookup(unsafe.Pointer(&x[0]))
	if !ok || tm.Size() != 6 || len(r.Parts) != 6 {
		t.Fatalf("%d workers, parts %v", tm.Size(), r.Parts)
	}
	begin := 0
	for _, part := range r.Parts { // two workers per node
		want := [6]int{0, 0, 2, 2, 2, 2}[part.Worker]
		if err := numa.Pages(x[begin:part.End], 1, func(i, node int) {
			if node != want {
				t.Errorf("worker %d: element %d is on node %d, want %d", part.Worker, begin+i, node, want)
			}
		}); err != nil {
			t.Error(err)
		}
		begin = part.End
	}
}

// A launch over a part of a placed array follows its pages' owners: the workers
// run what lies on their nodes, and the caller, who may help out, leaves them some.
func TestVMSlicesFollowTheirOwners(t *testing.T) {
	m := vm(t)
	tm := vmTeam(t, team.Options{Placement: team.NUMA})
	const n = 1 << 20
	x := fillAndSaxpy(t, tm, n).Slice()
	for _, part := range [][2]int{{0, n}, {0, n / 2}, {n / 2, n}, {n / 4, 3 * n / 4}, {12345, n - 54321}, {n - 100_000, n}} {
		y := x[part[0]:part[1]]
		// Where y doesn't start with a chunk, the owners' bounds in it round to chunks.
		if share := locality(t, tm, y); share < 0.98 {
			t.Errorf("x[%d:%d]: locality %.4f", part[0], part[1], share)
		}
		nodes := map[int]int{}
		if err := numa.Pages(y, 1, func(i, node int) { nodes[i/4096] = node }); err != nil {
			t.Fatal(err)
		}
		var home, away, helped atomic.Int64
		launch := tm.With(team.Launch{Grain: 4096, Schedule: team.Static, Over: team.Over(y)})
		for range 20 {
			launch.ForWorker(len(y), func(w *team.Worker, lo, hi int) {
				if w.ID() == 0 { // the caller; its block may be another's, too
					time.Sleep(2 * time.Millisecond)
					helped.Add(int64(hi - lo))
					return
				}
				_, node := numa.Getcpu()
				for i := lo; i < hi; i += 4096 {
					if numa.Home(m, node) == nodes[i/4096] {
						home.Add(int64(min(i+4096, hi) - i))
					} else {
						away.Add(int64(min(i+4096, hi) - i))
					}
				}
			})
		}
		if total := home.Load() + away.Load() + helped.Load(); total != int64(20*len(y)) {
			t.Errorf("x[%d:%d]: %d indices run, want %d", part[0], part[1], total, 20*len(y))
		}
		share := float64(home.Load()) / float64(home.Load()+away.Load())
		t.Logf("x[%d:%d]: %.1f %% of what the workers ran lay on their node; the caller ran %.1f %% of all",
			part[0], part[1], 100*share, float64(100*helped.Load())/float64(20*len(y)))
		if !(share > 0.98) { // NaN, if they ran nothing
			t.Errorf("x[%d:%d] doesn't follow its pages", part[0], part[1])
		}
	}
}

// Arrays that somebody else has placed are computed right.
func TestVMForeignArrays(t *testing.T) {
	m := vm(t)
	const n = 300_001
	other := vmTeam(t, team.Options{Placement: team.Threads})
	tm := vmTeam(t, team.Options{Placement: team.NUMA, Schedule: team.Steal})
	byOther, err := team.Make[float32](other, n)
	if err != nil {
		t.Fatal(err)
	}
	defer byOther.Close()
	arrays := map[string]*numa.Array[float32]{"of another team": byOther}
	for name, o := range map[string]*numa.Options{
		"first touch": nil,
		"interleaved": {Policy: numa.Interleave(topology.Set{})},
		"bound":       {Policy: numa.Bind(topology.SetOf(m.AllowedNodes.Max()))},
		"by parts":    {Policy: numa.ByParts([]numa.Part{{End: 1, Node: 0, Worker: 9}, {End: n, Node: m.AllowedNodes.Max(), Worker: -1}})},
	} {
		a, err := numa.Alloc[float32](n, o)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		arrays[name] = a
	}
	for name, a := range arrays {
		for _, y := range [][]float32{a.Slice(), a.Slice()[7 : n-5]} {
			kernels.Fill(tm, y, 1)
			kernels.Saxpy(tm, 2, y, y)
			for i, v := range y {
				if v != 3 {
					t.Fatalf("%s: y[%d] = %v, want 3", name, i, v)
				}
			}
		}
	}
}

// Where no policy can be set, the owners touch: the share that they get to is
// reported.
func TestVMFirstTouchByOwners(t *testing.T) {
	vm(t)
	if !strings.HasPrefix(os.Getenv(childVar), "refused") {
		cmd := exec.Command("/proc/self/exe", "-test.run=^TestVMFirstTouchByOwners$", "-test.v")
		cmd.Env = append(os.Environ(), childVar+"=refused")
		out, err := cmd.CombinedOutput()
		for line := range bytes.Lines(out) {
			if bytes.Contains(line, []byte("locality")) {
				t.Logf("%s", bytes.TrimSpace(line))
			}
		}
		if err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	if c := numa.Support(); c.Place == nil {
		t.Fatal("mbind isn't refused")
	}
	const n = 1 << 20
	for _, schedule := range []team.Schedule{team.Static, team.Steal} {
		tm := vmTeam(t, team.Options{Placement: team.NUMA, Schedule: schedule})
		sum, rounds := 0.0, 20
		for range rounds {
			a, err := team.Make[float32](tm, n)
			if err != nil {
				t.Fatal(err)
			}
			if out := a.Outcome(); out.Err == nil {
				t.Errorf("refused, but the outcome is %+v", out)
			}
			if r, ok := numa.Lookup(unsafe.Pointer(&a.Slice()[0])); !ok || len(r.Parts) == 0 {
				t.Errorf("the owners are unknown: %+v", r)
			}
			kernels.Fill(tm, a.Slice(), 1)
			sum += locality(t, tm, a.Slice())
			a.Close()
		}
		t.Logf("%v: locality %.3f, mean of %d cold fills by %d workers", schedule, sum/float64(rounds), rounds, tm.Size())
	}
}

// Idle workers that may steal leave more pages to their owners' first touch than
// chance would: arrays by first touch in base pages, filled cold and added up. On
// a busy machine owners are late and their blocks taken, so it has three tries.
func TestVMStealLeavesFirstTouchToOwners(t *testing.T) {
	m := vm(t)
	if m.AllowedNodes.Len() < 2 {
		t.Skip("one node: all is local")
	}
	tm := vmTeam(t, team.Options{Placement: team.NUMA, Schedule: team.Steal})
	const n, rounds = 1 << 19, 10
	// What chance would give: a page is local for the share of the workers at
	// its home, and a home has that share of the blocks.
	made, err := team.Make[float32](tm, n)
	if err != nil {
		t.Fatal(err)
	}
	defer made.Close()
	r, _ := numa.Lookup(unsafe.Pointer(&made.Slice()[0]))
	workers := map[int]float64{}
	for _, part := range r.Parts {
		workers[part.Node]++
	}
	chance := 0.0
	for _, w := range workers {
		chance += w * w / float64(len(r.Parts)*len(r.Parts))
	}
	want := chance + (1-chance)/5

	for range 3 {
		sum := 0.0
		for range rounds {
			var a [2]*numa.Array[float32]
			for i := range a {
				if a[i], err = numa.Alloc[float32](n, &numa.Options{Huge: numa.HugeNever}); err != nil {
					t.Fatal(err)
				}
				kernels.Fill(tm, a[i].Slice(), 1)
			}
			kernels.Saxpy(tm, 2, a[0].Slice(), a[1].Slice())
			for _, a := range a {
				sum += locality(t, tm, a.Slice()) / 2
				a.Close()
			}
		}
		t.Logf("locality %.3f, mean of %d rounds by %d workers; by chance %.3f, wanted %.3f", sum/rounds, rounds, tm.Size(), chance, want)
		if sum/rounds > want {
			return
		}
	}
	t.Error("thieves get to the pages first")
}
