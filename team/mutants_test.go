//go:build teamcheck

package team

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A mutant is a mistake in the protocol, made by one replacement in one file. The
// checker must find it, in one configuration and by one rule.
type mutant struct {
	name, file, old, new string
	config, rule         string
}

var mutants = []mutant{
	{"a clock per call", "steal.go",
		"if seen == -in.epoch && v.seen.CompareAndSwap(seen, now) {", "if v.seen.Store(now); seen == -in.epoch {",
		"steal2", oneStamp},
	{"a clock per observer", "steal.go",
		"	seen := v.seen.Load()\n", "	seen := v.seen.Load()\n	if seen > 0 && v != &c.slots[1] {\n		seen = now\n	}\n",
		"static3", noSecondWait},
	{"a clock reset on a sleeping owner", "steal.go",
		"if in.protect {\n			return no", "if v.seen.Store(-in.epoch); in.protect {\n			return no",
		"tree3", oneStamp},
	{"no test for empty", "steal.go",
		"if r.empty() {\n		return nothing", "if false {\n		return nothing",
		"steal3", nothingThere},
	{"a second look at an empty block", "steal.go",
		"return nothing // and", "return yes // and",
		"steal3", permitted},
	{"unsigned now-seen", "steal.go",
		"now-seen < patience {", "uint64(now-seen) < patience {",
		"skew3", permitted},
	{"a claim by plain store", "worker.go",
		"if s.cmd.CompareAndSwap(cmd, running) {", "if s.cmd.Store(running); true {",
		"static2", straggler},
	{"a return without revoke", "launch.go",
		"		case pending, scanning:\n", "		case pending:\n			return\n		case scanning:\n",
		"static2", nobodyInside},
	{"a revoke that writes idle over a parked worker whose wake wasn't issued", "launch.go",
		"if s.cmd.CompareAndSwap(posted, parked) {\n				return", "if s.cmd.CompareAndSwap(posted, idle) {\n				return",
		"tree3", wakesKept},
	{"a pop while scanning", "steal.go",
		"if !s.cmd.CompareAndSwap(scanning, running) {", "if s.cmd.Load() != scanning {",
		"steal2", nobodyEnters},
	{"re-initialising under a straggler", "launch.go",
		"		case pending, scanning:\n", "		case scanning:\n			return\n		case pending:\n",
		"steal2", nobodyInside},
	{"a wake only for the first sleeper", "launch.go",
		"		if s.cmd.CompareAndSwap(parked, posted) {\n			c.sleepers", "		if s.cmd.CompareAndSwap(parked, posted) {\n			if c.asleep > 0 {\n				return\n			}\n			c.sleepers",
		"wake3", canReturn},
	{"a frozen parent in the tree", "launch.go",
		"		if r.protect {\n			c.wakeNext()", "		if false {\n			c.wakeNext()",
		"wake3", wakesOthers},
	{"a claim of a chunk by plain store", "slot.go",
		"if s.rng.CompareAndSwap(uint64(r), uint64((r + 2).start())) {", "if s.rng.Store(uint64((r + 2).start())); true {",
		"steal2", straggler},
	{"a join that looks before it announces itself", "launch.go",
		"	c.joiner.Swap(1)\n	if s.cmd.Load() == running {\n", "	if s.cmd.Load() == running {\n		c.joiner.Swap(1)\n",
		"static3", canReturn},
	{"a worker that spins on, awake but parked", "worker.go",
		"	s.cmd.CompareAndSwap(idle, parked)\n", "	if !s.cmd.CompareAndSwap(idle, parked) {\n		return\n	}\n",
		"crowdsteal3", canReturn},
	{"a list of sleepers that nobody is told of", "launch.go",
		"			c.stats.posted.Add(uint64(len(c.aside) - k))\n			c.callSleepers()\n", "			c.stats.posted.Add(uint64(len(c.aside) - k))\n",
		"crowd3", wakesOthers},
	{"workers left aside for good", "launch.go",
		"nanotime()-p.t0 > c.wakeLatency.Load() && !c.contended()", "nanotime()-p.t0 > c.wakeLatency.Load() && !p.alone",
		"crowdsteal3", canReach},
	{"a chunk begun after a panic", "region.go",
		"	return r.stop.Load() != 0\n", "	return false\n",
		"panic2", stopped},
}

// TestMutants makes each mistake in turn, in an overlay that leaves the files
// alone, and has the checker find it.
func TestMutants(t *testing.T) {
	dir := t.TempDir()
	overlay := map[string]string{}
	tests, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range tests { // what isn't the checker's needn't be built
		if !strings.HasPrefix(f, "check_") && f != "mutants_test.go" {
			overlay[abs(t, f)] = ""
		}
	}
	for _, m := range mutants {
		t.Run(m.name, func(t *testing.T) {
			source, err := os.ReadFile(m.file)
			if err != nil {
				t.Fatal(err)
			}
			if n := bytes.Count(source, []byte(m.old)); n != 1 {
				t.Fatalf("%s has %q %d times, want once", m.file, m.old, n)
			}
			changed := filepath.Join(dir, m.file)
			if err := os.WriteFile(changed, bytes.Replace(source, []byte(m.old), []byte(m.new), 1), 0o644); err != nil {
				t.Fatal(err)
			}
			overlay[abs(t, m.file)] = changed
			defer delete(overlay, abs(t, m.file))
			list, err := json.Marshal(map[string]any{"Replace": overlay})
			if err != nil {
				t.Fatal(err)
			}
			replace := filepath.Join(dir, "overlay.json")
			if err := os.WriteFile(replace, list, 0o644); err != nil {
				t.Fatal(err)
			}
			out, err := exec.Command("go", "test", "-tags=teamcheck", "-vet=off", "-overlay="+replace,
				"-run=^TestCheck$/^"+m.config+"$", ".", "-check.big").CombinedOutput()
			if err == nil {
				t.Fatalf("not found in configuration %s", m.config)
			}
			if !bytes.Contains(out, []byte("broken: "+m.rule)) {
				t.Fatalf("want broken: %s\n%s", m.rule, out)
			}
		})
	}
}

func abs(t *testing.T, file string) string {
	t.Helper()
	path, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	return path
}
