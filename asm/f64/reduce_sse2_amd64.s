//go:build !noasm

// The reductions in SSE2.
//
// A turn adds eight vectors, one to each of the eight that hold the block's lanes. For
// the last elements the lanes go to the stack, where each takes its element, and
// come back. Operands needn't be aligned, so each is loaded before it's used.
//
//	DI     the result
//	SI     the first operand
//	DX     the second operand
//	CX     elements left
//	X0-X7  the lanes
//	X15    the mask that takes a sign away

#include "textflag.h"
#include "type_amd64.h"

// Each reduction's line for the vector, or the element, at o, which goes to l.

// l += x[i] * y[i]
#define DOT(LOAD, MUL, ADD, l, v, u, o) \
	LOAD o(SI), v; \
	LOAD o(DX), u; \
	MUL  u, v;     \
	ADD  v, l

// l += x[i]
#define SUM(LOAD, MUL, ADD, l, v, u, o) \
	LOAD o(SI), v; \
	ADD  v, l

// l += |x[i]|
#define ASUM(LOAD, MUL, ADD, l, v, u, o) \
	LOAD  o(SI), v; \
	ANDPS X15, v;   \
	ADD   v, l

#define REDUCE(OP) \
	XORPS   X0, X0;                    \
	XORPS   X1, X1;                    \
	XORPS   X2, X2;                    \
	XORPS   X3, X3;                    \
	XORPS   X4, X4;                    \
	XORPS   X5, X5;                    \
	XORPS   X6, X6;                    \
	XORPS   X7, X7;                    \
	SUBQ    $LANES, CX;                \
	JLT     rest;                      \
turn:                                      \
	OP(MOVUP, MULP, ADDP, X0, X8, X9, 0);    \
	OP(MOVUP, MULP, ADDP, X1, X10, X11, 16); \
	OP(MOVUP, MULP, ADDP, X2, X8, X9, 32);   \
	OP(MOVUP, MULP, ADDP, X3, X10, X11, 48); \
	OP(MOVUP, MULP, ADDP, X4, X8, X9, 64);   \
	OP(MOVUP, MULP, ADDP, X5, X10, X11, 80); \
	OP(MOVUP, MULP, ADDP, X6, X8, X9, 96);   \
	OP(MOVUP, MULP, ADDP, X7, X10, X11, 112); \
	ADDQ    $128, SI;                  \
	ADDQ    $128, DX;                  \
	SUBQ    $LANES, CX;                \
	JGE     turn;                      \
rest:                                      \
	ADDQ    $LANES, CX;                \
	JEQ     fold;                      \
	MOVUPS  X0, 0(SP);                 \
	MOVUPS  X1, 16(SP);                \
	MOVUPS  X2, 32(SP);                \
	MOVUPS  X3, 48(SP);                \
	MOVUPS  X4, 64(SP);                \
	MOVUPS  X5, 80(SP);                \
	MOVUPS  X6, 96(SP);                \
	MOVUPS  X7, 112(SP);               \
	MOVQ    SP, AX;                    \
element:                                   \
	MOVS    (AX), X0;                  \
	OP(MOVS, MULS, ADDS, X0, X8, X9, 0); \
	MOVS    X0, (AX);                  \
	ADDQ    $SIZE, AX;                 \
	ADDQ    $SIZE, SI;                 \
	ADDQ    $SIZE, DX;                 \
	DECQ    CX;                        \
	JNE     element;                   \
	MOVUPS  0(SP), X0;                 \
	MOVUPS  16(SP), X1;                \
	MOVUPS  32(SP), X2;                \
	MOVUPS  48(SP), X3;                \
	MOVUPS  64(SP), X4;                \
	MOVUPS  80(SP), X5;                \
	MOVUPS  96(SP), X6;                \
	MOVUPS  112(SP), X7;               \
fold:                                      \
	ADDP    X4, X0;                    \
	ADDP    X5, X1;                    \
	ADDP    X6, X2;                    \
	ADDP    X7, X3;                    \
	ADDP    X2, X0;                    \
	ADDP    X3, X1;                    \
	ADDP    X1, X0;                    \
	FOLD(X0, X1);                      \
	MOVS    X0, (DI);                  \
	RET

// func dotSSE2(r, x, y *T, n int)
TEXT ·dotSSE2(SB), NOSPLIT, $128-32
	MOVQ r+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ y+16(FP), DX
	MOVQ n+24(FP), CX
	REDUCE(DOT)

// func sumSSE2(r, x *T, n int)
TEXT ·sumSSE2(SB), NOSPLIT, $128-24
	MOVQ r+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ n+16(FP), CX
	REDUCE(SUM)

// func asumSSE2(r, x *T, n int)
TEXT ·asumSSE2(SB), NOSPLIT, $128-24
	MOVQ r+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ n+16(FP), CX
	ABSMASK(X15)
	REDUCE(ASUM)
