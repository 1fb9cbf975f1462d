//go:build linux && (amd64 || arm64)

package team_test

import (
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/numateam/numateam/numa/numatest"
	"github.com/numateam/numateam/team"
	"github.com/numateam/numateam/topology"
	"github.com/numateam/numateam/topology/topologytest"
	"golang.org/x/sys/unix"
)

// affinity returns the mask of a thread; 0 is the calling one.
func affinity(tb testing.TB, tid int) topology.Set {
	tb.Helper()
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(tid, &set); err != nil {
		tb.Fatal(err)
	}
	var s topology.Set
	for cpu := range len(set) * 64 {
		if set.IsSet(cpu) {
			s = s.With(cpu)
		}
	}
	return s
}

// bindThread binds a thread to CPUs.
func bindThread(tb testing.TB, tid int, cpus topology.Set) {
	tb.Helper()
	var set unix.CPUSet
	for cpu := range cpus.All() {
		set.Set(cpu)
	}
	if err := unix.SchedSetaffinity(tid, &set); err != nil {
		tb.Fatal(err)
	}
}

// onThread runs f on a thread of its own that ends with it, bound to CPUs if
// there are any.
func onThread(tb testing.TB, cpus topology.Set, f func()) {
	tb.Helper()
	done := make(chan bool)
	go func() {
		defer close(done)
		runtime.LockOSThread()
		if !cpus.IsEmpty() {
			bindThread(tb, 0, cpus)
		}
		f()
	}()
	<-done
}

func threads(tb testing.TB) int {
	tb.Helper()
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		tb.Fatal(err)
	}
	return len(tasks)
}

// child runs one test of this program in a process of its own, on cpus if there
// are any, and returns what it printed.
func child(t *testing.T, test string, cpus topology.Set, env ...string) string {
	t.Helper()
	cmd := exec.Command(program(t), "-test.run=^"+test+"$", "-test.v", "-test.timeout=120s")
	cmd.Env = append(os.Environ(), append(env, "TEAM_TEST_CHILD="+test)...)
	var out []byte
	var err error
	onThread(t, cpus, func() { out, err = cmd.CombinedOutput() })
	if err != nil || !strings.Contains(string(out), "--- PASS: "+test) {
		t.Errorf("%s in a child: %v\n%s", test, err, out)
	}
	return string(out)
}

// childOnly skips a test that child runs.
func childOnly(t *testing.T) {
	if os.Getenv("TEAM_TEST_CHILD") != t.Name() {
		t.Skip("another test runs this in a child")
	}
}

// onWorkers calls f once on each worker's thread: no body returns before all
// workers have come, or had the time to.
func onWorkers(tm *team.Team, f func(w *team.Worker)) {
	done := make([]atomic.Bool, tm.Size())
	var left atomic.Int32
	for left.Store(int32(tm.Size())); left.Load() > 0; {
		var came atomic.Int32
		tm.With(team.Launch{Schedule: team.Static}).ForWorker(tm.Size(), func(w *team.Worker, lo, hi int) {
			if done[w.ID()].CompareAndSwap(false, true) {
				f(w)
				left.Add(-1)
			}
			came.Add(1)
			for start := time.Now(); int(came.Load()) < tm.Size() && time.Since(start) < 50*time.Millisecond; {
				time.Sleep(100 * time.Microsecond)
			}
		})
	}
}

func TestWorkersAreBound(t *testing.T) {
	process := affinity(t, 0)
	for _, placement := range []team.Placement{team.Cores, team.NUMA, team.Threads, team.Unpinned} {
		tm := newTeam(t, &team.Options{Placement: placement})
		if max := min(process.Len(), runtime.GOMAXPROCS(0)); tm.Size() > max || tm.Size() < 1 {
			t.Errorf("%v: a team of %d on %d CPUs", placement, tm.Size(), max)
		}
		var mu sync.Mutex
		var used topology.Set
		onWorkers(tm, func(w *team.Worker) {
			mu.Lock()
			defer mu.Unlock()
			mask := affinity(t, 0)
			switch {
			case w.ID() == 0 || placement == team.Unpinned:
				if !mask.Equal(process) {
					t.Errorf("%v: worker %d bound to %v", placement, w.ID(), mask)
				}
			case mask.Len() != 1 || !mask.Contains(w.CPU()) || used.Contains(w.CPU()):
				t.Errorf("%v: worker %d of CPU %d bound to %v; %v taken", placement, w.ID(), w.CPU(), mask, used)
			default:
				used = used.Union(mask)
			}
		})
	}
	// More workers than CPUs are bound to their node.
	tm := newTeam(t, &team.Options{Workers: 3 * process.Len()})
	onWorkers(tm, func(w *team.Worker) {
		if mask := affinity(t, 0); w.CPU() != -1 || !mask.Difference(process).IsEmpty() {
			t.Errorf("worker %d of CPU %d bound to %v", w.ID(), w.CPU(), mask)
		}
	})
}

