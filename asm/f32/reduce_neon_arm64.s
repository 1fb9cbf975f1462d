//go:build !noasm

// The reductions in NEON.
//
// A turn adds eight vectors, one to each of the eight that hold the block's lanes. For
// the last elements the lanes go to the stack, where each takes its element, and
// come back. Product and sum are rounded separately: no FMLA.
//
//	R0     the result
//	R1     the first operand
//	R2     the second operand
//	R3     elements left
//	R5     the lanes on the stack
//	V0-V7  the lanes

#include "textflag.h"
#include "type_arm64.h"

// Each reduction's line for eight vectors, which leaves in V16 to V23 what's added to the
// lanes, and for one element, which leaves it in F16.

#define LOAD(p, a, b, c, d) \
	VLD1.P 64(p), [a.B16, b.B16, c.B16, d.B16]

// l += x[i] * y[i]
#define DOT8 \
	LOAD(R1, V16, V17, V18, V19); \
	LOAD(R1, V20, V21, V22, V23); \
	LOAD(R2, V24, V25, V26, V27); \
	LOAD(R2, V28, V29, V30, V31); \
	VFMUL(24, 16, 16);            \
	VFMUL(25, 17, 17);            \
	VFMUL(26, 18, 18);            \
	VFMUL(27, 19, 19);            \
	VFMUL(28, 20, 20);            \
	VFMUL(29, 21, 21);            \
	VFMUL(30, 22, 22);            \
	VFMUL(31, 23, 23)
#define DOT_ELEMENT \
	FMOVT.P SIZE(R1), F16; \
	FMOVT.P SIZE(R2), F17; \
	FMULT   F17, F16, F16

// l += x[i]
#define SUM8 \
	LOAD(R1, V16, V17, V18, V19); \
	LOAD(R1, V20, V21, V22, V23)
#define SUM_ELEMENT \
	FMOVT.P SIZE(R1), F16

// l += |x[i]|
#define ASUM8 \
	LOAD(R1, V16, V17, V18, V19); \
	LOAD(R1, V20, V21, V22, V23); \
	VFABS(16, 16);                \
	VFABS(17, 17);                \
	VFABS(18, 18);                \
	VFABS(19, 19);                \
	VFABS(20, 20);                \
	VFABS(21, 21);                \
	VFABS(22, 22);                \
	VFABS(23, 23)
#define ASUM_ELEMENT \
	FMOVT.P SIZE(R1), F16; \
	FABST   F16, F16

#define REDUCE(OP8, OP_ELEMENT) \
	VEOR    V0.B16, V0.B16, V0.B16;               \
	VEOR    V1.B16, V1.B16, V1.B16;               \
	VEOR    V2.B16, V2.B16, V2.B16;               \
	VEOR    V3.B16, V3.B16, V3.B16;               \
	VEOR    V4.B16, V4.B16, V4.B16;               \
	VEOR    V5.B16, V5.B16, V5.B16;               \
	VEOR    V6.B16, V6.B16, V6.B16;               \
	VEOR    V7.B16, V7.B16, V7.B16;               \
	SUBS    $LANES, R3;                           \
	BLT     rest;                                 \
turn:                                                 \
	OP8;                                          \
	VFADD(16, 0, 0);                              \
	VFADD(17, 1, 1);                              \
	VFADD(18, 2, 2);                              \
	VFADD(19, 3, 3);                              \
	VFADD(20, 4, 4);                              \
	VFADD(21, 5, 5);                              \
	VFADD(22, 6, 6);                              \
	VFADD(23, 7, 7);                              \
	SUBS    $LANES, R3;                           \
	BGE     turn;                                 \
rest:                                                 \
	ADDS    $LANES, R3;                           \
	BEQ     fold;                                 \
	MOVD    $lanes-128(SP), R5;                   \
	VST1.P  [V0.B16, V1.B16, V2.B16, V3.B16], 64(R5); \
	VST1    [V4.B16, V5.B16, V6.B16, V7.B16], (R5); \
	SUB     $64, R5;                              \
element:                                              \
	OP_ELEMENT;                                   \
	FMOVT   (R5), F17;                            \
	FADDT   F16, F17, F17;                        \
	FMOVT.P F17, SIZE(R5);                        \
	SUBS    $1, R3;                               \
	BNE     element;                              \
	MOVD    $lanes-128(SP), R5;                   \
	LOAD(R5, V0, V1, V2, V3);                     \
	LOAD(R5, V4, V5, V6, V7);                     \
fold:                                                 \
	VFADD(4, 0, 0);                               \
	VFADD(5, 1, 1);                               \
	VFADD(6, 2, 2);                               \
	VFADD(7, 3, 3);                               \
	VFADD(2, 0, 0);                               \
	VFADD(3, 1, 1);                               \
	VFADD(1, 0, 0);                               \
	FOLD;                                         \
	FMOVT   F0, (R0);                             \
	RET

// func dotNEON(r, x, y *T, n int)
TEXT ·dotNEON(SB), NOSPLIT, $128-32
	MOVD r+0(FP), R0
	MOVD x+8(FP), R1
	MOVD y+16(FP), R2
	MOVD n+24(FP), R3
	REDUCE(DOT8, DOT_ELEMENT)

// func sumNEON(r, x *T, n int)
TEXT ·sumNEON(SB), NOSPLIT, $128-24
	MOVD r+0(FP), R0
	MOVD x+8(FP), R1
	MOVD n+16(FP), R3
	REDUCE(SUM8, SUM_ELEMENT)

// func asumNEON(r, x *T, n int)
TEXT ·asumNEON(SB), NOSPLIT, $128-24
	MOVD r+0(FP), R0
	MOVD x+8(FP), R1
	MOVD n+16(FP), R3
	REDUCE(ASUM8, ASUM_ELEMENT)
