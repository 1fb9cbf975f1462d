package topology

import (
	"archive/tar"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// A tree is a file system in memory with symbolic links, which it follows itself: in
// fstest.MapFS a missing file takes a walk over all others.
type tree map[string]treeFile

type treeFile struct {
	data, link string
	names      []string // of a folder
}

func (t tree) add(name string, f treeFile) {
	if _, ok := t[name]; ok {
		return
	}
	t[name] = f
	if dir := path.Dir(name); name != "." {
		t.add(dir, treeFile{names: []string{}})
		parent := t[dir]
		parent.names = append(parent.names, path.Base(name))
		t[dir] = parent
	}
}

// resolve returns the name that remains when links have been followed.
func (t tree) resolve(name string, links int) (string, bool) {
	at := "."
	for part := range strings.SplitSeq(name, "/") {
		at = path.Join(at, part)
		f, ok := t[at]
		if !ok || links == 0 {
			return "", false
		}
		if f.link != "" {
			if at, ok = t.resolve(path.Join(path.Dir(at), f.link), links-1); !ok {
				return "", false
			}
		}
	}
	return at, true
}

func (t tree) Open(name string) (fs.File, error) {
	at, ok := t.resolve(name, 40)
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	f := t[at]
	if f.names == nil {
		return fstest.MapFS{"file": {Data: []byte(f.data)}}.Open("file")
	}
	folder := fstest.MapFS{}
	for _, n := range f.names {
		folder[n] = &fstest.MapFile{}
	}
	return folder.Open(".")
}

// readTar returns the files of a recorded machine, below its top folder.
func readTar(t testing.TB, name string) tree {
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
	files := tree{}
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
			files.add(below, treeFile{names: []string{}})
		case h.Typeflag == tar.TypeSymlink:
			files.add(below, treeFile{link: h.Linkname})
		default:
			data, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			files.add(below, treeFile{data: string(data)})
		}
	}
}

// unpack writes files into a folder of the test's own.
func unpack(t testing.TB, files tree) string {
	t.Helper()
	dir := t.TempDir()
	for name, f := range files {
		to := filepath.Join(dir, filepath.FromSlash(name))
		err := os.MkdirAll(filepath.Dir(to), 0o755)
		switch {
		case err != nil:
		case f.names != nil:
			err = os.MkdirAll(to, 0o755)
		case f.link != "":
			err = os.Symlink(f.link, to)
		default:
			err = os.WriteFile(to, []byte(f.data), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func mustParseSet(t testing.TB, list string) Set {
	t.Helper()
	s, err := ParseSet(list)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
