package peers

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/numateam/numateam/topology/topologytest"
)

// TestMain lets the test binary play a peer that is written in Go, so that the protocol
// is tested where no compiler is.
func TestMain(m *testing.M) {
	if script := os.Getenv("NUMATEAM_TEST_PEER"); script != "" {
		os.Stdout.WriteString(strings.ReplaceAll(script, "|", "\n"))
		io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func scripted(t *testing.T, script string) (*Peer, error) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Skip("no executable of our own to start: ", err)
	}
	return Start(t.Context(), exe, "NUMATEAM_TEST_PEER="+script)
}

func TestProtocol(t *testing.T) {
	p, err := scripted(t, "ready fake|0.5 1e-6 |error wrong result|0.25 error late|x|||")
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if p.Name != "fake" {
		t.Errorf("name %q", p.Name)
	}
	if got, err := p.Run("a"); err != nil || len(got) != 2 || got[0] != 0.5 || got[1] != 1e-6 {
		t.Errorf("got %v, %v", got, err)
	}
	for _, want := range []string{"wrong result", "late", "invalid syntax", "empty reply"} {
		if _, err := p.Run("b"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func TestNotReady(t *testing.T) {
	if _, err := scripted(t, "hello|"); err == nil || !strings.Contains(err.Error(), "not ready") {
		t.Errorf("got %v", err)
	}
}

func TestMissing(t *testing.T) {
	p := Program{Name: "none", Source: "openmp/openmp.c", Compiler: []string{"no-such-compiler"}, Debian: "some-package"}
	_, err := p.Build(t.Context(), t.TempDir())
	if !errors.Is(err, exec.ErrNotFound) || !strings.Contains(err.Error(), "apt-get install some-package") {
		t.Errorf("got %v", err)
	}
}

// TestPrograms builds each peer that this machine has the parts for, and asks it for
// something small.
func TestPrograms(t *testing.T) {
	requests := map[string][]string{
		"libgomp":  {"launch 2 0 10", "fill 1000003 2", "saxpy 1000003 2", "scenario 64 8 0 2 4", "scenario 64 8 1 1 4"},
		"libomp":   {"launch 2 0 10", "fill 1000003 2", "saxpy 1000003 2"},
		"oneTBB":   {"launch 2 100 10"},
		"OpenBLAS": {"ddot 1000 1 3", "saxpy 1000 2 3"},
		"Halide":   {"halide 64 48 12 2", "wide 64 48 16 2"},
		"OpenCV":   {"opencv 64 48 12 2"},
	}
	for _, p := range Programs() {
		t.Run(p.Name, func(t *testing.T) {
			if testing.Short() {
				t.Skip("builds C programs")
			}
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			exe, err := p.Build(ctx, t.TempDir())
			if err != nil {
				topologytest.Missing(t, "not here: %v", err)
			}
			peer, err := Start(ctx, exe)
			if err != nil {
				t.Fatal(err)
			}
			for _, request := range requests[p.Name] {
				seconds, err := peer.Run(request)
				if err != nil {
					t.Error(err)
				}
				for _, s := range seconds {
					if s < 0 || s > 60 {
						t.Errorf("%s: %v s", request, s)
					}
				}
			}
			if _, err := peer.Run("nonsense"); err == nil {
				t.Error("a request that nobody knows was answered")
			}
			if err := peer.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}