// Neither the caller, nor another goroutine, nor a child process keeps a worker's
// mask; a child that a body starts does, as documented.
func TestBindingDoesNotLeak(t *testing.T) {
	process := affinity(t, 0)
	if process.Len() < 2 {
		topologytest.Missing(t, "needs 2 CPUs")
	}
	self := program(t)
	childMask := func() string {
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), roleVar+"=mask")
		out, err := cmd.Output()
		if err != nil {
			t.Error(err)
		}
		return string(out)
	}
	check := func(when string) {
		t.Helper()
		if got := affinity(t, 0); !got.Equal(process) {
			t.Errorf("%s: the caller is bound to %v", when, got)
		}
		for range 10 {
			onThread(t, topology.Set{}, func() {
				if got := affinity(t, 0); !got.Equal(process) {
					t.Errorf("%s: a goroutine is bound to %v", when, got)
				}
			})
		}
		if got := childMask(); got != process.String() {
			t.Errorf("%s: a child is bound to %s", when, got)
		}
	}
	tm := newTeam(t, &team.Options{Workers: 2})
	c := newCounter(100)
	for range 100 {
		tm.For(100, c.body)
	}
	check("with a team")
	onWorkers(tm, func(w *team.Worker) {
		want := process.String()
		if w.ID() > 0 {
			want = topology.SetOf(w.CPU()).String()
		}
		if got := childMask(); got != want {
			t.Errorf("a child of worker %d is bound to %s, want %s", w.ID(), got, want)
		}
	})
	tm.Close()
	check("after Close")
}

func init() {
	roles["mask"] = func(*testing.M) int {
		var set unix.CPUSet
		unix.SchedGetaffinity(0, &set)
		var s topology.Set
		for cpu := range len(set) * 64 {
			if set.IsSet(cpu) {
				s = s.With(cpu)
			}
		}
		fmt.Print(s)
		return 0
	}
}

// Teams come and go without a trace: no thread stays, and the main thread, which
// can't end, keeps its mask though workers start on it now and then.
func TestThreadsEnd(t *testing.T) {
	main := affinity(t, os.Getpid())
	newTeam(t, &team.Options{Workers: 8}).Close()
	before := threads(t)
	for range rounds(100, 5*time.Second) {
		tm := newTeam(t, &team.Options{Workers: 4})
		tm.For(4, func(lo, hi int) {})
		tm.Close()
		if got := affinity(t, os.Getpid()); !got.Equal(main) {
			t.Fatalf("the main thread is bound to %v", got)
		}
	}
	for range 20 {
		drop(t)
	}
	// The runtime keeps some threads of its own.
	if !settles(func() bool { runtime.GC(); return threads(t) <= before+8 }) {
		t.Errorf("%d threads, %d before", threads(t), before)
	}
	if got := affinity(t, os.Getpid()); !got.Equal(main) {
		t.Errorf("the main thread is bound to %v", got)
	}
}

func TestBind(t *testing.T) {
	process := affinity(t, 0)
	tm := newTeam(t, nil)
	var cpu topology.Set // of participant 0
	bound := func(want topology.Set) {
		t.Helper()
		if got := affinity(t, 0); !got.Equal(want) {
			t.Errorf("bound to %v, want %v", got, want)
		}
	}
	tm.Bind(func() {
		if cpu = affinity(t, 0); cpu.Len() != 1 {
			t.Errorf("bound to %v", cpu)
		}
		c := newCounter(100)
		tm.For(100, c.body)
		c.check(t, 1)
		tm.Bind(func() { bound(cpu) })
		bound(cpu)
		done := make(chan bool)
		go func() {
			defer close(done)
			tm.Bind(func() { bound(process) })
		}()
		<-done
		recovered(func() { tm.Bind(func() { panic("boom") }) })
		bound(cpu)
	})
	bound(process)
	recovered(func() { tm.Bind(func() { bound(cpu); panic("boom") }) })
	bound(process)
	if r := tm.Report(); !strings.Contains(r, "worker 0: CPU "+cpu.String()) || !strings.Contains(r, "Bind ran unbound 1 times") {
		t.Error(r)
	}
}

// A team from whose threads the CPU is taken goes on with those that are left.
func TestAffinityShrinks(t *testing.T) {
	process := affinity(t, 0)
	if process.Len() < 2 {
		topologytest.Missing(t, "needs 2 CPUs")
	}
	tm := newTeam(t, &team.Options{Workers: 2})
	tid := 0
	onWorkers(tm, func(w *team.Worker) {
		if w.ID() == 1 {
			tid = unix.Gettid()
			bindThread(t, tid, process.Difference(topology.SetOf(w.CPU())))
		}
	})
	c := newCounter(100)
	launches := int32(0)
	for start := time.Now(); !strings.Contains(tm.Report(), "only 1 take part") && time.Since(start) < 10*time.Second; launches++ {
		tm.For(100, c.body)
	}
	for range 300 {
		tm.For(100, c.body)
	}
	c.check(t, launches+300)
	if r := tm.Report(); !strings.Contains(r, "only 1 take part") || strings.Count(r, "is offline or no longer allowed") != 1 {
		t.Error(r)
	}
}

