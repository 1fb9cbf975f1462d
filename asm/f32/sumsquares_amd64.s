//go:build !noasm

// The sum of squares in float64, in SSE2, AVX2 and AVX-512.
//
// A turn widens, squares and adds 16 elements, which fill the block's 16 lanes of
// float64. The last elements go to their own lanes as in the other reductions:
// by pairs in SSE2, else under masks.
//
//	DI     the result
//	SI     x
//	CX     elements left
//	X0-X7, Y0-Y3 or Z0-Z1  the lanes

#include "textflag.h"

// Each line takes elements at byte o to the lanes in l.

#define PAIR(l, v, o) \
	MOVSD    o(SI), v; \
	CVTPS2PD v, v;     \
	MULPD    v, v;     \
	ADDPD    v, l

// A pair of the last elements, unless there's less than one left.
#define REST(l, v, o, last) \
	CMPQ CX, $2;   \
	JLT  last;     \
	PAIR(l, v, o); \
	SUBQ $2, CX
#define LAST(last, l) \
last:                 \
	ADDPD X12, l; \
	JMP   fold

#define QUAD(l, v, o) \
	VCVTPS2PD o(SI), v; \
	VMULPD    v, v, v;  \
	VADDPD    v, l, l
#define QUAD_MASKED(l, m, x, v, o) \
	VMASKMOVPS o(SI), m, x; \
	VCVTPS2PD  x, v;        \
	VMULPD     v, v, v;     \
	VADDPD     v, l, l

#define OCT(l, v, o) \
	VCVTPS2PD o(SI), v; \
	VMULPD    v, v, v;  \
	VADDPD    v, l, l
#define OCT_MASKED(l, k, v, o) \
	VCVTPS2PD.Z o(SI), k, v; \
	VMULPD      v, v, v;     \
	VADDPD      v, l, l

// func sumSquaresSSE2(r *float64, x *float32, n int)
TEXT ·sumSquaresSSE2(SB), NOSPLIT, $0-24
	MOVQ r+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ n+16(FP), CX
	XORPS X0, X0
	XORPS X1, X1
	XORPS X2, X2
	XORPS X3, X3
	XORPS X4, X4
	XORPS X5, X5
	XORPS X6, X6
	XORPS X7, X7
	SUBQ  $16, CX
	JLT   rest

turn:
	PAIR(X0, X8, 0)
	PAIR(X1, X9, 8)
	PAIR(X2, X10, 16)
	PAIR(X3, X11, 24)
	PAIR(X4, X8, 32)
	PAIR(X5, X9, 40)
	PAIR(X6, X10, 48)
	PAIR(X7, X11, 56)
	ADDQ $64, SI
	SUBQ $16, CX
	JGE  turn

rest: // pairs, and a single one with a zero
	ADDQ     $16, CX
	JEQ      fold
	XORPS    X12, X12
	TESTQ    $1, CX
	JEQ      pairs
	MOVSS    -4(SI)(CX*4), X12
	CVTPS2PD X12, X12
	MULPD    X12, X12

pairs:
	REST(X0, X8, 0, last0)
	REST(X1, X9, 8, last1)
	REST(X2, X10, 16, last2)
	REST(X3, X11, 24, last3)
	REST(X4, X8, 32, last4)
	REST(X5, X9, 40, last5)
	REST(X6, X10, 48, last6)
	LAST(last7, X7)
	LAST(last6, X6)
	LAST(last5, X5)
	LAST(last4, X4)
	LAST(last3, X3)
	LAST(last2, X2)
	LAST(last1, X1)
	LAST(last0, X0)

fold:
	ADDPD    X4, X0
	ADDPD    X5, X1
	ADDPD    X6, X2
	ADDPD    X7, X3
	ADDPD    X2, X0
	ADDPD    X3, X1
	ADDPD    X1, X0
	MOVAPD   X0, X1
	UNPCKHPD X1, X1
	ADDSD    X1, X0
	MOVSD    X0, (DI)
	RET

// func sumSquaresAVX2(r *float64, x *float32, n int)
TEXT ·sumSquaresAVX2(SB), NOSPLIT, $0-24
	MOVQ r+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ n+16(FP), CX
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	SUBQ   $16, CX
	JLT    rest

turn:
	QUAD(Y0, Y4, 0)
	QUAD(Y1, Y5, 16)
	QUAD(Y2, Y6, 32)
	QUAD(Y3, Y7, 48)
	ADDQ $64, SI
	SUBQ $16, CX
	JGE  turn

rest:
	ADDQ    $16, CX
	JEQ     fold
	LEAQ    ·ones<>+64(SB), AX
	SHLQ    $2, CX
	SUBQ    CX, AX
	VMOVUPS (AX), X8
	VMOVUPS 16(AX), X9
	VMOVUPS 32(AX), X10
	VMOVUPS 48(AX), X11
	QUAD_MASKED(Y0, X8, X4, Y4, 0)
	QUAD_MASKED(Y1, X9, X5, Y5, 16)
	QUAD_MASKED(Y2, X10, X6, Y6, 32)
	QUAD_MASKED(Y3, X11, X7, Y7, 48)

fold:
	VADDPD       Y2, Y0, Y0
	VADDPD       Y3, Y1, Y1
	VADDPD       Y1, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDPD       X1, X0, X0
	VPERMILPD    $1, X0, X1
	VADDSD       X1, X0, X0
	VMOVSD       X0, (DI)
	VZEROUPPER
	RET

// func sumSquaresAVX512(r *float64, x *float32, n int)
TEXT ·sumSquaresAVX512(SB), NOSPLIT, $0-24
	MOVQ r+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ n+16(FP), CX
	VPXORQ Z0, Z0, Z0
	VPXORQ Z1, Z1, Z1
	SUBQ   $16, CX
	JLT    rest

turn:
	OCT(Z0, Z2, 0)
	OCT(Z1, Z3, 32)
	ADDQ $64, SI
	SUBQ $16, CX
	JGE  turn

rest:
	ADDQ  $16, CX
	JEQ   fold
	MOVL  $-1, AX // K1 = the lowest CX bits of 16, K2 = those above the eighth
	SHLL  CX, AX
	NOTL  AX
	KMOVW AX, K1
	SHRL  $8, AX
	KMOVW AX, K2
	OCT_MASKED(Z0, K1, Z2, 0)
	OCT_MASKED(Z1, K2, Z3, 32)

fold:
	VADDPD        Z1, Z0, Z0
	VEXTRACTF64X4 $1, Z0, Y1
	VADDPD        Y1, Y0, Y0
	VEXTRACTF128  $1, Y0, X1
	VADDPD        X1, X0, X0
	VPERMILPD     $1, X0, X1
	VADDSD        X1, X0, X0
	VMOVSD        X0, (DI)
	VZEROUPPER
	RET

// 64 bytes of ones and 64 of zeros
DATA ·ones<>+0(SB)/8, $-1
DATA ·ones<>+8(SB)/8, $-1
DATA ·ones<>+16(SB)/8, $-1
DATA ·ones<>+24(SB)/8, $-1
DATA ·ones<>+32(SB)/8, $-1
DATA ·ones<>+40(SB)/8, $-1
DATA ·ones<>+48(SB)/8, $-1
DATA ·ones<>+56(SB)/8, $-1
GLOBL ·ones<>(SB), RODATA|NOPTR, $128
