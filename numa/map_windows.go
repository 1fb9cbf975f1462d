package numa

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// mapPages returns zeroed memory of n bytes, none of it touched.
func mapPages(n uintptr) (unsafe.Pointer, error) {
	addr, err := windows.VirtualAlloc(0, n, windows.MEM_RESERVE|windows.MEM_COMMIT, windows.PAGE_READWRITE)
	// Memory that isn't Go's: its address may change type.
	return *(*unsafe.Pointer)(unsafe.Pointer(&addr)), err
}

// unmapPages gives the memory at p back.
func unmapPages(p unsafe.Pointer, _ uintptr) error {
	return windows.VirtualFree(uintptr(p), 0, windows.MEM_RELEASE)
}
