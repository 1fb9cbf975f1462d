//go:build !noasm && (amd64 || arm64)

package asm

// pause gives n hints, n > 0.
//
//go:noescape
func pause(n int)
