//go:build !unix && !windows

package numa

import "unsafe"

// mapPages returns zeroed memory of n bytes from the Go heap: there's nowhere
// else to get it from. The registry keeps it alive until Close.
func mapPages(n uintptr) (p unsafe.Pointer, err error) {
	defer func() {
		if recover() != nil { // more than make can do
			err = ErrNoMemory
		}
	}()
	return unsafe.Pointer(unsafe.SliceData(make([]complex128, (n+15)/16))), nil
}

func unmapPages(unsafe.Pointer, uintptr) error { return nil }
