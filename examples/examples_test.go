// Package examples tests the example programs as a user runs them.
package examples

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/numateam/numateam/topology"
	"github.com/numateam/numateam/topology/topologytest"
)

// quick are the arguments that make each example a matter of a second or so.
var quick = map[string][]string{
	"saxpy":    {"-n", "1000003"},
	"stream":   {"-n", "100003"},
	"heat":     {"-size", "64", "-steps", "200"},
	"hybrid":   {"-tasks", "5", "-turn", "2ms"},
	"launch":   {"-quick"},
	"topology": {},
	"blur":     {},
	"gonum":    {},
}

// build builds all examples and returns the directory.
func build(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.Command("go", "build", "-o", dir+string(filepath.Separator), "./...")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir
}

// names returns the examples there are, and fails for one that isn't in quick.
func names(t *testing.T) []string {
	t.Helper()
	mains, err := filepath.Glob("*/main.go")
	if err != nil || len(mains) == 0 {
		t.Fatal(mains, err)
	}
	var all []string
	for _, main := range mains {
		name := filepath.Dir(main)
		if _, ok := quick[name]; !ok {
			t.Errorf("no arguments for %s", name)
		}
		all = append(all, name)
	}
	return all
}

// run runs a program and returns what it wrote; it fails the test if the program
// failed.
func run(t *testing.T, program string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = t.TempDir() // some write a picture
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s %v: %v\n%s%s", filepath.Base(program), args, err, &out, &errs)
	}
	return out.String()
}

// object runs a program that prints one JSON value.
func object(t *testing.T, into any, program string, args ...string) {
	t.Helper()
	out := run(t, program, args...)
	if err := json.Unmarshal([]byte(out), into); err != nil {
		t.Fatalf("%s: %v\n%s", program, err, out)
	}
}

// figures is what saxpy prints.
type figures struct {
	N               int
	ElemBytes       int `json:"elem_bytes"`
	Workers         int
	Placement       string
	Schedule        string
	Nodes           int
	FillGBps        float64 `json:"fill_gbps"`
	SaxpyGBps       float64 `json:"saxpy_gbps"`
	SaxpyGBpsMedian float64 `json:"saxpy_gbps_median"`
	Locality        float64
	Verified        bool
}

