package examples

import (
	"runtime"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/numateam/numateam/topology"
)

// withCPUs runs f, and the processes that it starts, on so many of the allowed
// CPUs, the last ones. The mask is the thread's: f must not start subtests.
func withCPUs(t *testing.T, m *topology.Machine, n int, f func()) {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before, some unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		t.Fatal(err)
	}
	skip := m.Allowed.Len() - n
	for cpu := range m.Allowed.All() {
		if skip--; skip < 0 {
			some.Set(cpu)
		}
	}
	if err := unix.SchedSetaffinity(0, &some); err != nil {
		t.Fatal(err)
	}
	defer unix.SchedSetaffinity(0, &before)
	f()
}
