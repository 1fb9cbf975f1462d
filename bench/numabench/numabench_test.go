package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/numateam/numateam/bench"
	"github.com/numateam/numateam/bench/cli"
)

func TestMain(m *testing.M) {
	bench.HogMain()
	os.Exit(m.Run())
}

// numabench runs the command and returns what it wrote to both outputs.
func numabench(t *testing.T, args ...string) (out, remarks string, err error) {
	t.Helper()
	var o, e bytes.Buffer
	err = run(t.Context(), args, cli.IO{Out: &o, Err: &e})
	return o.String(), e.String(), err
}

func TestHelp(t *testing.T) {
	out, _, err := numabench(t)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range commands {
		if !strings.Contains(out, c.name) {
			t.Errorf("help doesn't name %s", c.name)
		}
		help, _, err := numabench(t, c.name, "-h")
		if cli.Exit("", err, &bytes.Buffer{}) != 0 || !strings.Contains(help, c.help) {
			t.Errorf("%s -h: %v\n%s", c.name, err, help)
		}
		for line := range strings.Lines(help) {
			if len(strings.ReplaceAll(line, "\t", "        ")) > 81 {
				t.Errorf("%s -h: more than 80 columns: %s", c.name, line)
			}
		}
	}
}

func TestUsage(t *testing.T) {
	for _, args := range []string{"cook", "stream -n x", "stream -n -1", "stream extra", "sweep -reps 0", "sweep -reps 1e15", "stream -n 1e30", "compare one", "record",
		"stream -placement moon", "stream -cpus 3-1", "stream -bogus"} {
		_, _, err := numabench(t, strings.Fields(args)...)
		var line bytes.Buffer
		if code := cli.Exit("numabench", err, &line); code != cli.BadUsage || strings.Count(line.String(), "\n") != 1 {
			t.Errorf("%s: exit code %d: %s", args, code, &line)
		}
	}
}

// TestStream measures something small, writes all files and compares them.
func TestStream(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "out")
	out, remarks, err := numabench(t, "stream", "-n", "5003", "-reps", "3", "-o", prefix)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"triad", "GB/s", "2 loads, 1 store", "go1."} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if !strings.Contains(remarks, "[1/7] fill") {
		t.Errorf("progress:\n%s", remarks)
	}
	lines, err := os.ReadFile(prefix + ".bench")
	if err != nil || strings.Count(string(lines), "BenchmarkStream/kernel=triad") != 3 {
		t.Errorf("%v\n%s", err, lines)
	}
	out, _, err = numabench(t, "compare", prefix+".json", prefix+".json")
	if err != nil || !strings.Contains(out, "  triad  ") || !strings.Contains(out, "~") {
		t.Errorf("%v\n%s", err, out)
	}
	_, _, err = numabench(t, "compare", prefix+".json", prefix+".bench")
	if code := cli.Exit("", err, &bytes.Buffer{}); code != cli.Failed {
		t.Errorf("a broken file: %v", err)
	}
}

func TestSweep(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "out")
	out, _, err := numabench(t, "sweep", "-n", "5003", "-reps", "2", "-float32", "-json", "-o", prefix)
	if err != nil {
		t.Fatal(err)
	}
	var report bench.Report
	if err := json.Unmarshal([]byte(out), &report); err != nil || len(report.Results) < 9 || report.Env.Go == "" {
		t.Errorf("%v\n%s", err, out)
	}
	for _, ext := range []string{".json", ".bench", ".svg", ".png"} {
		if info, err := os.Stat(prefix + ext); err != nil || info.Size() == 0 || info.Mode().Perm()&0o044 == 0 {
			t.Errorf("%s: %v", ext, err)
		}
	}
}

// TestNowhereToWrite: that's found before the measurement.
func TestNowhereToWrite(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "out.bench"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "full", "roofline.json"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"stream", "-o", "missing/out"}, {"stream", "-o", "out"}, {"stream", "-o", "file/out"}, {"record", "full"}} {
		last := len(args) - 1
		name := args[last]
		args[last] = filepath.Join(dir, name)
		out, remarks, err := numabench(t, args...)
		if code := cli.Exit("", err, &bytes.Buffer{}); code != cli.Failed || strings.Contains(out, "GB/s") || remarks != "" || !strings.Contains(err.Error(), name) {
			t.Errorf("%v: %v\n%s%s", args, err, out, remarks)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*", "*")); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

func TestMatrix(t *testing.T) {
	out, _, err := numabench(t, "matrix", "-n", "5003", "-reps", "2")
	if err != nil || !strings.Contains(out, "latency") {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := run(ctx, []string{"stream", "-n", "5003"}, cli.IO{Out: &bytes.Buffer{}, Err: &bytes.Buffer{}})
	if !errors.Is(err, context.Canceled) || cli.Exit("", err, &bytes.Buffer{}) != cli.Interrupted {
		t.Errorf("got %v", err)
	}
}

// TestNoPeers: with nothing installed the table is ours alone, and that's no
// error.
func TestNoPeers(t *testing.T) {
	if testing.Short() {
		t.Skip("measures on all sides")
	}
	t.Setenv("PATH", t.TempDir())
	out, _, err := numabench(t, "peers", "-n", "100003", "-quick")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"libgomp", "libomp", "oneTBB", "OpenBLAS", "Halide", "OpenCV"} {
		if !strings.Contains(out, "missing: "+name) {
			t.Errorf("doesn't say that %s is missing", name)
		}
	}
	if !strings.Contains(out, "apt-get install") || !strings.Contains(out, "numateam") {
		t.Errorf("%s", out)
	}
}
