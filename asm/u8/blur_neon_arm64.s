//go:build !noasm

#include "textflag.h"

// Go's assembler lacks this. Operands are register numbers, the last one is written.

// sqdmulh v{d}.8h, v{n}.8h, v{m}.8h
#define SQDMULH(m, n, d) WORD $(0x4e60b400 | (m)<<16 | (n)<<5 | (d))

// V0 and V1 have the sums at even and at odd places. THIRDS divides them by 3, by way of
// x * 10923 >> 15, which holds for x up to 765, and puts all the pixels into V6.
#define THIRDS \
	SQDMULH(31, 0, 0);       \
	SQDMULH(31, 1, 1);       \
	VORR V0.B16, V0.B16, V6.B16; \
	VSLI $8, V1.H8, V6.H8

// func blurRowNEON(dst, above, middle, src *uint8, n, ahead int)
//
// n >= 16. Pixels at even and at odd places are summed apart, as words: what's
// odd in src[i:] is even in src[i+1:], so that two loads give all three addends. The last vector overlaps its neighbour. Stores with a
// hint to bypass the caches, STNP, are left for when one can be measured.
//
//	R0 &dst[i]   R1 &above[i]   R4 &middle[i]   R2 &src[i]   R9 &src[i+2]
//	R5 elements left, less 16   R7 &src[i+ahead]
//	V31 10923   V30 255, both in words   V29 above[n-16:]
TEXT ·blurRowNEON(SB), NOSPLIT, $0-48
	MOVD dst+0(FP), R0
	MOVD above+8(FP), R1
	MOVD middle+16(FP), R4
	MOVD src+24(FP), R2
	MOVD n+32(FP), R5
	MOVD ahead+40(FP), R7
	ADD  R7, R2, R7
	ADD  $2, R2, R9
	MOVD $10923, R6
	VDUP R6, V31.H8
	MOVD $255, R6
	VDUP R6, V30.H8
	SUB  $16, R5
	ADD  R5, R1, R6
	VLD1 (R6), [V29.B16]

loop:  // for ; n >= 16; n -= 16
	PRFM   (R7), PLDL1KEEP
	VLD1.P 16(R2), [V0.B16]
	VLD1.P 16(R9), [V2.B16]
	VUSHR  $8, V0.H8, V1.H8
	VUSHR  $8, V2.H8, V3.H8
	VAND   V30.B16, V0.B16, V0.B16
	VAND   V30.B16, V2.B16, V2.B16
	VADD   V1.H8, V2.H8, V1.H8
	VADD   V1.H8, V0.H8, V0.H8
	VADD   V1.H8, V3.H8, V1.H8
	THIRDS                         // b = (src[i] + src[i+1] + src[i+2]) / 3
	VLD1   (R1), [V2.B16]
	VST1.P [V6.B16], 16(R1)        // above[i] = b
	VLD1.P 16(R4), [V4.B16]
	VUSHR  $8, V2.H8, V3.H8
	VUSHR  $8, V4.H8, V5.H8
	VAND   V30.B16, V2.B16, V2.B16
	VAND   V30.B16, V4.B16, V4.B16
	VADD   V2.H8, V0.H8, V0.H8
	VADD   V4.H8, V0.H8, V0.H8
	VADD   V3.H8, V1.H8, V1.H8
	VADD   V5.H8, V1.H8, V1.H8
	THIRDS                         // d = (above[i] + middle[i] + b) / 3
	VST1.P [V6.B16], 16(R0)        // dst[i] = d
	ADD    $16, R7
	SUBS   $16, R5
	BGE    loop
	ADDS   $16, R5, R6
	BEQ    done

	// Step back, so that the last vector ends where the row does, and put back what it overlaps.
	ADD    R5, R0
	ADD    R5, R1
	ADD    R5, R2
	ADD    R5, R9
	ADD    R5, R4
	VST1   [V29.B16], (R1)
	MOVD   $0, R5
	B      loop

done:
	RET
