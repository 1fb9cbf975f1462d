//go:build !noasm

// The reductions in SSE2, and the product of rows and a vector.
//
// A turn adds eight vectors, one to each of the eight that hold the block's lanes. The last
// elements are whole vectors, and one with less in it and zeros: a lane never is -0, so that
// adding a zero leaves it as it is. Operands needn't be aligned, so each is loaded before it's
// used.
//
//	DI     the result
//	SI     the first operand
//	DX     the second operand
//	CX     elements left
//	BX     those that don't fill a vector, R8 the bytes before them
//	X0-X7  the lanes
//	X12    what BX elements add
//	X15    the mask that takes a sign away

#include "textflag.h"
#include "type_amd64.h"

#define VEC (16/SIZE) // elements in a vector

// Each reduction's line for the vector at byte o, which goes to the lanes in l, and the same for
// the last BX elements, which stay in X12.

// l += x[i] * y[i]
#define DOT(l, v, u, o) \
	MOVUP o(SI), v; \
	MOVUP o(DX), u; \
	MULP  u, v;     \
	ADDP  v, l
#define DOT_FEW \
	FEW(SI, X12, X8, one, two); \
	FEW(DX, X9, X8, three, four); \
	MULP X9, X12

// l += x[i]
#define SUM(l, v, u, o) \
	MOVUP o(SI), v; \
	ADDP  v, l
#define SUM_FEW \
	FEW(SI, X12, X8, one, two)

// l += |x[i]|
#define ASUM(l, v, u, o) \
	MOVUP o(SI), v; \
	ANDPS X15, v;   \
	ADDP  v, l
#define ASUM_FEW \
	FEW(SI, X12, X8, one, two); \
	ANDPS X15, X12

// A vector of the last elements, unless there's less than one left.
#define REST(OP, l, v, u, o, last) \
	CMPQ CX, $VEC;  \
	JLT  last;      \
	OP(l, v, u, o); \
	SUBQ $VEC, CX
#define LAST(last, l) \
last:                 \
	ADDP X12, l;  \
	JMP  fold

// X0 = the sum
#define REDUCE(OP, OP_FEW) \
	XORPS   X0, X0;                         \
	XORPS   X1, X1;                         \
	XORPS   X2, X2;                         \
	XORPS   X3, X3;                         \
	XORPS   X4, X4;                         \
	XORPS   X5, X5;                         \
	XORPS   X6, X6;                         \
	XORPS   X7, X7;                         \
	SUBQ    $LANES, CX;                     \
	JLT     rest;                           \
turn:                                           \
	OP(X0, X8, X9, 0);                      \
	OP(X1, X10, X11, 16);                   \
	OP(X2, X8, X9, 32);                     \
	OP(X3, X10, X11, 48);                   \
	OP(X4, X8, X9, 64);                     \
	OP(X5, X10, X11, 80);                   \
	OP(X6, X8, X9, 96);                     \
	OP(X7, X10, X11, 112);                  \
	ADDQ    $128, SI;                       \
	ADDQ    $128, DX;                       \
	SUBQ    $LANES, CX;                     \
	JGE     turn;                           \
rest:                                           \
	ADDQ    $LANES, CX;                     \
	JEQ     fold;                           \
	XORPS   X12, X12;                       \
	MOVQ    CX, R8;                         \
	ANDQ    $-VEC, R8;                      \
	SHLQ    $SHIFT, R8;                     \
	MOVQ    CX, BX;                         \
	ANDQ    $(VEC-1), BX;                   \
	JEQ     vectors;                        \
	OP_FEW;                                 \
vectors:                                        \
	REST(OP, X0, X8, X9, 0, last0);         \
	REST(OP, X1, X10, X11, 16, last1);      \
	REST(OP, X2, X8, X9, 32, last2);        \
	REST(OP, X3, X10, X11, 48, last3);      \
	REST(OP, X4, X8, X9, 64, last4);        \
	REST(OP, X5, X10, X11, 80, last5);      \
	REST(OP, X6, X8, X9, 96, last6);        \
	LAST(last7, X7);                        \
	LAST(last6, X6);                        \
	LAST(last5, X5);                        \
	LAST(last4, X4);                        \
	LAST(last3, X3);                        \
	LAST(last2, X2);                        \
	LAST(last1, X1);                        \
	LAST(last0, X0);                        \
fold:                                           \
	ADDP    X4, X0;                    \
	ADDP    X5, X1;                    \
	ADDP    X6, X2;                    \
	ADDP    X7, X3;                    \
	ADDP    X2, X0;                    \
	ADDP    X3, X1;                    \
	ADDP    X1, X0;                    \
	FOLD(X0, X1)
#define RESULT \
	MOVS X0, (DI); \
	RET

// func dotSSE2(r, x, y *T, n int)
TEXT ·dotSSE2(SB), NOSPLIT, $0-32
	MOVQ r+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ y+16(FP), DX
	MOVQ n+24(FP), CX
	REDUCE(DOT, DOT_FEW)
	RESULT

// func sumSSE2(r, x *T, n int)
TEXT ·sumSSE2(SB), NOSPLIT, $0-24
	MOVQ r+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ n+16(FP), CX
	REDUCE(SUM, SUM_FEW)
	RESULT

// func asumSSE2(r, x *T, n int)
TEXT ·asumSSE2(SB), NOSPLIT, $0-24
	MOVQ r+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ n+16(FP), CX
	ABSMASK(X15)
	REDUCE(ASUM, ASUM_FEW)
	RESULT

// func gemvRowsSSE2(m, n int, alpha T, a *T, lda int, x *T, beta T, y *T)
//
// Each row is a dot.
TEXT ·gemvRowsSSE2(SB), NOSPLIT, $0-64
	MOVQ     m+0(FP), R13
	MOVQ     a+24(FP), R9
	MOVQ     lda+32(FP), R10
	MOVQ     y+56(FP), DI
	MOVS     alpha+16(FP), X13
	MOVS     beta+48(FP), X14
	SHLQ     $SHIFT, R10
	XORPS    X0, X0
	MOVAPS   X14, X1
	CMPPS    X0, X1, $4 // the halves of a float64 tell too
	MOVMSKPS X1, R12    // 0 if beta is

row:
	MOVQ R9, SI
	MOVQ x+40(FP), DX
	MOVQ n+8(FP), CX
	REDUCE(DOT, DOT_FEW)
	MULS  X13, X0
	TESTL R12, R12
	JEQ   store
	MOVS  (DI), X1
	MULS  X14, X1
	ADDS  X1, X0

store:
	MOVS X0, (DI)
	ADDQ $SIZE, DI
	ADDQ R10, R9
	DECQ R13
	JNE  row
	RET
