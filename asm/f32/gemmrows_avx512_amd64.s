//go:build !noasm

// Products without packing in AVX-512. Each row of C goes by itself.
//
// A wide row takes eight steps of k at a time: their coefficients stay in registers, and each
// vector of C is loaded and stored once for all eight. Else, and for the steps that are left, it
// goes in strips of four vectors, two, one, half of one, and the rest under a mask, with the
// steps of k inside. The mask is for half a vector: what's read next to a store that may not have
// reached the cache has to wait for it.
//
//	R12    steps left
//	R13    columns left
//	SI     A's row
//	AX     A's step, R10 from one to the next
//	DI     B's first row, or strip
//	CX     B's step, R11 from one to the next, R8 = 3*R11; R9 = CX + 4*R11
//	DX     C's row
//	BX     C's strip
//	Z16-Z23 eight coefficients
//	X15    alpha
//	Z14    beta, +0 where it's -0; 1 behind the first steps
//	K2     all ones if that isn't 0
//	K1     the last n mod VEC columns, K3 = K1 & K2
//	K4     the last n mod VEC/2 columns, K5 = K4 & K2

#include "textflag.h"
#include "type_amd64.h"
#include "gemm_amd64.h"

#define VEC (64/SIZE) // elements in a vector

// c = beta * C's strip at byte o, or 0
#define BEGIN(o, c, beta) \
	VMOVUP.Z o(BX), K2, c; \
	VMULP    c, beta, c

// c = alpha * a[l], in all lanes, for the next l
#define COEFFICIENT(c) \
	VMULS       (AX), X15, X4; \
	VBROADCASTS X4, c;         \
	ADDQ        R10, AX

// c += coefficient * B's strip
#define MULADD(b, a, t, c) \
	VMULP b, a, t; \
	VADDP t, c, c
#define MULADD_MASKED(b, a, t, c) \
	VMULP.Z b, a, K1, t; \
	VADDP   t, c, c
#define MULADD_HALF(b, a, t, c) \
	VMULP.Z b, a, K4, t; \
	VADDP   t, c, c

// Eight steps for one vector.
#define EIGHT(OP, t, c) \
	OP((CX), Z16, t, c);       \
	OP((CX)(R11*1), Z17, t, c); \
	OP((CX)(R11*2), Z18, t, c); \
	OP((CX)(R8*1), Z19, t, c);  \
	OP((R9), Z20, t, c);        \
	OP((R9)(R11*1), Z21, t, c); \
	OP((R9)(R11*2), Z22, t, c); \
	OP((R9)(R8*1), Z23, t, c)

// The same for two.
#define EIGHT2 \
	MULADD((CX), Z16, Z2, Z0);           \
	MULADD(64(CX), Z16, Z3, Z1);         \
	MULADD((CX)(R11*1), Z17, Z2, Z0);    \
	MULADD(64(CX)(R11*1), Z17, Z3, Z1);  \
	MULADD((CX)(R11*2), Z18, Z2, Z0);    \
	MULADD(64(CX)(R11*2), Z18, Z3, Z1);  \
	MULADD((CX)(R8*1), Z19, Z2, Z0);     \
	MULADD(64(CX)(R8*1), Z19, Z3, Z1);   \
	MULADD((R9), Z20, Z2, Z0);           \
	MULADD(64(R9), Z20, Z3, Z1);         \
	MULADD((R9)(R11*1), Z21, Z2, Z0);    \
	MULADD(64(R9)(R11*1), Z21, Z3, Z1);  \
	MULADD((R9)(R11*2), Z22, Z2, Z0);    \
	MULADD(64(R9)(R11*2), Z22, Z3, Z1);  \
	MULADD((R9)(R8*1), Z23, Z2, Z0);     \
	MULADD(64(R9)(R8*1), Z23, Z3, Z1)

// The first step of a strip: R12 steps from A's on.
#define FIRST \
	MOVQ steps-8(SP), R12; \
	MOVQ from-16(SP), AX;  \
	MOVQ DI, CX

#define NEXT \
	ADDQ R11, CX; \
	DECQ R12

#define ADVANCE(bytes) \
	ADDQ $(bytes), BX; \
	ADDQ $(bytes), DI

// func gemmRowsAVX512(m, n, k int, alpha T, a *T, ars, acs int, b *T, ldb int, beta T, c *T, ldc int)
TEXT ·gemmRowsAVX512(SB), NOSPLIT, $16-96
	VMOVS  alpha+24(FP), X15
	MOVQ   a+32(FP), SI
	MOVQ   acs+48(FP), R10
	MOVQ   ldb+64(FP), R11
	MOVQ   c+80(FP), DX
	SHLQ   $SHIFT, ars+40(FP)
	SHLQ   $SHIFT, R10
	SHLQ   $SHIFT, R11
	SHLQ   $SHIFT, ldc+88(FP)
	LEAQ   (R11)(R11*2), R8
	MOVQ   n+8(FP), CX
	ANDQ   $(VEC-1), CX
	MOVL   $1, AX
	SHLL   CX, AX
	DECL   AX
	KMOVW  AX, K1
	ANDL   $(VEC/2-1), CX
	MOVL   $1, AX
	SHLL   CX, AX
	DECL   AX
	KMOVW  AX, K4
	VPXORQ Z13, Z13, Z13

