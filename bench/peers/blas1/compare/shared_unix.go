//go:build unix

package main

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// shared is memory that another process can map: a file's, in the one file system whose files are
// only memory, where there is one.
type shared struct {
	bytes []byte
	file  string
}

func newShared(n int) (*shared, error) {
	dir := "/dev/shm"
	if _, err := os.Stat(dir); err != nil {
		dir = ""
	}
	f, err := os.CreateTemp(dir, "blas1")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s := &shared{file: f.Name()}
	if err = f.Truncate(int64(n)); err == nil {
		s.bytes, err = unix.Mmap(int(f.Fd()), 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	}
	if err != nil {
		return nil, errors.Join(err, os.Remove(s.file))
	}
	clear(s.bytes) // so that all of it is there
	return s, nil
}

func (s *shared) close() error { return errors.Join(unix.Munmap(s.bytes), os.Remove(s.file)) }
