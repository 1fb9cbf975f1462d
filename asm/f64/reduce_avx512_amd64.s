//go:build !noasm

// The reductions in AVX-512.
//
// A turn adds four vectors, two in turn to each of the two that hold the block's lanes. The
// last elements go to their own lanes the same way, under masks: a masked load gives
// zeros for the others and doesn't touch their memory, and a lane never is -0, so that
// adding a zero leaves it as it is. Product and sum are rounded separately.
//
//	DI     results
//	SI     the first operand
//	DX     the second operand
//	CX     elements left behind this block
//	BX     elements left in this block
//	Z0-Z1  the lanes
//	Z15    the mask that takes a sign away
//	K1-K2  the masks of the last elements

#include "textflag.h"
#include "type_amd64.h"

// Each reduction's line for the vector at byte o, which goes to the lanes in l, and
// the same under the mask k.

// l += x[i] * y[i]
#define DOT(l, v, o) \
	VMOVUP o(SI), v;    \
	VMULP  o(DX), v, v; \
	VADDP  v, l, l
#define DOT_MASKED(l, v, k, o) \
	VMOVUP.Z o(SI), k, v;    \
	VMULP.Z  o(DX), v, k, v; \
	VADDP    v, l, l

// l += x[i]
#define SUM(l, v, o) \
	VADDP o(SI), l, l
#define SUM_MASKED(l, v, k, o) \
	VMOVUP.Z o(SI), k, v; \
	VADDP    v, l, l

// l += |x[i]|
#define ASUM(l, v, o) \
	VPANDQ o(SI), Z15, v; \
	VADDP  v, l, l
#define ASUM_MASKED(l, v, k, o) \
	VMOVUP.Z o(SI), k, v; \
	VPANDQ   v, Z15, v;   \
	VADDP    v, l, l

#define REDUCE(OP, OP_MASKED) \
block:                                \
	MOVQ          $4096, BX;      \
	CMPQ          CX, BX;         \
	CMOVQLT       CX, BX;         \
	SUBQ          BX, CX;         \
	VPXORQ        Z0, Z0, Z0;     \
	VPXORQ        Z1, Z1, Z1;     \
	SUBQ          $(2*LANES), BX; \
	JLT           lanes;          \
	PCALIGN       $64;            \
turn:                                 \
	OP(Z0, Z2, 0);                \
	OP(Z1, Z3, 64);               \
	OP(Z0, Z4, 128);              \
	OP(Z1, Z5, 192);              \
	ADDQ          $256, SI;       \
	ADDQ          $256, DX;       \
	SUBQ          $(2*LANES), BX; \
	JGE           turn;           \
lanes:                                \
	ADDQ          $LANES, BX;     \
	JLT           rest;           \
	OP(Z0, Z2, 0);                \
	OP(Z1, Z3, 64);               \
	ADDQ          $128, SI;       \
	ADDQ          $128, DX;       \
	SUBQ          $LANES, BX;     \
rest:                                 \
	ADDQ          $LANES, BX;     \
	JEQ           fold;           \
	MOVQ          CX, R8;         \
	MOVQ          BX, CX;         \
	MOVL          $1, AX;         \
	SHLQ          CX, AX;         \
	DECQ          AX;             \
	MOVQ          R8, CX;         \
	KMOVW         AX, K1;         \
	SHRQ          $(LANES/2), AX; \
	KMOVW         AX, K2;         \
	OP_MASKED(Z0, Z2, K1, 0);     \
	OP_MASKED(Z1, Z3, K2, 64);    \
fold:                                 \
	VADDP         Z1, Z0, Z0;     \
	VEXTRACTF64X4 $1, Z0, Y1;     \
	VADDP         Y1, Y0, Y0;     \
	VEXTRACTF128  $1, Y0, X1;     \
	VADDP         X1, X0, X0;     \
	VFOLD(X0, X1);                \
	VMOVS         X0, (DI);       \
	ADDQ          $SIZE, DI;      \
	TESTQ         CX, CX;         \
	JNE           block;          \
	VZEROUPPER;                   \
	RET

// func dotAVX512(r *results, x, y []T)
TEXT ·dotAVX512(SB), NOSPLIT, $0-56
	MOVQ r+0(FP), DI
	MOVQ x_base+8(FP), SI
	MOVQ x_len+16(FP), CX
	MOVQ y_base+32(FP), DX
	REDUCE(DOT, DOT_MASKED)

// func sumAVX512(r *results, x []T)
TEXT ·sumAVX512(SB), NOSPLIT, $0-32
	MOVQ r+0(FP), DI
	MOVQ x_base+8(FP), SI
	MOVQ x_len+16(FP), CX
	REDUCE(SUM, SUM_MASKED)

// func asumAVX512(r *results, x []T)
TEXT ·asumAVX512(SB), NOSPLIT, $0-32
	MOVQ r+0(FP), DI
	MOVQ x_base+8(FP), SI
	MOVQ x_len+16(FP), CX
	ZABSMASK(Z15)
	REDUCE(ASUM, ASUM_MASKED)
