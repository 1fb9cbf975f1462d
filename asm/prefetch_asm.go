//go:build !noasm && (amd64 || arm64)

package asm

import "unsafe"

//go:noescape
func prefetch(p unsafe.Pointer)
