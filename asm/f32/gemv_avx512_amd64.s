//go:build !noasm

// The product of rows and a vector in AVX-512.
//
// Eight rows at a time share each piece of x. A row's lanes are two vectors, as in the
// reductions; then the eight rows' lanes are folded together, which takes fewer instructions
// than row by row. Where fewer than eight rows are left, the last one takes the place of those
// that aren't there. Product and sum are rounded separately.
//
// The last elements of x are loaded piece by piece. A masked load would wait for a store close
// behind x, and y may lie there.
//
//	R13    rows left
//	SI, R8-R12, BX, DI  eight rows
//	DX     x
//	AX     bytes from the beginning of a row
//	CX     elements left
//	Z0-Z15 the lanes, two vectors for each row
//	Z20-Z21 the last elements of x, K1-K2 their masks
//	K3     the rows of y
//	K4     the same, or none if beta is 0

#include "textflag.h"
#include "type_amd64.h"
#include "gemv_amd64.h"

#define VEC (64/SIZE) // elements in a vector

// l0, l1 += the products of a row and x, whose vectors are in Z16 and Z17
#define ROW(row, l0, l1) \
	VMULP (row)(AX*1), Z16, Z18;   \
	VMULP 64(row)(AX*1), Z17, Z19; \
	VADDP Z18, l0, l0;             \
	VADDP Z19, l1, l1

// The same for the last elements.
#define LAST(row, l0, l1) \
	VMULP.Z (row)(AX*1), Z20, K1, Z18;   \
	VMULP.Z 64(row)(AX*1), Z21, K2, Z19; \
	VADDP   Z18, l0, l0;                 \
	VADDP   Z19, l1, l1

// The same for a row of less than both vectors, whose products are its lanes: one may be -0,
// which shows only if all are.
#define SHORT(row, l0) \
	VMULP.Z (row), Z20, K1, l0
#define SHORT2(row, l0) \
	VMULP.Z 64(row), Z21, K2, Z18; \
	VADDP   Z31, l0, l0;           \
	VADDP   Z18, l0, l0

#define EACH1(OP) \
	OP(SI, Z0);   \
	OP(R8, Z2);   \
	OP(R9, Z4);   \
	OP(R10, Z6);  \
	OP(R11, Z8);  \
	OP(R12, Z10); \
	OP(BX, Z12);  \
	OP(DI, Z14)
#define EACH(OP) \
	OP(SI, Z0, Z1);    \
	OP(R8, Z2, Z3);    \
	OP(R9, Z4, Z5);    \
	OP(R10, Z6, Z7);   \
	OP(R11, Z8, Z9);   \
	OP(R12, Z10, Z11); \
	OP(BX, Z12, Z13);  \
	OP(DI, Z14, Z15)

// The next row, if there are more than k.
#define NEXT(from, row, k) \
	LEAQ    (from)(AX*1), row; \
	CMPQ    R13, $k;           \
	CMOVQLE from, row

// func gemvRowsAVX512(m, n int, alpha T, a *T, lda int, x *T, beta T, y *T)
TEXT ·gemvRowsAVX512(SB), NOSPLIT, $0-64
	MOVQ        m+0(FP), R13
	MOVQ        n+8(FP), CX
	VBROADCASTS alpha+16(FP), Z29
	MOVQ        a+24(FP), SI
	MOVQ        x+40(FP), DX
	VBROADCASTS beta+48(FP), Z30
	VPXORQ      Z31, Z31, Z31
	SHLQ        $SHIFT, lda+32(FP)
	ANDQ        $(LANES-1), CX
	MOVQ        $-1, AX
	SHLQ        CX, AX
	NOTQ        AX
	KMOVW       AX, K1
	SHRQ        $VEC, AX
	KMOVW       AX, K2
	MOVQ        n+8(FP), DI
	SHLQ        $SHIFT, DI
	ADDQ        DX, DI
	VPXORQ      Z20, Z20, Z20
	VPXORQ      Z21, Z21, Z21
	PIECES // Z20 = the last CX mod VEC elements before DI
	CMPQ        CX, $VEC
	JLT         group
	VMOVAPD     Z20, Z21
	VMOVUP      -64(DI), Z20

group:  // eight rows
	MOVQ lda+32(FP), AX
	NEXT(SI, R8, 1)
	NEXT(R8, R9, 2)
	NEXT(R9, R10, 3)
	NEXT(R10, R11, 4)
	NEXT(R11, R12, 5)
	NEXT(R12, BX, 6)
	NEXT(BX, DI, 7)
	MOVQ n+8(FP), CX
	CMPQ CX, $LANES
	JLT  short
	VPXORQ Z0, Z0, Z0
	VPXORQ Z1, Z1, Z1
	VMOVAPD Z31, Z2
	VMOVAPD Z31, Z3
	VMOVAPD Z31, Z4
	VMOVAPD Z31, Z5
	VMOVAPD Z31, Z6
	VMOVAPD Z31, Z7
	VMOVAPD Z31, Z8
	VMOVAPD Z31, Z9
	VMOVAPD Z31, Z10
	VMOVAPD Z31, Z11
	VMOVAPD Z31, Z12
	VMOVAPD Z31, Z13
	VMOVAPD Z31, Z14
	VMOVAPD Z31, Z15
	XORL AX, AX
	SUBQ $LANES, CX

turn:
	VMOVUP (DX)(AX*1), Z16
	VMOVUP 64(DX)(AX*1), Z17
	EACH(ROW)
	ADDQ $128, AX
	SUBQ $LANES, CX
	JGE  turn
	ADDQ $LANES, CX
	JEQ  join
	EACH(LAST)

join:
	VADDP Z1, Z0, Z0
	VADDP Z3, Z2, Z2
	VADDP Z5, Z4, Z4
	VADDP Z7, Z6, Z6
	VADDP Z9, Z8, Z8
	VADDP Z11, Z10, Z10
	VADDP Z13, Z12, Z12
	VADDP Z15, Z14, Z14
	JMP   fold

short:
	EACH1(SHORT)
	CMPQ CX, $VEC
	JLE  fold
	EACH1(SHORT2)

fold:
	FOLDROWS
	VADDP    Z31, Z0, Z0     // -0 of short rows
	VMULP    Z29, Z0, Z0     // alpha * the sums
	MOVQ     y+56(FP), DI
	MOVL     $0xff, AX       // K3 = the rows that are there
	CMPQ     R13, $8
	JGE      whole
	MOVQ     R13, CX
	MOVL     $1, AX
	SHLL     CX, AX
	DECL     AX

whole:
	KMOVW    AX, K3
	VCMPP    $4, Z31, Z30, K3, K4 // and beta != 0
	VMULP.Z  (DI), Z30, K4, Z1
	VADDP    Z1, Z0, K4, Z0
	VMOVUP   Z0, K3, (DI)
	ADDQ     $(8*SIZE), DI
	MOVQ     DI, y+56(FP)
	MOVQ     lda+32(FP), AX
	LEAQ     (SI)(AX*8), SI
	SUBQ     $8, R13
	JGT      group
	VZEROUPPER
	RET
