//go:build unix

package asmtest

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// guarded returns at least n bytes, whole pages, between two pages without access.
func guarded(tb testing.TB, n int) []byte {
	page := os.Getpagesize()
	n = (n + page - 1) / page * page
	all, err := unix.Mmap(-1, 0, n+2*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { unix.Munmap(all) })
	for _, g := range [][]byte{all[:page], all[page+n:]} {
		if err := unix.Mprotect(g, unix.PROT_NONE); err != nil {
			tb.Fatal(err)
		}
	}
	return all[page : page+n]
}
