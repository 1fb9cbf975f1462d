package topology

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// missing skips a test for want of something, or fails it where nothing may be
// missing: on the machines that check every change.
func missing(t testing.TB, format string, args ...any) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}

// sharedFolder returns a folder of the recorded machines and cases, which lie beside
// the repository.
func sharedFolder(t testing.TB, name string) string {
	t.Helper()
	dir, err := filepath.Abs(".")
	for ; err == nil; dir = filepath.Dir(dir) {
		if _, e := os.Stat(filepath.Join(dir, "go.mod")); e == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			missing(t, "no go.mod above this folder")
		}
	}
	shared := filepath.Join(dir, "..", "shared", name)
	if _, err := os.Stat(shared); err != nil {
		missing(t, "needs %s beside the repository", filepath.Join("shared", name))
	}
	return shared
}

// tarFS returns the files of a recorded machine, below its top folder.
func tarFS(t testing.TB, name string) fstest.MapFS {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{}
	for r := tar.NewReader(unzipped); ; {
		h, err := r.Next()
		if err == io.EOF {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		_, below, _ := strings.Cut(strings.TrimSuffix(h.Name, "/"), "/")
		switch {
		case below == "":
		case h.Typeflag == tar.TypeDir:
			files[below] = &fstest.MapFile{Mode: fs.ModeDir | 0o755}
		case h.Typeflag == tar.TypeSymlink:
			files[below] = &fstest.MapFile{Mode: fs.ModeSymlink | 0o777, Data: []byte(h.Linkname)}
		default:
			data, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			files[below] = &fstest.MapFile{Mode: 0o644, Data: data}
		}
	}
}

// unpack writes files into a folder of the test's own.
func unpack(t testing.TB, files fstest.MapFS) string {
	t.Helper()
	dir := t.TempDir()
	for name, f := range files {
		to := filepath.Join(dir, filepath.FromSlash(name))
		var err error
		if f.Mode.IsDir() {
			err = os.MkdirAll(to, 0o755)
		} else if err = os.MkdirAll(filepath.Dir(to), 0o755); err == nil && f.Mode&fs.ModeSymlink != 0 {
			err = os.Symlink(string(f.Data), to)
		} else if err == nil {
			err = os.WriteFile(to, f.Data, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func readJSON(t testing.TB, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func mustParseSet(t testing.TB, list string) Set {
	t.Helper()
	s, err := ParseSet(list)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
