//go:build unix

package numa

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// mapPages returns zeroed memory of n bytes, none of it touched.
func mapPages(n uintptr) (unsafe.Pointer, error) {
	page := transparentPage()
	p, err := mmap(n, 0)
	if err != nil || page == 0 || n < page || uintptr(p)%page == 0 {
		return p, err
	}
	// Huge pages need their own alignment. Linux sees to it since 6.7.
	unix.MunmapPtr(p, n)
	if p, err = mmap(n+page-basePage, 0); err != nil {
		return nil, err
	}
	head := -uintptr(p) & (page - 1)
	tail := page - basePage - head
	if head > 0 {
		unix.MunmapPtr(p, head)
	}
	p = unsafe.Add(p, head)
	if tail > 0 {
		unix.MunmapPtr(unsafe.Add(p, n), tail)
	}
	return p, nil
}

func mmap(n uintptr, flags int) (unsafe.Pointer, error) {
	return unix.MmapPtr(-1, 0, nil, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON|flags)
}

// unmapPages gives the n bytes at p back.
func unmapPages(p unsafe.Pointer, n uintptr) error { return unix.MunmapPtr(p, n) }
