//go:build !noasm

#include "textflag.h"
#include "type_arm64.h"

// fdiv v{d}.4s, v{n}.4s, v{m}.4s
#define VFDIV(m, n, d) WORD $(0x6e20fc00 | (m)<<16 | (n)<<5 | (d))

// func blurRowNEON(dst, above, middle, src *float32, n, ahead int)
//
// n >= 4. The last vector overlaps its neighbour. Stores with a
// hint to bypass the caches, STNP, are left for when one can be measured.
//
//	R0 &dst[i]   R1 &above[i]   R4 &middle[i]   R2 &src[i]   R8 &src[i+1]   R9 &src[i+2]
//	R5 elements left, less 4   R7 &src[i+ahead]
//	V31 3   V30 above[n-4:]
TEXT ·blurRowNEON(SB), NOSPLIT, $0-48
	MOVD dst+0(FP), R0
	MOVD above+8(FP), R1
	MOVD middle+16(FP), R4
	MOVD src+24(FP), R2
	MOVD n+32(FP), R5
	MOVD ahead+40(FP), R7
	ADD  R7<<2, R2, R7
	ADD  $4, R2, R8
	ADD  $8, R2, R9
	FMOVS $3.0, F31
	VDUP V31.S[0], V31.S4
	SUB  $4, R5
	ADD  R5<<2, R1, R6
	VLD1 (R6), [V30.B16]

loop:  // for ; n >= 4; n -= 4
	PRFM   (R7), PLDL1KEEP
	VLD1.P 16(R2), [V0.B16]
	VLD1.P 16(R8), [V1.B16]
	VLD1.P 16(R9), [V2.B16]
	VFADD(1, 0, 0)
	VFADD(2, 0, 0)
	VFDIV(31, 0, 0)                // b = (src[i] + src[i+1] + src[i+2]) / 3
	VLD1   (R1), [V1.B16]
	VST1.P [V0.B16], 16(R1)        // above[i] = b
	VLD1.P 16(R4), [V2.B16]
	VFADD(2, 1, 1)
	VFADD(0, 1, 1)
	VFDIV(31, 1, 1)                // d = (above[i] + middle[i] + b) / 3
	VST1.P [V1.B16], 16(R0)        // dst[i] = d
	ADD    $16, R7
	SUBS   $4, R5
	BGE    loop
	ADDS   $4, R5, R6
	BEQ    done

	// Step back, so that the last vector ends where the row does, and put back what it overlaps.
	ADD    R5<<2, R0
	ADD    R5<<2, R1
	ADD    R5<<2, R2
	ADD    R5<<2, R8
	ADD    R5<<2, R9
	ADD    R5<<2, R4
	VST1   [V30.B16], (R1)
	MOVD   $0, R5
	B      loop

done:
	RET
