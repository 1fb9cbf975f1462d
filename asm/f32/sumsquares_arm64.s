//go:build !noasm

// The sum of squares in float64, in NEON.
//
// A turn widens, squares and adds 16 elements, which fill the block's 16 lanes of
// float64. The last elements go to their own lanes by pairs, as in the other reductions.
//
//	R0     the result
//	R1     x
//	R3     elements left
//	V0-V7  the lanes
//	V18    what a single last element adds

#include "textflag.h"

// Go's assembler lacks these. Operands are register numbers, the last one is written.

// fadd v{d}.2d, v{n}.2d, v{m}.2d
#define VFADD(m, n, d) WORD $(0x4e60d400 | (m)<<16 | (n)<<5 | (d))

// fmul v{d}.2d, v{n}.2d, v{m}.2d
#define VFMUL(m, n, d) WORD $(0x6e60dc00 | (m)<<16 | (n)<<5 | (d))

// fcvtl v{d}.2d, v{n}.2s
#define VFCVTL(n, d) WORD $(0x0e617800 | (n)<<5 | (d))

// fcvtl2 v{d}.2d, v{n}.4s
#define VFCVTL2(n, d) WORD $(0x4e617800 | (n)<<5 | (d))

// l1, l2 += the squares of the four elements in v, by way of t
#define QUAD(v, t, l1, l2) \
	VFCVTL2(v, t);    \
	VFCVTL(v, v);     \
	VFMUL(v, v, v);   \
	VFMUL(t, t, t);   \
	VFADD(v, l1, l1); \
	VFADD(t, l2, l2)

// A pair of the last elements, unless there's less than one left.
#define REST(l, last) \
	CMP     $2, R3;        \
	BLT     last;          \
	FMOVD.P 8(R1), F16;    \
	VFCVTL(16, 16);        \
	VFMUL(16, 16, 16);     \
	VFADD(16, l, l);       \
	SUB     $2, R3
#define LAST(last, l) \
last:                          \
	VFADD(18, l, l);       \
	B       fold

// func sumSquaresNEON(r *float64, x *float32, n int)
TEXT ·sumSquaresNEON(SB), NOSPLIT, $0-24
	MOVD r+0(FP), R0
	MOVD x+8(FP), R1
	MOVD n+16(FP), R3
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16
	VEOR V4.B16, V4.B16, V4.B16
	VEOR V5.B16, V5.B16, V5.B16
	VEOR V6.B16, V6.B16, V6.B16
	VEOR V7.B16, V7.B16, V7.B16
	SUBS $16, R3
	BLT  rest

turn:
	VLD1.P 64(R1), [V16.B16, V17.B16, V18.B16, V19.B16]
	QUAD(16, 20, 0, 1)
	QUAD(17, 21, 2, 3)
	QUAD(18, 22, 4, 5)
	QUAD(19, 23, 6, 7)
	SUBS $16, R3
	BGE  turn

rest: // pairs, and a single one with a zero
	ADDS $16, R3
	BEQ  fold
	VEOR V18.B16, V18.B16, V18.B16
	TBZ  $0, R3, pairs
	ADD  R3<<2, R1, R6
	FMOVS -4(R6), F18
	VFCVTL(18, 18)
	VFMUL(18, 18, 18)

pairs:
	REST(0, last0)
	REST(1, last1)
	REST(2, last2)
	REST(3, last3)
	REST(4, last4)
	REST(5, last5)
	REST(6, last6)
	LAST(last7, 7)
	LAST(last6, 6)
	LAST(last5, 5)
	LAST(last4, 4)
	LAST(last3, 3)
	LAST(last2, 2)
	LAST(last1, 1)
	LAST(last0, 0)

fold:
	VFADD(4, 0, 0)
	VFADD(5, 1, 1)
	VFADD(6, 2, 2)
	VFADD(7, 3, 3)
	VFADD(2, 0, 0)
	VFADD(3, 1, 1)
	VFADD(1, 0, 0)
	VDUP    V0.D[1], V1.D2
	FADDD   F1, F0, F0
	FMOVD   F0, (R0)
	RET
