//go:build linux && (amd64 || arm64)

package team_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/numateam/numateam/numa"
	"github.com/numateam/numateam/numa/numatest"
	"github.com/numateam/numateam/team"
	"github.com/numateam/numateam/topology"
	"github.com/numateam/numateam/topology/topologytest"
	"golang.org/x/sys/unix"
)

// works makes launches with each schedule and fails the test unless all is well.
func works(t *testing.T, o team.Options) {
	t.Helper()
	for _, o.Schedule = range schedules {
		tm := newTeam(t, &o)
		c := newCounter(1000)
		launches := int32(0)
		for range rounds(200, time.Second) {
			tm.For(1000, c.body)
			launches++
		}
		c.check(t, launches)
		tm.Close()
	}
}

// granted is for what a test needs the system to allow.
func granted(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		topologytest.Missing(t, "the system refuses what this test needs: %v", err)
	}
}

// Where there are no files, neither of sysfs nor of proc, a team has the CPUs of
// the affinity mask.
func TestNoFiles(t *testing.T) { child(t, "TestNoFilesChild", topology.Set{}) }

func TestNoFilesChild(t *testing.T) {
	childOnly(t)
	cpus := affinity(t, 0)
	granted(t, unix.Chroot(t.TempDir()))
	m, err := topology.Detect()
	if err != nil || !m.Guess || !m.Allowed.Equal(cpus) || len(m.Nodes) != 1 {
		t.Fatalf("%v, %v", m, err)
	}
	works(t, team.Options{})
	works(t, team.Options{Workers: 5, Placement: team.NUMA})
	tm := newTeam(t, &team.Options{Workers: 2})
	a, err := team.Make[float64](tm, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if share, err := team.Locality(tm, a.Slice()); share != 1 && share != 0 || err != nil {
		t.Errorf("locality %v, %v", share, err)
	}
}

// A limit of the address space is an error of the array that's too large for it,
// and of nothing else.
func TestAddressSpace(t *testing.T) {
	if builtWith("-race", "-asan", "-msan") {
		t.Skip("a sanitizer needs an address space without limit")
	}
	child(t, "TestAddressSpaceChild", topology.Set{})
}

func TestAddressSpaceChild(t *testing.T) {
	childOnly(t)
	const room = 512 << 20
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	var pages uint64
	fmt.Sscan(string(statm), &pages)
	limit := pages*uint64(os.Getpagesize()) + room
	if err := unix.Setrlimit(unix.RLIMIT_AS, &unix.Rlimit{Cur: limit, Max: limit}); err != nil {
		t.Fatal(err)
	}
	tm := newTeam(t, &team.Options{Workers: 3})
	_, err = team.Make[byte](tm, 2*room)
	if !errors.Is(err, numa.ErrNoMemory) || !errors.Is(err, unix.ENOMEM) || !strings.HasPrefix(err.Error(), "team: numa: mmap") {
		t.Errorf("more than the address space: %v", err)
	}
	a, err := team.Make[byte](tm, room/8)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	for i := range a.Slice() {
		a.Slice()[i] = 1
	}
	works(t, team.Options{Workers: 16})
}

// On half a CPU a team is one worker, unless more are asked for, and launches that
// are throttled come to their end.
func TestHalfACPU(t *testing.T) {
	if err := halfACPU(t); err != nil {
		t.Skip("no quota of CPU time here; the virtual machines of .ci/vm have one: ", err)
	}
}

// TestVMHalfACPU is TestHalfACPU where there's sure to be a quota.
func TestVMHalfACPU(t *testing.T) {
	vm(t)
	if os.Getenv("VM_TOPOLOGY") != "numa2" {
		t.Skip("runs in numa2")
	}
	if err := halfACPU(t); err != nil {
		t.Error(err)
	}
}

// halfACPU runs TestHalfACPUChild in a child with that quota. The error says why it
// can't have it.
func halfACPU(t *testing.T) error {
	cmd := exec.Command(program(t), "-test.run=^TestHalfACPUChild$", "-test.v", "-test.timeout=120s")
	cmd.Env = append(os.Environ(), "TEAM_TEST_CHILD=TestHalfACPUChild")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	limit, remove, err := quota(t, cmd.Process.Pid)
	if err != nil {
		cmd.Process.Kill()
		cmd.Wait()
		return err
	}
	defer remove()
	if err := limit(50); err != nil {
		t.Error(err)
	}
	in.Close() // it may go on
	if err := cmd.Wait(); err != nil || !strings.Contains(out.String(), "--- PASS: TestHalfACPUChild") {
		t.Errorf("%v\n%s", err, &out)
	}
	return nil
}

func TestHalfACPUChild(t *testing.T) {
	childOnly(t)
	io.Copy(io.Discard, os.Stdin) // until the parent has set the quota
	m, err := topology.Detect()
	if err != nil || m.Quota != 0.5 || m.Workers() != 1 {
		t.Fatalf("a quota of %v, %d workers: %v", m.Quota, m.Workers(), err)
	}
	if tm := newTeam(t, nil); tm.Size() != 1 {
		t.Errorf("a team of %d", tm.Size())
	}
	works(t, team.Options{Workers: 4})
}

// A system on which no wait by futex lasts, as if signals never ended, makes
// workers busy, but no launch wrong.
func TestInterruptedWaits(t *testing.T) { child(t, "TestInterruptedWaitsChild", topology.Set{}) }

func TestInterruptedWaitsChild(t *testing.T) {
	childOnly(t)
	const waitPrivate = 0 | 128 // FUTEX_WAIT | FUTEX_PRIVATE_FLAG, linux/futex.h
	granted(t, numatest.RefuseOperation(unix.EINTR, unix.SYS_FUTEX, waitPrivate))
	works(t, team.Options{Workers: 4})
}

// Where the system doesn't tell where pages are, Locality says so.
func TestLocalityRefused(t *testing.T) { child(t, "TestLocalityRefusedChild", topology.Set{}) }

func TestLocalityRefusedChild(t *testing.T) {
	childOnly(t)
	granted(t, numatest.Refuse(unix.EPERM, unix.SYS_MOVE_PAGES))
	tm := newTeam(t, &team.Options{Topology: machine(t, "node:2 core:2"), Workers: 4})
	_, err := team.Locality(tm, make([]int64, 10_000))
	if err == nil || !errors.Is(err, os.ErrPermission) || !strings.HasPrefix(err.Error(), "team: numa: move_pages: operation not permitted (containers deny the call") {
		t.Errorf("%v", err)
	}
	works(t, team.Options{Workers: 2})
}

// What init leaves for TestInitFunctionsChild.
var (
	initialized = newCounter(1000)
	initialMask unix.CPUSet // of the main thread
)

func init() {
	if os.Getenv("TEAM_TEST_CHILD") != "TestInitFunctionsChild" {
		return
	}
	unix.SchedGetaffinity(0, &initialMask)
	tm, err := team.New(&team.Options{Workers: 3})
	if err != nil {
		panic(err)
	}
	tm.For(1000, initialized.body)
	tm.Bind(func() { tm.For(1000, initialized.body) })
	tm.Close()
}

// Teams may be made and used before main runs, when the main goroutine is locked to
// the main thread; that thread's mask stays what it was.
func TestInitFunctions(t *testing.T) { child(t, "TestInitFunctionsChild", topology.Set{}) }

func TestInitFunctionsChild(t *testing.T) {
	childOnly(t)
	initialized.check(t, 2)
	var mask unix.CPUSet
	if err := unix.SchedGetaffinity(os.Getpid(), &mask); err != nil || mask != initialMask {
		t.Errorf("the main thread's mask was %v and is %v, %v", initialMask, mask, err)
	}
}
