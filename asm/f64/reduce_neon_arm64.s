//go:build !noasm

// The reductions in NEON.
//
// A turn adds eight vectors, one to each of the eight that hold the block's lanes. The last
// elements are whole vectors, and one with less in it and zeros: a lane never is -0, so that
// adding a zero leaves it as it is. Product and sum are rounded separately: no FMLA.
//
//	R0     the result
//	R1     the first operand
//	R2     the second operand
//	R3     elements left
//	R8     those that don't fill a vector, R6 and R7 where they are
//	V0-V7  the lanes
//	V18    what R8 elements add

#include "textflag.h"
#include "type_arm64.h"

#define VEC (16/SIZE) // elements in a vector

// Each reduction's line for eight vectors, which leaves in V16 to V23 what's added to the
// lanes; for one vector, which leaves it in V16; and for the last R8 elements.

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
#define DOT1 \
	VLD1.P 16(R1), [V16.B16]; \
	VLD1.P 16(R2), [V17.B16]; \
	VFMUL(17, 16, 16)
#define DOT_FEW \
	FEW(R6, F18, V18, one, two);    \
	FEW(R7, F19, V19, three, four); \
	VFMUL(19, 18, 18)

// l += x[i]
#define SUM8 \
	LOAD(R1, V16, V17, V18, V19); \
	LOAD(R1, V20, V21, V22, V23)
#define SUM1 \
	VLD1.P 16(R1), [V16.B16]
#define SUM_FEW \
	FEW(R6, F18, V18, one, two)

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
#define ASUM1 \
	VLD1.P 16(R1), [V16.B16]; \
	VFABS(16, 16)
#define ASUM_FEW \
	FEW(R6, F18, V18, one, two); \
	VFABS(18, 18)

// A vector of the last elements, unless there's less than one left.
#define REST(OP1, l, last) \
	CMP  $VEC, R3;   \
	BLT  last;       \
	OP1;             \
	VFADD(16, l, l); \
	SUB  $VEC, R3
#define LAST(last, l) \
last:                    \
	VFADD(18, l, l); \
	B    fold

#define REDUCE(OP8, OP1, OP_FEW) \
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
	VEOR    V18.B16, V18.B16, V18.B16;            \
	ANDS    $(VEC-1), R3, R8;                     \
	BEQ     vectors;                              \
	SUB     R8, R3, R4;                           \
	ADD     R4<<SHIFT, R1, R6;                    \
	ADD     R4<<SHIFT, R2, R7;                    \
	OP_FEW;                                       \
vectors:                                              \
	REST(OP1, 0, last0);                          \
	REST(OP1, 1, last1);                          \
	REST(OP1, 2, last2);                          \
	REST(OP1, 3, last3);                          \
	REST(OP1, 4, last4);                          \
	REST(OP1, 5, last5);                          \
	REST(OP1, 6, last6);                          \
	LAST(last7, 7);                               \
	LAST(last6, 6);                               \
	LAST(last5, 5);                               \
	LAST(last4, 4);                               \
	LAST(last3, 3);                               \
	LAST(last2, 2);                               \
	LAST(last1, 1);                               \
	LAST(last0, 0);                               \
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
TEXT ·dotNEON(SB), NOSPLIT, $0-32
	MOVD r+0(FP), R0
	MOVD x+8(FP), R1
	MOVD y+16(FP), R2
	MOVD n+24(FP), R3
	REDUCE(DOT8, DOT1, DOT_FEW)

// func sumNEON(r, x *T, n int)
TEXT ·sumNEON(SB), NOSPLIT, $0-24
	MOVD r+0(FP), R0
	MOVD x+8(FP), R1
	MOVD n+16(FP), R3
	REDUCE(SUM8, SUM1, SUM_FEW)

// func asumNEON(r, x *T, n int)
TEXT ·asumNEON(SB), NOSPLIT, $0-24
	MOVD r+0(FP), R0
	MOVD x+8(FP), R1
	MOVD n+16(FP), R3
	REDUCE(ASUM8, ASUM1, ASUM_FEW)
