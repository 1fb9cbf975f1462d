//go:build linux && (amd64 || arm64)

package team_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/numateam/numateam/kernels"
	"github.com/numateam/numateam/numa"
	"github.com/numateam/numateam/team"
	"github.com/numateam/numateam/topology"
)

// The tests of this file take CPUs, nodes and memory away from a running team. As
// they do so to the whole machine, they run only in one of .ci/vm's, and as root.

// hostile is vm for tests that need a machine to themselves, with at least four
// CPUs and two nodes with memory for this process.
func hostile(t *testing.T) *topology.Machine {
	t.Helper()
	m := vm(t)
	switch {
	case os.Getuid() != 0:
		t.Skip("needs root")
	case m.Allowed.Len() < 4 || m.AllowedNodes.Len() < 2:
		t.Skip("needs four CPUs and two nodes")
	}
	return m
}

// set writes text to a file of the kernel's.
func set(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0); err != nil {
		t.Fatal(err)
	}
}

// online takes a CPU offline or brings it back.
func online(t *testing.T, cpu int, on bool) {
	t.Helper()
	set(t, fmt.Sprintf("/sys/devices/system/cpu/cpu%d/online", cpu), map[bool]string{true: "1", false: "0"}[on])
}

// launchUntil launches under both schedules, each index once, until done says so.
func launchUntil(t *testing.T, tm *team.Team, what string, done func() bool) {
	t.Helper()
	const n = 1000
	c := newCounter(n)
	launches := int32(0)
	for begin := time.Now(); ; {
		for _, schedule := range []team.Schedule{team.Static, team.Steal} {
			tm.Launch(team.Launch{Schedule: schedule, Grain: 1 + int(launches)%3}, n, c.body)
			launches++
		}
		if launches%100 == 0 && done() {
			break
		}
		if time.Since(begin) > time.Minute {
			t.Fatalf("%s: not seen in %d launches; %s", what, launches, tm.Report())
		}
	}
	c.check(t, launches)
	t.Logf("%s: seen within %d launches", what, launches)
}

// says reports whether the team's report has the line that tells how many take
// part, and tells so of n workers; with all of them there's no such line.
func says(tm *team.Team, n int) bool {
	only := fmt.Sprintf("only %d take part", n)
	if n == tm.Size() {
		return !strings.Contains(tm.Report(), "take part")
	}
	return strings.Contains(tm.Report(), only)
}

// atHome fails the test unless each worker runs on its CPU.
func atHome(t *testing.T, tm *team.Team) {
	t.Helper()
	ran := make([]atomic.Bool, tm.Size())
	for range 20 {
		tm.With(team.Launch{Schedule: team.Static}).ForWorker(tm.Size(), func(w *team.Worker, lo, hi int) {
			ran[w.ID()].Store(true)
			if w.ID() == 0 {
				time.Sleep(2 * time.Millisecond) // or it would run all
			} else if cpu, _ := numa.Getcpu(); cpu != w.CPU() {
				t.Errorf("worker %d is on CPU %d, want %d", w.ID(), cpu, w.CPU())
			}
		})
	}
	for i := range ran {
		if !ran[i].Load() {
			t.Errorf("worker %d has run nothing in 20 launches", i)
		}
	}
}

// halves returns the lower and the upper half of a set.
func halves(s topology.Set) (lower, upper topology.Set) {
	for id := range s.All() {
		if lower.Len() < s.Len()/2 {
			lower = lower.With(id)
		} else {
			upper = upper.With(id)
		}
	}
	return lower, upper
}

