//go:build noasm || !(amd64 || arm64)

package asm

import "unsafe"

func prefetch(unsafe.Pointer) {}
