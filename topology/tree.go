package topology

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
)

// A source reads files by their path below the root, "sys/devices/…". A file that
// can't be read counts as missing, for nearly whatever reason: sandboxes hide files
// in many ways.
type source interface {
	// read appends the file to buf, whose array may be reused.
	read(buf []byte, name string) ([]byte, error)
	// list returns the names in a folder, in no particular order.
	list(name string) ([]string, error)
	close()
}

// maxFile bounds what is read of one file. The longest ones are the lists of
// mounts and of cgroups.
const maxFile = 1 << 20

// newSource returns the source for root. A folder given by os.DirFS is opened anew:
// os.DirFS follows symbolic links out of the folder, and a large machine has too
// many small files for the comfort of os.ReadFile.
func newSource(root fs.FS) source {
	if reflect.TypeOf(root) == reflect.TypeOf(os.DirFS(".")) {
		if s, err := openFolder(reflect.ValueOf(root).String()); err == nil {
			return s
		}
	}
	return fsSource{root}
}

type fsSource struct{ root fs.FS }

func (s fsSource) read(buf []byte, name string) ([]byte, error) {
	f, err := s.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for len(buf) < maxFile {
		buf = slices.Grow(buf, 512)
		n, err := f.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if errors.Is(err, io.EOF) {
			return buf, nil
		}
		if err != nil {
			return nil, err
		}
	}
	return buf, nil
}

func (s fsSource) list(name string) ([]string, error) {
	entries, err := fs.ReadDir(s.root, name)
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return names, err
}

func (s fsSource) close() {}

// files reads values from a source for one goroutine. The first value that can't be
// understood ends in err, with the file's name and the value.
type files struct {
	src source
	buf []byte
	err error
}

// text returns the content of a file without space and NUL bytes around it.
func (f *files) text(name string) (string, bool) {
	data, err := f.src.read(f.buf[:0], name)
	if err != nil {
		f.missing(name, err)
		return "", false
	}
	f.buf = data
	return string(bytes.Trim(data, " \t\n\x00")), true
}

// missing notes that a file couldn't be read for want of file descriptors: that says
// nothing about the machine, unlike all other reasons.
func (f *files) missing(name string, err error) {
	if f.err == nil && (errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)) {
		f.err = fmt.Errorf("topology: %s: %w", clip(name), err)
	}
}

func (f *files) fail(name, value, want string) {
	if f.err == nil {
		if !strconv.CanBackquote(name) {
			name = strconv.Quote(name) // a control group's name can have anything
		}
		f.err = fmt.Errorf("topology: %s: %q is not %s", clip(name), clip(value), want)
	}
}

// list returns the set in a file in list format.
func (f *files) list(name string) (Set, bool) { return f.set(name, ParseSet) }

func (f *files) set(name string, parse func(string) (Set, error)) (Set, bool) {
	text, ok := f.text(name)
	if !ok {
		return Set{}, false
	}
	s, err := parse(text)
	if err != nil {
		f.fail(name, text, "a set of ids")
	}
	return s, err == nil
}

// A setFile is one of the names that a set goes by. Old kernels have masks where new
// ones have lists as well.
type setFile struct {
	name  string
	parse func(string) (Set, error)
}

// firstSet returns the set in the first file of dir that exists.
func (f *files) firstSet(dir string, names []setFile) (Set, bool) {
	for _, n := range names {
		if s, ok := f.set(dir+n.name, n.parse); ok || f.err != nil {
			return s, ok
		}
	}
	return Set{}, false
}

// number returns the number in a file. An empty file has none.
func (f *files) number(name string) (int, bool) {
	text, ok := f.text(name)
	if !ok || text == "" {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		f.fail(name, text, "a number")
	}
	return n, err == nil
}

// ids returns the numbers behind a prefix in the names of a folder, as in cpu0.
func (f *files) ids(dir, prefix string) (Set, bool) {
	names, err := f.src.list(dir)
	if err != nil {
		f.missing(dir, err)
		return Set{}, false
	}
	var s Set
	for _, name := range names {
		if digits, ok := strings.CutPrefix(name, prefix); ok {
			if id, ok := parseID(digits); ok {
				s.add(id)
			}
		}
	}
	return s, true
}

// parallel calls work for each i below n, from several goroutines if n is large.
func parallel(src source, n int, work func(f *files, i int)) {
	const batch = 32
	var next atomic.Int64
	loop := func() {
		f := files{src: src}
		for {
			end := int(next.Add(batch))
			for i := end - batch; i < min(end, n); i++ {
				work(&f, i)
			}
			if end >= n {
				return
			}
		}
	}
	var wg sync.WaitGroup
	for range min(n/batch/2, runtime.GOMAXPROCS(0)-1) {
		wg.Go(loop)
	}
	loop()
	wg.Wait()
}
