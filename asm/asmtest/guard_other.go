//go:build !unix

package asmtest

import (
	"testing"
	"unsafe"
)

// guarded returns n bytes, aligned to 64.
func guarded(_ testing.TB, n int) []byte {
	all := make([]byte, n+64)
	skip := int(-uintptr(unsafe.Pointer(&all[0])) % 64)
	return all[skip : skip+n]
}
