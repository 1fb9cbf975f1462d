//go:build !noasm

package mem

import "github.com/numateam/numateam/asm"

//go:noinline
func fill(dst []byte, p Pattern) {
	if asm.Active() == asm.NEON {
		fillNEON(dst, p)
	} else {
		fillGo(dst, p)
	}
}

//go:noinline
func fillStream(dst []byte, p Pattern) {
	if asm.Active() == asm.NEON {
		fillStreamNEON(dst, p)
	} else {
		fillGo(dst, p)
	}
}

//go:noinline
func copyStream(dst, src []byte) {
	if asm.Active() == asm.NEON {
		copyStreamNEON(dst, src)
	} else {
		copy(dst, src)
	}
}

//go:noescape
func fillNEON(dst []byte, p Pattern)

//go:noescape
func fillStreamNEON(dst []byte, p Pattern)

//go:noescape
func copyStreamNEON(dst, src []byte)
