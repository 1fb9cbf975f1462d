//go:build noasm || !(amd64 || arm64)

package asm

func available() []ISA { return nil }
