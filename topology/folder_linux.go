package topology

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// A folder reads files with three system calls each.
type folder struct {
	fd  int
	how unix.OpenHow
}

// openFolder opens a folder that stands for the root directory: no symbolic link
// leads out of it.
func openFolder(dir string) (source, error) {
	s, err := newFolder(dir, unix.RESOLVE_IN_ROOT)
	if err != nil {
		return nil, err
	}
	if fd, err := unix.Openat2(s.fd, ".", &s.how); err != nil { // an old kernel or a sandbox
		s.close()
		return rootFolder(dir)
	} else {
		unix.Close(fd)
	}
	return s, nil
}

// openSystem opens the running system's root.
func openSystem() (source, error) { return newFolder("/", 0) }

func newFolder(dir string, resolve uint64) (*folder, error) {
	fd, err := unix.Open(dir, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("topology: %w", &os.PathError{Op: "open", Path: dir, Err: err})
	}
	return &folder{fd, unix.OpenHow{Flags: unix.O_RDONLY | unix.O_CLOEXEC, Resolve: resolve}}, nil
}

func (s *folder) open(name string) (int, error) {
	if s.how.Resolve == 0 {
		return unix.Openat(s.fd, name, int(s.how.Flags), 0)
	}
	return unix.Openat2(s.fd, name, &s.how)
}

func (s *folder) read(buf []byte, name string) ([]byte, error) {
	fd, err := s.open(name)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	for len(buf) < maxFile {
		buf = slices.Grow(buf, 4097) // more than nearly all files of sysfs have
		room := cap(buf) - len(buf)
		n, err := unix.Read(fd, buf[len(buf):cap(buf)])
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return nil, err
		}
		buf = buf[:len(buf)+n]
		// Files of proc come in pieces; of the others a short piece is the last.
		if n == 0 || n < room && !strings.HasPrefix(name, "proc/") {
			break
		}
	}
	return buf, nil
}

func (s *folder) list(name string) ([]string, error) {
	fd, err := s.open(name)
	if err != nil {
		return nil, err
	}
	d := os.NewFile(uintptr(fd), name)
	defer d.Close()
	return d.Readdirnames(-1)
}

func (s *folder) close() { unix.Close(s.fd) }