row:  // for ; m > 0; m--
	VBROADCASTS beta+72(FP), Z14
	VCMPP       $4, Z13, Z14, K2 // beta != 0
	VMOVUP.Z    Z14, K2, Z14
	MOVQ        k+16(FP), R12
	MOVQ        SI, AX
	MOVQ        b+56(FP), DI
	CMPQ        n+8(FP), $(4*VEC)
	JLE         strips
	CMPQ        R12, $8
	JLT         strips

group:  // eight steps
	COEFFICIENT(Z16)
	COEFFICIENT(Z17)
	COEFFICIENT(Z18)
	COEFFICIENT(Z19)
	COEFFICIENT(Z20)
	COEFFICIENT(Z21)
	COEFFICIENT(Z22)
	COEFFICIENT(Z23)
	MOVQ DX, BX
	MOVQ DI, CX
	LEAQ (DI)(R11*4), R9
	MOVQ n+8(FP), R13
	SUBQ $(2*VEC), R13

pair:
	BEGIN(0, Z0, Z14)
	BEGIN(64, Z1, Z14)
	EIGHT2
	VMOVUP Z0, (BX)
	VMOVUP Z1, 64(BX)
	ADDQ   $128, BX
	ADDQ   $128, CX
	ADDQ   $128, R9
	SUBQ   $(2*VEC), R13
	JGE    pair
	ADDQ   $VEC, R13
	JLT    groupTail
	BEGIN(0, Z0, Z14)
	EIGHT(MULADD, Z2, Z0)
	VMOVUP Z0, (BX)
	ADDQ   $64, BX
	ADDQ   $64, CX
	ADDQ   $64, R9
	SUBQ   $VEC, R13

groupTail:
	ADDQ     $VEC, R13
	JEQ      groupEnd
	KANDW    K1, K2, K3
	VMOVUP.Z (BX), K3, Z0
	VMULP    Z0, Z14, Z0
	EIGHT(MULADD_MASKED, Z2, Z0)
	VMOVUP   Z0, K1, (BX)

groupEnd:
	LEAQ   (DI)(R11*8), DI
	KXNORW K2, K2, K2
	ONES(Z14)
	SUBQ   $8, R12
	CMPQ   R12, $8
	JGE    group
	TESTQ  R12, R12
	JEQ    next

strips:
	MOVQ  R12, steps-8(SP)
	MOVQ  AX, from-16(SP)
	MOVQ  DX, BX
	KANDW K4, K2, K5
	MOVQ  n+8(FP), R13
	SUBQ  $(4*VEC), R13
	JLT   two

strip:  // four vectors
	BEGIN(0, Z0, Z14)
	BEGIN(64, Z1, Z14)
	BEGIN(128, Z2, Z14)
	BEGIN(192, Z3, Z14)
	FIRST

stripStep:
	COEFFICIENT(Z5)
	MULADD((CX), Z5, Z6, Z0)
	MULADD(64(CX), Z5, Z7, Z1)
	MULADD(128(CX), Z5, Z8, Z2)
	MULADD(192(CX), Z5, Z9, Z3)
	NEXT
	JNE    stripStep
	VMOVUP Z0, (BX)
	VMOVUP Z1, 64(BX)
	VMOVUP Z2, 128(BX)
	VMOVUP Z3, 192(BX)
	ADVANCE(256)
	SUBQ   $(4*VEC), R13
	JGE    strip

two:  // two vectors
	ADDQ $(2*VEC), R13
	JLT  one
	BEGIN(0, Z0, Z14)
	BEGIN(64, Z1, Z14)
	FIRST

twoStep:
	COEFFICIENT(Z5)
	MULADD((CX), Z5, Z6, Z0)
	MULADD(64(CX), Z5, Z7, Z1)
	NEXT
	JNE    twoStep
	VMOVUP Z0, (BX)
	VMOVUP Z1, 64(BX)
	ADVANCE(128)
	SUBQ   $(2*VEC), R13

one:
	ADDQ $VEC, R13
	JLT  half
	BEGIN(0, Z0, Z14)
	FIRST

oneStep:
	COEFFICIENT(Z5)
	MULADD((CX), Z5, Z6, Z0)
	NEXT
	JNE    oneStep
	VMOVUP Z0, (BX)
	ADVANCE(64)
	SUBQ   $VEC, R13

half:
	ADDQ $(VEC/2), R13
	JLT  tail
	BEGIN(0, Y0, Y14)
	FIRST

halfStep:
	COEFFICIENT(Y5)
	MULADD((CX), Y5, Y6, Y0)
	NEXT
	JNE    halfStep
	VMOVUP Y0, (BX)
	ADVANCE(32)
	SUBQ   $(VEC/2), R13

tail:  // part of half a vector
	ADDQ     $(VEC/2), R13
	JEQ      next
	VMOVUP.Z (BX), K5, Y0
	VMULP    Y0, Y14, Y0
	FIRST

tailStep:
	COEFFICIENT(Y5)
	MULADD_HALF((CX), Y5, Y6, Y0)
	NEXT
	JNE    tailStep
	VMOVUP Y0, K4, (BX)

next:
	ADDQ ars+40(FP), SI
	ADDQ ldc+88(FP), DX
	DECQ m+0(FP)
	JNE  row
	VZEROUPPER
	RET
