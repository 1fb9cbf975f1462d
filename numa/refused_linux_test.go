//go:build linux && (amd64 || arm64)

package numa

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/numateam/numateam/numa/numatest"
	"github.com/numateam/numateam/topology"
	"github.com/numateam/numateam/topology/topologytest"
	"golang.org/x/sys/unix"
)

const refuseVar = "NUMA_TEST_REFUSE"

// refusals are what the calls answer in a child, by the value of refuseVar.
var refusals = map[string]struct {
	errno unix.Errno
	is    error
}{
	"EPERM":  {unix.EPERM, fs.ErrPermission},       // a container's profile
	"ENOSYS": {unix.ENOSYS, errors.ErrUnsupported}, // a kernel without NUMA
}

func TestMain(m *testing.M) {
	if r, ok := refusals[os.Getenv(refuseVar)]; ok {
		if err := numatest.Refuse(r.errno, unix.SYS_MBIND, unix.SYS_SET_MEMPOLICY, unix.SYS_GET_MEMPOLICY, unix.SYS_MOVE_PAGES); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// Where the calls are refused, all works as first touch and says so; cases num-01
// and num-02.
func TestRefused(t *testing.T) {
	if topologytest.Emulated() {
		t.Skip("an emulator of user mode runs this, which can't start itself as a child")
	}
	for name := range refusals {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command("/proc/self/exe", "-test.run=^TestRefusedChild$", "-test.v")
			cmd.Env = append(os.Environ(), refuseVar+"="+name)
			out, err := cmd.CombinedOutput()
			switch {
			case bytes.Contains(out, []byte("--- PASS: TestRefusedChild")) && err == nil:
				// Nobody but the test itself has printed anything.
				for line := range strings.Lines(string(out)) {
					if !strings.HasPrefix(line, "=== RUN") && !strings.HasPrefix(line, "--- PASS") && strings.TrimSpace(line) != "PASS" {
						t.Errorf("printed: %s", line)
					}
				}
			default:
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

func TestRefusedChild(t *testing.T) {
	refusal, ok := refusals[os.Getenv(refuseVar)]
	if !ok {
		t.Skip("TestRefused runs this in a child")
	}
	c := Support()
	if !errors.Is(c.Place, refusal.is) || !errors.Is(c.Query, refusal.is) || !strings.Contains(c.String(), "placing pages (mbind): no") {
		t.Errorf("support: %v", c)
	}
	all := topology.SetOf(c.Nodes.Min())
	const n = 1 << 18
	for _, p := range []Policy{
		FirstTouch(), Bind(all), Preferred(all.Min()), Interleave(all), ByParts([]Part{{End: n / 2, Node: all.Min()}, {End: n, Node: all.Min()}}),
	} {
		a, err := Alloc[float32](n, &Options{Policy: p})
		if err != nil {
			t.Fatal(err)
		}
		var e *Error
		switch out := a.Outcome(); {
		case p.kind == firstTouch && out.Err != nil:
			t.Errorf("%v: %+v", p, out)
		case p.kind != firstTouch && (!errors.Is(out.Err, refusal.is) || !errors.As(out.Err, &e) || out.Policy.kind != firstTouch):
			t.Errorf("%v: %+v", p, out)
		case e != nil && (e.Call != "mbind" || e.Hint == "" || e.Instead == ""):
			t.Errorf("%v: an error that explains little: %v", p, e)
		}
		x := a.Slice()
		for i := range x {
			x[i] = 1
		}
		if r, err := a.Residency(); !errors.Is(err, refusal.is) || r.Unknown != r.Pages() || r.Unknown != n*4/int(basePage) {
			t.Errorf("%v: residency %+v, %v", p, r, err)
		}
		if err := a.Migrate(Bind(all)); !errors.Is(err, refusal.is) {
			t.Errorf("%v: migrate: %v", p, err)
		}
		if err := a.Close(); err != nil {
			t.Error(err)
		}
		if p.kind != firstTouch {
			if _, err := Alloc[float32](n, &Options{Policy: p, Strict: true}); !errors.Is(err, refusal.is) {
				t.Errorf("strict %v: %v", p, err)
			}
		}
	}
}

// TestNoDescriptors: without file descriptors the machine can't be read, which says
// what couldn't be opened; once there are some again, it can.
func TestNoDescriptors(t *testing.T) {
	if topologytest.Emulated() {
		t.Skip("an emulator needs descriptors of its own")
	}
	machine := detected.Swap(nil)
	defer detected.Store(machine)
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	none := limit
	none.Cur = 0
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &none); err != nil {
		t.Fatal(err)
	}
	_, err := Alloc[byte](1, nil)
	if e := unix.Setrlimit(unix.RLIMIT_NOFILE, &limit); e != nil {
		t.Fatal(e)
	}
	if !errors.Is(err, unix.EMFILE) || err.Error() != "numa: Alloc: topology: open /: too many open files" {
		t.Errorf("no descriptors: %v", err)
	}
	a, err := Alloc[byte](1, nil)
	if err != nil {
		t.Fatal(err)
	}
	a.Close()
}
