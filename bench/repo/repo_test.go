package repo

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// root is the repository's, seen from this package.
const root = "../.."

// files returns the files of the repository whose names end in suffix, by their
// path from the root.
func files(t *testing.T, suffix string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == ".git" {
			return fs.SkipDir
		}
		if !d.IsDir() && strings.HasSuffix(path, suffix) {
			rel, err := filepath.Rel(root, path)
			out = append(out, filepath.ToSlash(rel))
			return err
		}
		return nil
	})
	if err != nil || len(out) == 0 {
		t.Fatalf("files that end in %s: %d, %v", suffix, len(out), err)
	}
	return out
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

var goBlock = regexp.MustCompile("(?ms)^```go\n(.*?)^```")

// TestPrograms compiles every program in the Markdown files. A block of Go that
// isn't a whole program can't be checked, so there may be none.
func TestPrograms(t *testing.T) {
	for _, path := range files(t, ".md") {
		for i, m := range goBlock.FindAllStringSubmatch(read(t, path), -1) {
			t.Run(fmt.Sprintf("%s#%d", path, i), func(t *testing.T) {
				if !strings.HasPrefix(m[1], "package main\n") {
					t.Fatalf("not a whole program:\n%s", m[1])
				}
				dir := t.TempDir()
				file := filepath.Join(dir, "main.go")
				if err := os.WriteFile(file, []byte(m[1]), 0o666); err != nil {
					t.Fatal(err)
				}
				cmd := exec.Command("go", "build", "-o", filepath.Join(dir, "program"), file)
				cmd.Dir = root
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
			})
		}
	}
}

var (
	link   = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	fenced = regexp.MustCompile("(?ms)^```.*?^```")
)

// TestLinks looks for the target of every relative link in the Markdown files.
func TestLinks(t *testing.T) {
	for _, path := range files(t, ".md") {
		text := fenced.ReplaceAllString(read(t, path), "")
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			target, _, _ := strings.Cut(m[1], "#")
			if target == "" || strings.Contains(target, "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(root, filepath.Dir(path), target)); err != nil {
				t.Errorf("%s: link to %s: %v", path, m[1], err)
			}
		}
	}
}

var goRun = regexp.MustCompile(`(?m)^\s*(?:\$ )?go (?:run|test|install) (?:-\S+ )*(\./\S*)`)

// TestCommands looks for the packages that the commands in the Markdown files name.
func TestCommands(t *testing.T) {
	seen := 0
	for _, path := range files(t, ".md") {
		for _, m := range goRun.FindAllStringSubmatch(read(t, path), -1) {
			seen++
			cmd := exec.Command("go", "list", m[1])
			cmd.Dir = root
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %s: %v\n%s", path, strings.TrimSpace(m[0]), err, out)
			}
		}
	}
	if seen == 0 {
		t.Error("no command was found")
	}
}

// cases are the ids of the public cases: a letter group and how many it has.
var cases = []struct {
	group string
	n     int
}{{"top", 26}, {"num", 11}, {"team", 11}, {"kern", 16}, {"bench", 6}, {"ex", 3}}

var caseRow = regexp.MustCompile(`(?m)^\| ([a-z]+-\d\d) \| (.+?) \| (.+?) \|$`)

// TestCases checks that each public case has a row in CASES.md, and that the
// tests which the row names exist.
func TestCases(t *testing.T) {
	var want []string
	for _, c := range cases {
		for i := range c.n {
			want = append(want, fmt.Sprintf("%s-%02d", c.group, i+1))
		}
	}
	if shared := filepath.Join(root, "../shared/cases/README.md"); exists(shared) {
		text, err := os.ReadFile(shared)
		if err != nil {
			t.Fatal(err)
		}
		var there []string
		for _, m := range regexp.MustCompile(`(?m)^### ([a-z]+-\d+):`).FindAllStringSubmatch(string(text), -1) {
			there = append(there, m[1])
		}
		if !slices.Equal(there, want) {
			t.Errorf("the collection has cases %v, want %v", there, want)
		}
	}
	rows := map[string][]string{}
	for _, m := range caseRow.FindAllStringSubmatch(read(t, "bench/repo/CASES.md"), -1) {
		rows[m[1]] = m[2:]
	}
	for _, id := range want {
		row, ok := rows[id]
		if !ok {
			t.Errorf("%s has no row", id)
			continue
		}
		for name := range strings.SplitSeq(row[1], ", ") {
			dir, test, ok := strings.Cut(strings.Trim(name, "`"), ": ")
			if ok {
				findTest(t, id, dir, test)
			} else {
				t.Errorf("%s: %q is not of the form `directory: TestName`", id, name)
			}
		}
	}
	if len(rows) != len(want) {
		t.Errorf("%d rows, want %d", len(rows), len(want))
	}
}

// findTest checks that a directory's tests have one of the given name, or that
// .ci/run has a step of that name.
func findTest(t *testing.T, id, dir, test string) {
	t.Helper()
	if dir == ".ci/run" {
		if !strings.Contains(read(t, dir), "\nstep "+test+" ") {
			t.Errorf("%s: .ci/run has no step %s", id, test)
		}
		return
	}
	sources, err := filepath.Glob(filepath.Join(root, dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range sources {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(b), "\nfunc "+test+"(") {
			return
		}
	}
	t.Errorf("%s: %s has no test %s", id, dir, test)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
