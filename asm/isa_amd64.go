//go:build !noasm

package asm

import "github.com/klauspost/cpuid/v2"

// available returns what cpuid reports, which counts a vector extension only if
// the operating system saves its registers.
func available() []ISA {
	list := []ISA{SSE2}
	if cpuid.CPU.Supports(cpuid.AVX2) {
		list = append(list, AVX2)
		if cpuid.CPU.Supports(cpuid.AVX512F, cpuid.AVX512BW, cpuid.AVX512DQ, cpuid.AVX512VL) {
			list = append(list, AVX512)
		}
	}
	return list
}
