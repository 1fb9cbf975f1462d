//go:build !noasm

#include "textflag.h"

// Go's assembler lacks these. Operands are register numbers, the last one is written.

// urhadd v{d}.8h, v{n}.8h, v{m}.8h
#define URHADD(m, n, d) WORD $(0x6e601400 | (m)<<16 | (n)<<5 | (d))

// mls v{d}.8h, v{n}.8h, v{m}.8h
#define MLS(m, n, d) WORD $(0x6e609400 | (m)<<16 | (n)<<5 | (d))

// umull v{d}.4s, v{n}.4h, v{m}.4h
#define UMULL(m, n, d) WORD $(0x2e60c000 | (m)<<16 | (n)<<5 | (d))

// umull2 v{d}.4s, v{n}.8h, v{m}.8h
#define UMULL2(m, n, d) WORD $(0x6e60c000 | (m)<<16 | (n)<<5 | (d))

// V3 = (V0 + V1 + V2) / 3 for any words: the guess of doc.go.
#define THIRD \
	VADD   V0.H8, V1.H8, V5.H8;  \
	VADD   V2.H8, V5.H8, V5.H8;  \
	URHADD(1, 0, 4);             \
	URHADD(2, 4, 6);             \
	URHADD(6, 4, 3);             \
	VSUB   V31.H8, V3.H8, V3.H8; \
	MLS(30, 3, 5);               \
	UMULL(29, 5, 6);             \
	UMULL2(29, 5, 7);            \
	VUZP2  V7.H8, V6.H8, V6.H8;  \
	VUSRA  $1, V6.H8, V3.H8

// func blurRowNEON(dst, above, middle, src *uint16, n, ahead int)
//
// n >= 8. It divides by the exact form alone, see doc.go. The last vector overlaps its neighbour. Stores with a
// hint to bypass the caches, STNP, are left for when one can be measured.
//
//	R0 &dst[i]   R1 &above[i]   R4 &middle[i]   R2 &src[i]   R8 &src[i+1]   R9 &src[i+2]
//	R5 elements left, less 8   R7 &src[i+ahead]
//	V31 5463   V30 3   V29 43691   V28 above[n-8:]
TEXT ·blurRowNEON(SB), NOSPLIT, $0-48
	MOVD dst+0(FP), R0
	MOVD above+8(FP), R1
	MOVD middle+16(FP), R4
	MOVD src+24(FP), R2
	MOVD n+32(FP), R5
	MOVD ahead+40(FP), R7
	ADD  R7<<1, R2, R7
	ADD  $2, R2, R8
	ADD  $4, R2, R9
	MOVD $5463, R6
	VDUP R6, V31.H8
	MOVD $3, R6
	VDUP R6, V30.H8
	MOVD $43691, R6
	VDUP R6, V29.H8
	SUB  $8, R5
	ADD  R5<<1, R1, R6
	VLD1 (R6), [V28.B16]

loop:  // for ; n >= 8; n -= 8
	PRFM   (R7), PLDL1KEEP
	VLD1.P 16(R2), [V0.B16]
	VLD1.P 16(R8), [V1.B16]
	VLD1.P 16(R9), [V2.B16]
	THIRD                         // b = (src[i] + src[i+1] + src[i+2]) / 3
	VLD1   (R1), [V0.B16]
	VST1.P [V3.B16], 16(R1)       // above[i] = b
	VORR   V3.B16, V3.B16, V2.B16
	VLD1.P 16(R4), [V1.B16]
	THIRD                         // d = (above[i] + middle[i] + b) / 3
	VST1.P [V3.B16], 16(R0)       // dst[i] = d
	ADD    $16, R7
	SUBS   $8, R5
	BGE    loop
	ADDS   $8, R5, R6
	BEQ    done

	// Step back, so that the last vector ends where the row does, and put back what it overlaps.
	ADD    R5<<1, R0
	ADD    R5<<1, R1
	ADD    R5<<1, R2
	ADD    R5<<1, R8
	ADD    R5<<1, R9
	ADD    R5<<1, R4
	VST1   [V28.B16], (R1)
	MOVD   $0, R5
	B      loop

done:
	RET
