package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/numateam/numateam/bench/cli"
)

// command runs the command and returns its output, its remarks and its exit code.
func command(t *testing.T, args ...string) (out, remarks string, code int) {
	t.Helper()
	var o, e bytes.Buffer
	code = cli.Exit("topology", run(t.Context(), args, cli.IO{Out: &o, Err: &e}), &e)
	return o.String(), e.String(), code
}

func TestThisMachine(t *testing.T) {
	out, remarks, code := command(t)
	if code != 0 || remarks != "" {
		t.Fatalf("exit %d: %s", code, remarks)
	}
	for _, part := range []string{"Package", "Node", "Core", "Allowed: CPU", "Instruction set", "Placement :cores", "Placement :numa"} {
		if !strings.Contains(out, part) {
			t.Errorf("no %q in\n%s", part, out)
		}
	}
}

func TestRecordedMachine(t *testing.T) {
	hybrid := filepath.Join("..", "..", "topology", "testdata", "hybrid.txt")
	out, remarks, code := command(t, "-root", hybrid)
	if code != 0 {
		t.Fatalf("exit %d: %s", code, remarks)
	}
	for _, line := range []string{
		"    Cluster + L2 1.25 MiB + L1d 48 KiB + L1i 32 KiB + Core of class 2: CPUs 0 1",
		"      L1d 32 KiB + L1i 64 KiB + Core of class 1: CPU 4",
		"    0   10   40",
		"Left out: CPUs 5-6, outside the cpuset",
		"Left out: CPU 7, offline",
		"Placement :cores  workers on CPUs 0,2,4",
	} {
		if !strings.Contains(out, line+"\n") {
			t.Errorf("no line %q in\n%s", line, out)
		}
	}

	out, _, code = command(t, "-root", hybrid, "-json")
	var m map[string]any
	if err := json.Unmarshal([]byte(out), &m); code != 0 || err != nil || m["cpu_kinds"] == nil {
		t.Errorf("exit %d, %v: %s", code, err, out)
	}
}

func TestGatheredMachineReadsAsTheSame(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("Linux only")
	}
	file := filepath.Join(t.TempDir(), "machine.txt")
	if _, remarks, code := command(t, "-gather", file); code != 0 {
		t.Fatalf("exit %d: %s", code, remarks)
	}
	cores := func(args ...string) any {
		out, _, _ := command(t, append(args, "-json")...)
		var m map[string]any
		if err := json.Unmarshal([]byte(out), &m); err != nil {
			t.Fatal(err)
		}
		return m["cores"]
	}
	here, there := cores(), cores("-root", file)
	if a, b := jsonText(here), jsonText(there); a != b {
		t.Errorf("cores %s, gathered %s", a, b)
	}
}

func jsonText(v any) string {
	text, _ := json.Marshal(v)
	return string(text)
}

func TestMistakes(t *testing.T) {
	empty := t.TempDir()
	file := filepath.Join(empty, "notes.txt")
	if err := os.WriteFile(file, []byte("hello\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		code int
	}{
		{[]string{"-nonsense"}, 2},
		{[]string{"extra"}, 2},
		{[]string{"-gather", "x", "-json"}, 2},
		{[]string{"-root", filepath.Join(empty, "missing")}, 1},
		{[]string{"-root", empty}, 1},
		{[]string{"-root", file}, 1},
		{[]string{"-gather", filepath.Join(empty, "missing", "file")}, 1},
	} {
		if _, remarks, code := command(t, c.args...); code != c.code || strings.Count(remarks, "\n") != 1 || strings.Count(remarks, "topology: ") > 1 {
			t.Errorf("%q: exit %d, want %d; %q", c.args, code, c.code, remarks)
		}
	}
}
