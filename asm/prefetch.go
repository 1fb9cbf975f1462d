package asm

import "unsafe"

// Prefetch asks the CPU for the cache line at p, which the caller will load or store soon.
// Without assembly it does nothing.
func Prefetch[T any](p *T) { prefetch(unsafe.Pointer(p)) }
