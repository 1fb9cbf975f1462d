// Package topologytest finds the recorded machines and the cases that tests of all
// packages share. They lie in the folder shared beside the repository.
package topologytest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// Shared returns the path of a file or folder of ../shared, seen from the
// repository's root. Where it's missing, so is the test: see [Missing].
func Shared(t testing.TB, path ...string) string {
	t.Helper()
	root, err := filepath.Abs(".")
	for ; err == nil; root = filepath.Dir(root) {
		if _, e := os.Stat(filepath.Join(root, "go.mod")); e == nil {
			break
		}
		if root == filepath.Dir(root) {
			Missing(t, "no go.mod above this folder, beside which there'd be shared")
		}
	}
	name := filepath.Join(append([]string{"shared"}, path...)...)
	found := filepath.Join(filepath.Dir(root), name)
	if _, err := os.Stat(found); err != nil {
		Missing(t, "%s isn't beside the repository", name)
	}
	return found
}

// Case reads a file of JSON in ../shared/cases.
func Case(t testing.TB, into any, path ...string) {
	t.Helper()
	ReadJSON(t, Shared(t, append([]string{"cases"}, path...)...), into)
}

// ReadJSON reads a file of JSON.
func ReadJSON(t testing.TB, file string, into any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Missing skips a test for want of something, or fails it where nothing may be
// missing: on the machines that check every change, which set CI to true.
func Missing(t testing.TB, format string, args ...any) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}
