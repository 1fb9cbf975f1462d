package repo

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// floors says for each package of ours which others it may build on, as the
// package table of README.md has it.
var floors = map[string][]string{
	"topology": {},
	"asm":      {},
	"numa":     {"topology"},
	"team":     {"topology", "asm", "numa"},
	"kernels":  {"topology", "asm", "numa", "team"},
	"bench":    {"topology", "asm", "numa", "team", "kernels"},
}

// core packages link the standard library and these modules alone.
var coreModules = []string{"golang.org/x/sys", "github.com/klauspost/cpuid/v2", "gonum.org/v1/gonum"}

// deps lists the packages that all packages below dir need, on their way into a
// program: standard ones are left out.
func deps(t *testing.T, dir string) []string {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "./"+dir+"/...")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	list := strings.Fields(string(out))
	if len(list) == 0 {
		t.Fatal("no packages in ", dir)
	}
	return list
}

// TestFloors: a package builds on those of the floors below it, and the core on
// few modules from elsewhere.
func TestFloors(t *testing.T) {
	const module = "github.com/numateam/numateam/"
	for dir, below := range floors {
		t.Run(dir, func(t *testing.T) {
			for _, path := range deps(t, dir) {
				if ours, ok := strings.CutPrefix(path, module); ok {
					top, _, _ := strings.Cut(ours, "/")
					if top != dir && !slices.Contains(below, top) {
						t.Errorf("needs %s, which isn't below it", path)
					}
					continue
				}
				if dir != "bench" && !slices.ContainsFunc(coreModules, func(m string) bool { return path == m || strings.HasPrefix(path, m+"/") }) {
					t.Errorf("links %s", path)
				}
			}
		})
	}
}

// TestNoCgo: no package of ours has C of its own.
func TestNoCgo(t *testing.T) {
	cmd := exec.Command("go", "list", "-f", "{{if .CgoFiles}}{{.ImportPath}}{{end}}", "./...")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if text := strings.TrimSpace(string(out)); text != "" {
		t.Errorf("cgo in %s", text)
	}
}