// Signals interrupt futex waits; nothing comes of it.
func TestSignals(t *testing.T) {
	tm := newTeam(t, &team.Options{Workers: 4})
	var stop atomic.Bool
	var wg sync.WaitGroup
	wg.Go(func() {
		for !stop.Load() {
			tasks, _ := filepath.Glob("/proc/self/task/*")
			for _, task := range tasks {
				var tid int
				fmt.Sscan(filepath.Base(task), &tid)
				unix.Tgkill(os.Getpid(), tid, unix.SIGURG) // which the runtime ignores
			}
			time.Sleep(100 * time.Microsecond)
		}
	})
	for range rounds(500, 3*time.Second) {
		c := newCounter(50)
		tm.For(50, c.body)
		c.check(t, 1)
		time.Sleep(200 * time.Microsecond)
	}
	stop.Store(true)
	wg.Wait()
}

// cpuTime returns how much CPU time the process has used.
func cpuTime(tb testing.TB) time.Duration {
	tb.Helper()
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func TestIdleTeamSleeps(t *testing.T) {
	tm := newTeam(t, nil)
	big := newTeam(t, &team.Options{Workers: 16})
	for range 100 {
		tm.For(100, func(lo, hi int) {})
		big.For(100, func(lo, hi int) {})
	}
	time.Sleep(100 * time.Millisecond)
	least := time.Hour // the collector may be at work once
	for range 3 {
		before := cpuTime(t)
		time.Sleep(2 * time.Second)
		if least = min(least, cpuTime(t)-before); least < 2*time.Millisecond {
			break
		}
	}
	t.Logf("%v of CPU time in 2 s", least)
	if least > 5*time.Millisecond { // the goal is 2 ms; a busy machine's ticks add to it
		t.Errorf("an idle team used %v of CPU time in 2 s", least)
	}
}

// A launch of 2 chunks each millisecond costs a team of 16 about as much as one of 2.
func TestLowRate(t *testing.T) {
	used := func(workers int) time.Duration {
		tm := newTeam(t, &team.Options{Workers: workers})
		defer tm.Close()
		body := func(lo, hi int) { spin(20 * time.Microsecond) }
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for range 100 {
			<-tick.C
			tm.For(2, body)
		}
		before := cpuTime(t)
		for range 400 {
			<-tick.C
			tm.For(2, body)
		}
		return cpuTime(t) - before
	}
	two, sixteen := used(2), used(16)
	t.Logf("400 launches in 0.4 s: %v of CPU time for a team of 2, %v for one of 16", two, sixteen)
	if sixteen > 2*two+100*time.Millisecond {
		t.Errorf("%v of CPU time for a team of 16, %v for one of 2", sixteen, two)
	}
}

// On one CPU, on one P, and on one P of several CPUs everything works.
func TestOneCPU(t *testing.T) {
	one := topology.SetOf(affinity(t, 0).Max())
	for _, test := range []string{"TestConcurrent", "TestNested", "TestGoexit", "TestContext", "TestCloseWhileOthersWait", "TestBind"} {
		child(t, test, one)
		child(t, test, topology.Set{}, "GOMAXPROCS=1")
	}
	child(t, "TestOnOneCPU", one)
}

func TestOnOneCPU(t *testing.T) {
	childOnly(t)
	process := affinity(t, 0)
	tm := newTeam(t, nil)
	if tm.Size() != 1 {
		t.Errorf("a team of %d", tm.Size())
	}
	big := newTeam(t, &team.Options{Workers: 4})
	onWorkers(big, func(w *team.Worker) {
		if mask := affinity(t, 0); !mask.Equal(process) {
			t.Errorf("worker %d bound to %v, the process may use %v", w.ID(), mask, process)
		}
	})
	other := 0
	if process.Contains(0) {
		other = 1
	}
	if _, err := team.New(&team.Options{CPUs: process.With(other)}); err == nil || !strings.HasPrefix(err.Error(), fmt.Sprintf("team: can't use CPU %d: ", other)) {
		t.Errorf("a CPU that isn't allowed: %v", err)
	}
}

// Where nobody may bind threads the team works unbound, and says so.
func TestBindingRefused(t *testing.T) {
	child(t, "TestRefused", topology.Set{})
}

func TestRefused(t *testing.T) {
	childOnly(t)
	granted(t, numatest.Refuse(unix.EPERM, unix.SYS_SCHED_SETAFFINITY))
	var log strings.Builder
	tm := newTeam(t, &team.Options{Workers: 2, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	for range 100 {
		c := newCounter(100)
		tm.Bind(func() { tm.For(100, c.body) })
		c.check(t, 1)
	}
	if r := tm.Report(); !strings.Contains(r, "worker 1: ") || !strings.Contains(r, "not bound: team: sched_setaffinity: operation not permitted") {
		t.Error(r)
	}
	if l := log.String(); !strings.Contains(l, "team: worker runs unbound") || !strings.Contains(l, "operation not permitted") || strings.Count(l, "\n") != 1 {
		t.Errorf("log: %s", l)
	}
}
