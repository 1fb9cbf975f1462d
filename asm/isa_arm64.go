//go:build !noasm

package asm

func available() []ISA { return []ISA{NEON} }
