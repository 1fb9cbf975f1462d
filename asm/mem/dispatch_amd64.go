//go:build !noasm

package mem

import "github.com/numateam/numateam/asm"

//go:noinline
func fill(dst []byte, p Pattern) {
	switch asm.Active() {
	case asm.AVX512:
		fillAVX512(dst, p)
	case asm.AVX2:
		fillAVX2(dst, p)
	case asm.SSE2:
		fillSSE2(dst, p)
	default:
		fillGo(dst, p)
	}
}

//go:noinline
func fillStream(dst []byte, p Pattern) {
	switch asm.Active() {
	case asm.AVX512:
		fillStreamAVX512(dst, p)
	case asm.AVX2:
		fillStreamAVX2(dst, p)
	case asm.SSE2:
		fillStreamSSE2(dst, p)
	default:
		fillGo(dst, p)
	}
}

//go:noinline
func copyStream(dst, src []byte) {
	switch asm.Active() {
	case asm.AVX512:
		copyStreamAVX512(dst, src)
	case asm.AVX2:
		copyStreamAVX2(dst, src)
	case asm.SSE2:
		copyStreamSSE2(dst, src)
	default:
		copy(dst, src)
	}
}

//go:noescape
func fillAVX512(dst []byte, p Pattern)

//go:noescape
func fillAVX2(dst []byte, p Pattern)

//go:noescape
func fillSSE2(dst []byte, p Pattern)

//go:noescape
func fillStreamSSE2(dst []byte, p Pattern)

//go:noescape
func copyStreamSSE2(dst, src []byte)

//go:noescape
func fillStreamAVX2(dst []byte, p Pattern)

//go:noescape
func fillStreamAVX512(dst []byte, p Pattern)

//go:noescape
func copyStreamAVX2(dst, src []byte)

//go:noescape
func copyStreamAVX512(dst, src []byte)