// CPUs go offline and come back while launches run: the team shrinks to those
// that are left, says so, and its workers are where they were at the end.
func TestVMCPUsGoOfflineAndComeBack(t *testing.T) {
	m := hostile(t)
	stay, leave := halves(m.Allowed)
	var log bytes.Buffer
	tm := vmTeam(t, team.Options{Placement: team.Threads, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	t.Cleanup(func() { // whatever happens
		for cpu := range leave.All() {
			online(t, cpu, true)
		}
	})
	for range 2 {
		for _, on := range []bool{false, true} {
			var done atomic.Bool
			var wg sync.WaitGroup
			wg.Go(func() {
				defer done.Store(true)
				for cpu := range leave.All() {
					online(t, cpu, on)
				}
			})
			want := stay.Len()
			if on {
				want = tm.Size()
			}
			launchUntil(t, tm, fmt.Sprintf("CPUs %v online %v", leave, on), func() bool { return done.Load() && says(tm, want) })
			wg.Wait()
			if gone := strings.Count(tm.Report(), "is offline or no longer allowed"); gone != tm.Size()-want {
				t.Errorf("%d of %d workers are told to be away, want %d:\n%s", gone, tm.Size(), tm.Size()-want, tm.Report())
			}
		}
		atHome(t, tm)
	}
	if !strings.Contains(log.String(), fmt.Sprintf("to=%d", stay.Len())) {
		t.Errorf("not logged:\n%s", &log)
	}
}

// cgroup puts the process into a cgroup of its own for the time of the test, with
// the CPUs and nodes that it may use, and returns the cgroup's folder.
func cgroup(t *testing.T, m *topology.Machine) (dir string) {
	t.Helper()
	const root = "/sys/fs/cgroup"
	text, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		t.Fatal(err)
	}
	_, old, _ := strings.Cut(strings.TrimSpace(string(text)), "::")
	dir = filepath.Join(root, "hostile")
	set(t, root+"/cgroup.subtree_control", "+cpuset")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	set(t, dir+"/cpuset.cpus", m.Allowed.String())
	set(t, dir+"/cpuset.mems", m.AllowedNodes.String())
	pid := strconv.Itoa(os.Getpid())
	set(t, dir+"/cgroup.procs", pid)
	t.Cleanup(func() {
		set(t, filepath.Join(root, old, "cgroup.procs"), pid)
		if err := os.Remove(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// A cpuset shrinks and grows while launches run.
func TestVMCpusetShrinksAndGrows(t *testing.T) {
	m := hostile(t)
	dir := cgroup(t, m)
	stay, _ := halves(m.Allowed)
	tm := vmTeam(t, team.Options{Placement: team.Threads})
	for range 2 {
		for _, cpus := range []topology.Set{stay, m.Allowed} {
			var done atomic.Bool
			var wg sync.WaitGroup
			wg.Go(func() {
				defer done.Store(true)
				set(t, dir+"/cpuset.cpus", cpus.String())
			})
			launchUntil(t, tm, "a cpuset of "+cpus.String(), func() bool { return done.Load() && says(tm, cpus.Len()) })
			wg.Wait()
		}
		atHome(t, tm)
	}
}

// A cpuset loses a node between an array's placement and its first touch.
func TestVMCpusetLosesANode(t *testing.T) {
	m := hostile(t)
	dir := cgroup(t, m)
	tm := vmTeam(t, team.Options{Placement: team.NUMA})
	a, err := team.Make[float32](tm, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	left := m.AllowedNodes.Min()
	set(t, dir+"/cpuset.mems", strconv.Itoa(left))
	kernels.Fill(tm, a.Slice(), 7)
	whole(t, a.Slice(), 7)
	r, err := a.Residency()
	if err != nil || r.Untouched+r.Unknown > 0 || len(r.Nodes) != 1 || r.Nodes[left] == 0 {
		t.Errorf("pages %v, %v, want all on node %d", r.Nodes, err, left)
	}
	if share := locality(t, tm, a.Slice()); share == 0 || share == 1 {
		t.Errorf("locality %.3f of an array on one node", share)
	}
}

func whole(t *testing.T, x []float32, want float32) {
	t.Helper()
	for i, v := range x {
		if v != want {
			t.Fatalf("x[%d] = %v, want %v", i, v, want)
		}
	}
}

// freeOn returns how many bytes of a node are free.
func freeOn(t *testing.T, node int) int {
	t.Helper()
	m, err := topology.Detect()
	if err != nil {
		t.Fatal(err)
	}
	n, _ := m.Node(node)
	return int(n.Free)
}

// take takes bytes of a node's memory until it's closed.
func take(node, bytes int) (io.Closer, error) {
	a, err := numa.Alloc[byte](bytes, &numa.Options{Policy: numa.Preferred(node)})
	if err != nil {
		return nil, err
	}
	for x := a.Slice(); len(x) > 0; x = x[min(4096, len(x)):] {
		x[0] = 1
	}
	return a, nil
}

// An owner's node is full: its block goes to the next, and the figures say so.
func TestVMNodeFillsUp(t *testing.T) {
	hostile(t)
	const n = 12 << 20 // elements: 48 MiB
	tm := vmTeam(t, team.Options{Placement: team.NUMA})
	a, err := team.Make[float32](tm, n)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	r, _ := numa.Lookup(unsafe.Pointer(&a.Slice()[0]))
	node := r.Parts[len(r.Parts)-1].Node
	filler, err := take(node, freeOn(t, node)-4<<20)
	if err != nil {
		t.Fatal(err)
	}
	defer filler.Close()

	kernels.Fill(tm, a.Slice(), 7)
	whole(t, a.Slice(), 7)
	where, err := a.Residency()
	if err != nil || where.Untouched+where.Unknown > 0 {
		t.Errorf("%+v, %v", where, err)
	}
	share := locality(t, tm, a.Slice())
	t.Logf("locality %.3f with node %d full; pages %v", share, node, where.Nodes)
	if share == 0 || share == 1 {
		t.Errorf("locality %.3f, pages %v", share, where.Nodes)
	}
	bound, err := numa.Alloc[byte](32<<20, &numa.Options{Policy: numa.Bind(topology.SetOf(node)), Strict: true})
	if !errors.Is(err, numa.ErrNoMemory) || !strings.Contains(err.Error(), fmt.Sprintf("bind:%d", node)) {
		t.Errorf("strict binding to a full node: %v, %v", bound, err)
	}
}

// Arrays are placed and filled while somebody takes nearly all of a node and gives
// it back, over and over.
func TestVMMemoryPressure(t *testing.T) {
	m := hostile(t)
	tm := vmTeam(t, team.Options{Placement: team.NUMA, Schedule: team.Steal})
	_, upper := halves(m.AllowedNodes)
	node := upper.Min()
	most := freeOn(t, node) - 16<<20
	var stop atomic.Bool
	var taken atomic.Int64
	var wg sync.WaitGroup
	defer wg.Wait()
	defer stop.Store(true)
	wg.Go(func() {
		for ; !stop.Load(); taken.Add(1) {
			a, err := take(node, most)
			if err != nil {
				t.Error(err)
				return
			}
			a.Close()
		}
	})
	low, high := 1.0, 0.0
	for i := 0; i < 5 || taken.Load() < 2 && !t.Failed(); i++ {
		a, err := team.Make[float32](tm, 4<<20)
		if err != nil {
			t.Fatal(err)
		}
		kernels.Fill(tm, a.Slice(), 7)
		whole(t, a.Slice(), 7)
		share := locality(t, tm, a.Slice())
		low, high = min(low, share), max(high, share)
		a.Close()
	}
	t.Logf("locality from %.3f to %.3f; node %d was filled %d times meanwhile", low, high, node, taken.Load())
	if low == 0 {
		t.Error("nothing was local")
	}
}
