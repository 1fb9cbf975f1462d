package repo

import (
	"os"
	"os/exec"
	"runtime"
	"testing"

	"github.com/numateam/numateam/topology/topologytest"
)

// TestCallbacks has C call back into Go, which uses a team on C's threads. Only
// this program needs cgo: see TestNoCgo.
func TestCallbacks(t *testing.T) {
	if testing.Short() || runtime.GOOS != "linux" {
		t.Skip("builds C, for Linux")
	}
	if _, err := exec.LookPath("gcc"); err != nil {
		topologytest.Missing(t, "needs a C compiler: %v", err)
	}
	cmd := exec.Command("go", "run", "./testdata/cgo")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=1")
	if out, err := cmd.CombinedOutput(); err != nil || string(out) != "250 calls\n" {
		t.Errorf("%v\n%s", err, out)
	}
}
