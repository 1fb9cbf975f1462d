package numa_test

import (
	"errors"
	"testing"

	"github.com/numateam/numateam/numa"
	"github.com/numateam/numateam/topology/topologytest"
	"golang.org/x/sys/unix"
)

// In a process that may have no transparent huge pages arrays are of base
// pages, and Collapse makes none huge.
func TestNoHugePages(t *testing.T) {
	if topologytest.Emulated() {
		t.Skip("an emulator of user mode runs this")
	}
	if err := unix.Prctl(unix.PR_SET_THP_DISABLE, 1, 0, 0, 0); err != nil {
		topologytest.Missing(t, "huge pages can't be forbidden: %v", err)
	}
	defer unix.Prctl(unix.PR_SET_THP_DISABLE, 0, 0, 0, 0)
	for _, huge := range []numa.HugePages{numa.HugeAuto, numa.HugeNever, numa.HugeExplicit} {
		a, err := numa.Alloc[int32](1<<21, &numa.Options{Huge: huge})
		if err != nil {
			t.Fatal(err)
		}
		x := a.Slice()
		for i := range x {
			x[i] = int32(i)
		}
		if n, err := a.Collapse(); a.Outcome().Huge != numa.HugeExplicit && n != 0 || err != nil && !errors.As(err, new(*numa.Error)) {
			t.Errorf("%v: %d huge pages, %v", huge, n, err)
		}
		for i := range x {
			if x[i] != int32(i) {
				t.Fatalf("%v: x[%d] = %d", huge, i, x[i])
			}
		}
		a.Close()
	}
}
