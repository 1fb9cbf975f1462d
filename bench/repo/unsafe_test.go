package repo

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// unsafeFiles are the files that may use unsafe, by what they need it for. To ask
// for the size of a type needs no permission.
var unsafeFiles = map[string][]string{
	"system calls take addresses": {
		".ci/vm/cmd/init/main.go", "numa/numatest/refuse_linux.go", "numa/system_linux.go", "numa/system_other.go",
		"team/affinity_linux.go", "team/futex_linux.go", "topology/detect_linux.go", "topology/detect_windows.go",
	},
	"arrays lie outside of Go's heap": {
		"numa/array.go", "numa/map_other.go", "numa/map_unix.go", "numa/map_windows.go", "numa/memory.go", "numa/migrate.go",
	},
	"where a slice lies decides where it's worked on, and whether it overlaps": {
		"asm/asm.go", "asm/f32/stream.go", "asm/f64/stream.go", "kernels/args.go", "kernels/gemm.go", "kernels/image.go", "kernels/level2.go", "kernels/stream.go",
		"numa/registry.go", "numa/residency.go", "team/options.go", "examples/heat/main.go",
	},
	"a loop in assembly takes the addresses of what may be empty, or has too many arguments to pass whole slices": {
		"asm/f32/dispatch_amd64.go", "asm/f32/dispatch_arm64.go", "asm/f32/gemv.go", "asm/f32/gemv_amd64.go", "asm/f32/rot_amd64.go",
		"asm/f32/sumsquares_amd64.go", "asm/f32/sumsquares_arm64.go",
		"asm/f64/dispatch_amd64.go", "asm/f64/dispatch_arm64.go", "asm/f64/gemv.go", "asm/f64/gemv_amd64.go", "asm/f64/rot_amd64.go",
	},
	"a hint takes an address":                          {"asm/prefetch.go", "asm/prefetch_asm.go", "asm/prefetch_other.go"},
	"one loop serves all types of a size":              {"asm/mem/mem.go", "kernels/blur.go"},
	"slots begin at cache lines":                       {"team/slot.go"},
	"the checker tells words apart by their addresses": {"team/words_check.go"},
	"tests": {
		"asm/asmtest/arena.go", "asm/asmtest/asmtest.go", "asm/asmtest/guard_other.go", "numa/cases_test.go", "numa/example_test.go",
		"numa/registry_test.go", "team/check_machine_test.go", "team/placed_vm_test.go", "team/vm_hostile_test.go",
	},
	"measuring": {"bench/goals.go", "bench/peers/blas1/compare/main.go"},
}

// TestUnsafe: what can break the memory of a program is in the listed files alone,
// and nothing reaches into the runtime.
func TestUnsafe(t *testing.T) {
	var listed []string
	for _, files := range unsafeFiles {
		listed = append(listed, files...)
	}
	var used []string
	for _, path := range files(t, ".go") {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, path), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if usesUnsafe(t, path, f) {
			used = append(used, path)
		}
		for _, group := range f.Comments {
			for _, c := range group.List {
				if strings.HasPrefix(c.Text, "//go:linkname ") {
					t.Errorf("%s: %s", path, c.Text)
				}
			}
		}
	}
	for _, path := range used {
		if !slices.Contains(listed, path) {
			t.Errorf("%s uses unsafe and isn't listed", path)
		}
	}
	for _, path := range listed {
		if !slices.Contains(used, path) {
			t.Errorf("%s is listed and doesn't use unsafe", path)
		}
	}
}

// usesUnsafe reports whether a file uses more of unsafe than its constants.
func usesUnsafe(t *testing.T, path string, f *ast.File) (uses bool) {
	for _, spec := range f.Imports {
		if spec.Path.Value == `"unsafe"` && spec.Name != nil {
			t.Errorf("%s gives unsafe another name", path)
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			x, ok := sel.X.(*ast.Ident)
			if ok && x.Name == "unsafe" && !slices.Contains([]string{"Sizeof", "Offsetof", "Alignof"}, sel.Sel.Name) {
				uses = true
			}
		}
		return true
	})
	return uses
}
