package team_test

import (
	"flag"
	"io"
	"iter"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/numateam/numateam/team"
	"github.com/numateam/numateam/topology"
	"github.com/numateam/numateam/topology/topologytest"
)

// How long the random tests go on. By default they fit into a run of all tests.
var (
	chaosTime  = flag.Duration("chaos", 5*time.Second, "how long TestChaos runs")
	stressTime = flag.Duration("stress", 10*time.Second, "how long TestStress runs")
)

// roleVar makes the test program play another part: see roles.
const roleVar = "TEAM_TEST_ROLE"

// roles are what a child process does, by the value of roleVar, before or instead
// of running tests.
var roles = map[string]func(m *testing.M) int{
	"hog": func(*testing.M) int { // busy until the parent is gone
		go func() {
			io.Copy(io.Discard, os.Stdin)
			os.Exit(0)
		}()
		for i := 0; i >= 0; i++ { // for years
		}
		return 1
	},
}

func TestMain(m *testing.M) {
	if role, ok := roles[os.Getenv(roleVar)]; ok {
		os.Exit(role(m))
	}
	os.Exit(m.Run())
}

// program returns what to run for a child process of this program. An emulator of
// user mode can't run children, or hangs when busy threads run beside (QEMU 7.2):
// there the test is skipped, and the virtual machines of .ci/vm run it.
func program(tb testing.TB) string {
	tb.Helper()
	if topologytest.Emulated() {
		tb.Skip("an emulator of user mode runs this")
	}
	return os.Args[0]
}

// builtWith reports whether this program was built with one of the flags.
func builtWith(flags ...string) bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.ContainsFunc(info.Settings, func(s debug.BuildSetting) bool { return slices.Contains(flags, s.Key) })
}

// startHogs starts n busy processes that end with the test.
func startHogs(tb testing.TB, n int) {
	tb.Helper()
	for range n {
		cmd := exec.Command(program(tb))
		cmd.Env = append(os.Environ(), roleVar+"=hog")
		in, err := cmd.StdinPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			tb.Fatal(err)
		}
		tb.Cleanup(func() {
			in.Close()
			cmd.Wait()
		})
	}
}

// newTeam makes a team that is closed when the test ends.
func newTeam(tb testing.TB, o *team.Options) *team.Team {
	tb.Helper()
	t, err := team.New(o)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { t.Close() })
	return t
}

// machine is the machine of a description; it isn't this one, so teams on it
// aren't pinned.
func machine(tb testing.TB, description string) *topology.Machine {
	tb.Helper()
	m, err := topology.Parse(description)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// setProcs sets GOMAXPROCS for as long as the test runs.
func setProcs(tb testing.TB, n int) {
	old := runtime.GOMAXPROCS(n)
	tb.Cleanup(func() { runtime.GOMAXPROCS(old) })
}

var schedules = []team.Schedule{team.Static, team.Steal, team.Auto}

// counter counts how often each index was run.
type counter struct{ n []atomic.Int32 }

func newCounter(n int) *counter { return &counter{make([]atomic.Int32, n)} }

func (c *counter) body(lo, hi int) {
	for i := lo; i < hi; i++ {
		c.n[i].Add(1)
	}
}

func (c *counter) check(tb testing.TB, want int32) {
	tb.Helper()
	for i := range c.n {
		if got := c.n[i].Load(); got != want {
			tb.Fatalf("index %d of %d was run %d times, want %d", i, len(c.n), got, want)
		}
	}
}

// rounds counts up to n, but not for longer than d: on a busy machine a test does
// less, rather than take for ever.
func rounds(n int, d time.Duration) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, start := 0, time.Now(); i < n && (i == 0 || time.Since(start) < d) && yield(i); i++ {
		}
	}
}

// spin keeps the CPU busy.
func spin(d time.Duration) {
	for start := time.Now(); time.Since(start) < d; {
	}
}

// within fails the test with the stacks of all goroutines if f takes longer than d.
func within(tb testing.TB, d time.Duration, f func()) {
	tb.Helper()
	start := time.Now()
	watch := time.AfterFunc(d+30*time.Second, func() {
		buf := make([]byte, 1<<20)
		panic("hung:\n" + string(buf[:runtime.Stack(buf, true)]))
	})
	f()
	watch.Stop()
	if took := time.Since(start); took > d {
		tb.Errorf("took %v, want at most %v", took, d)
	}
}

// recovered returns what f panics with.
func recovered(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}