// TestExamples is the cases ex-01 to ex-03, and that each example runs at all.
func TestExamples(t *testing.T) {
	dir := build(t)
	m, err := topology.Detect()
	if err != nil {
		t.Fatal(err)
	}
	t.Run("ex-01", func(t *testing.T) {
		// One CPU: every example runs, with one worker.
		withCPUs(t, m, 1, func() {
			for _, name := range names(t) {
				if testing.Short() && name == "launch" {
					continue // takes its time on one CPU
				}
				if out := run(t, filepath.Join(dir, name), quick[name]...); len(out) == 0 {
					t.Errorf("%s printed nothing", name)
				}
			}
			var f figures
			object(t, &f, filepath.Join(dir, "saxpy"), "-n", "1000003", "-json")
			if f.Workers != 1 || f.Nodes < 1 || f.SaxpyGBps <= 0 || f.FillGBps <= 0 || !f.Verified {
				t.Errorf("%+v", f)
			}
		})
	})
	t.Run("ex-02", func(t *testing.T) {
		// .ci/run builds everything for the other systems; this runs one there.
		if testing.Short() {
			t.Skip("builds for another system")
		}
		node, err := exec.LookPath("node")
		if err != nil {
			topologytest.Missing(t, "no node to run it: %v", err)
		}
		elsewhere := filepath.Join(t.TempDir(), "saxpy.wasm")
		build := exec.Command("go", "build", "-o", elsewhere, "./saxpy")
		build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		root, err := exec.Command("go", "env", "GOROOT").Output()
		if err != nil {
			t.Fatal(err)
		}
		support := filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec_node.js")
		if out := run(t, node, support, elsewhere, "-n", "100003"); !strings.Contains(out, "verified") {
			t.Errorf("on js/wasm:\n%s", out)
		}
	})
	t.Run("ex-03", func(t *testing.T) {
		// No more workers than allowed CPUs, and no slower than so many workers
		// without the mask. The examples run one after the other, so the least of
		// some runs tells.
		cpus := max(1, m.Allowed.Len()/2)
		saxpy := filepath.Join(dir, "saxpy")
		fastest := func(args ...string) (best float64) {
			for range 5 {
				var f figures
				object(t, &f, saxpy, append(args, "-n", "1000003", "-json")...)
				if f.Workers != cpus {
					t.Fatalf("%d workers on %d CPUs", f.Workers, cpus)
				}
				best = max(best, f.SaxpyGBps)
			}
			return best
		}
		var masked float64
		withCPUs(t, m, cpus, func() { masked = fastest() })
		free := fastest("-workers", fmt.Sprint(cpus))
		if masked < free/1.5 {
			t.Errorf("%.2f GB/s with %d of %d CPUs, %.2f with as many workers and all", masked, cpus, m.Allowed.Len(), free)
		}
	})
	t.Run("saxpy", func(t *testing.T) {
		for _, args := range []string{
			"-placement numa", "-placement :cores", "-placement threads", "-placement unpinned",
			"-schedule static", "-schedule :steal", "-schedule auto", "-workers 3", "-n 1", "-n 2e4", "-verify=false",
		} {
			var f figures
			object(t, &f, filepath.Join(dir, "saxpy"), append([]string{"-n", "50021", "-json"}, strings.Fields(args)...)...)
			if f.Verified == strings.Contains(args, "false") || f.ElemBytes != 4 || f.SaxpyGBps < f.SaxpyGBpsMedian || f.Locality < 0 || f.Locality > 1 {
				t.Errorf("%s: %+v", args, f)
			}
		}
		var f figures
		object(t, &f, filepath.Join(dir, "saxpy"), "-n", "17", "-json", "-placement", "cores", "-schedule", "steal", "-workers", "1")
		if f.N != 17 || f.Placement != "cores" || f.Schedule != "steal" || f.Workers != 1 {
			t.Errorf("%+v", f)
		}
	})
	t.Run("bad flags", func(t *testing.T) {
		for _, c := range []string{
			"saxpy -n x", "saxpy -n 0", "saxpy -placement moon", "saxpy -schedule late", "saxpy -workers -1", "saxpy extra", "saxpy -bogus",
			"stream -n -1", "stream -plot out.pdf", "saxpy -n 1e30", "hybrid -turn 3", "heat -size 2", "hybrid -tasks 0", "hybrid -machine cheese", "launch -bogus",
		} {
			words := strings.Fields(c)
			cmd := exec.Command(filepath.Join(dir, words[0]), words[1:]...)
			out, err := cmd.CombinedOutput()
			if code := cmd.ProcessState.ExitCode(); code != 2 || strings.Count(string(out), "\n") != 1 {
				t.Errorf("%s: exit code %d, %v:\n%s", c, code, err, out)
			}
		}
	})
	t.Run("nowhere to write", func(t *testing.T) { // is found before the work
		for _, c := range []string{"stream -plot", "heat -steps 1e8 -tolerance 0 -out", "blur -out", "blur -before", "topology -gather"} {
			words := append(strings.Fields(c), filepath.Join(t.TempDir(), "missing", "out.png"))
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			cmd := exec.CommandContext(ctx, filepath.Join(dir, words[0]), words[1:]...)
			out, err := cmd.CombinedOutput()
			cancel()
			if cmd.ProcessState.ExitCode() != 1 || strings.Count(string(out), "\n") != 1 || !strings.Contains(string(out), "missing") {
				t.Errorf("%s: %v:\n%s", c, err, out)
			}
		}
	})
	t.Run("interrupt", func(t *testing.T) {
		if runtime.GOOS == "windows" {
			t.Skip("no signals")
		}
		for _, c := range []string{"heat -size 1024 -tolerance 0 -steps 1e8", "saxpy"} {
			words := strings.Fields(c)
			cmd := exec.Command(filepath.Join(dir, words[0]), words[1:]...)
			var errs bytes.Buffer
			cmd.Stderr = &errs
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(300 * time.Millisecond)
			cmd.Process.Signal(os.Interrupt)
			kill := time.AfterFunc(30*time.Second, func() { cmd.Process.Kill() })
			cmd.Wait()
			kill.Stop()
			if code := cmd.ProcessState.ExitCode(); code != 130 || !strings.HasSuffix(errs.String(), words[0]+": interrupted\n") {
				t.Errorf("%s: exit code %d, %q", c, code, errs.String())
			}
		}
	})
	t.Run("full disk", func(t *testing.T) {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			topologytest.Missing(t, "no disk that is always full: %v", err)
		}
		defer full.Close()
		for _, c := range []string{"saxpy -n 1000", "saxpy -n 1000 -json", "topology", "stream -n 1000", "heat -h"} {
			words := strings.Fields(c)
			cmd := exec.Command(filepath.Join(dir, words[0]), words[1:]...)
			var errs bytes.Buffer
			cmd.Stdout, cmd.Stderr = full, &errs
			cmd.Run()
			if code := cmd.ProcessState.ExitCode(); code != 1 || strings.Count(errs.String(), "\n") != 1 {
				t.Errorf("%s: exit code %d, %q", c, code, errs.String())
			}
		}
		// Nor is what can't be written removed, if it is no file.
		link := filepath.Join(t.TempDir(), "full.png")
		if err := os.Symlink("/dev/full", link); err != nil {
			t.Fatal(err)
		}
		for _, c := range []string{"topology -gather", "heat -size 10 -out", "blur -size 10 -out"} {
			words := append(strings.Fields(c), link)
			cmd := exec.Command(filepath.Join(dir, words[0]), words[1:]...)
			err := cmd.Run()
			if to, e := os.Readlink(link); cmd.ProcessState.ExitCode() != 1 || e != nil || to != "/dev/full" {
				t.Errorf("%s: %v; the link is to %q, %v", c, err, to, e)
			}
		}
	})
	t.Run("pictures", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "out.svg")
		run(t, filepath.Join(dir, "stream"), "-n", "10007", "-plot", file)
		picture := filepath.Join(t.TempDir(), "heat.png")
		run(t, filepath.Join(dir, "heat"), "-size", "50", "-out", picture)
		for _, path := range []string{file, picture} {
			if info, err := os.Stat(path); err != nil || info.Size() < 1000 {
				t.Errorf("%s: %v", path, err)
			}
		}
	})
	t.Run("hybrid", func(t *testing.T) {
		// 4 fast cores and 4 that are 4 times slower: the slow ones come in at 17
		// tasks, not before.
		var rows []struct {
			Tasks, Fast, Slow int
			Best              float64
		}
		object(t, &rows, filepath.Join(dir, "hybrid"), "-tasks", "17", "-turn", "1ms", "-machine", "core:4:1024 + core:4:256", "-json")
		for _, r := range rows {
			if r.Tasks <= 16 && r.Slow > 0 {
				t.Errorf("%+v", r)
			}
		}
		if len(rows) != 17 || rows[7].Best != 2 || rows[16].Best != 4 {
			t.Errorf("%+v", rows)
		}
	})
}
