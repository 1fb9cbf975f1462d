//go:build !noasm

// The reductions in AVX-512.
//
// A turn adds four vectors, two in turn to each of the two that hold the block's lanes. The
// last elements go to their own lanes the same way, under masks: a masked load gives
// zeros for the others and doesn't touch their memory, and a lane never is -0, so that
// adding a zero leaves it as it is. Product and sum are rounded separately.
//
// No more elements than lanes are their lanes, but that a lane isn't -0: which only shows if all
// are, and then the sum's zero makes it +0.
//
//	DI     the result
//	SI     the first operand
//	DX     the second operand
//	CX     elements left
//	Z0-Z1  the lanes
//	Z15    the mask that takes a sign away
//	K1-K2  the masks of the last elements

#include "textflag.h"
#include "type_amd64.h"

// Each reduction's line for the vector at byte o, which goes to the lanes in l, and what's added
// to them under the mask k.

// l += x[i] * y[i]
#define DOT(l, v, o) \
	VMOVUP o(SI), v;    \
	VMULP  o(DX), v, v; \
	VADDP  v, l, l
#define DOT_MASKED(v, k, o) \
	VMOVUP.Z o(SI), k, v; \
	VMULP.Z  o(DX), v, k, v

// l += x[i]
#define SUM(l, v, o) \
	VADDP o(SI), l, l
#define SUM_MASKED(v, k, o) \
	VMOVUP.Z o(SI), k, v

// l += |x[i]|
#define ASUM(l, v, o) \
	VPANDQ o(SI), Z15, v; \
	VADDP  v, l, l
#define ASUM_MASKED(v, k, o) \
	VMOVUP.Z o(SI), k, v; \
	VPANDQ   v, Z15, v

// K1 = the lowest CX bits
#define MASK \
	MOVQ  $-1, AX; \
	SHLQ  CX, AX;  \
	NOTQ  AX;      \
	KMOVW AX, K1

// K2 = the bits of the second vector
#define MASK2 \
	SHRQ  $(LANES/2), AX; \
	KMOVW AX, K2

#define REDUCE(OP, OP_MASKED) \
	CMPQ          CX, $LANES;     \
	JLE           short;          \
	VPXORQ        Z0, Z0, Z0;     \
	VPXORQ        Z1, Z1, Z1;     \
	SUBQ          $(2*LANES), CX; \
	JLT           lanes;          \
	PCALIGN       $64;            \
turn:                                 \
	OP(Z0, Z2, 0);                \
	OP(Z1, Z3, 64);               \
	OP(Z0, Z4, 128);              \
	OP(Z1, Z5, 192);              \
	ADDQ          $256, SI;       \
	ADDQ          $256, DX;       \
	SUBQ          $(2*LANES), CX; \
	JGE           turn;           \
lanes:                                \
	ADDQ          $LANES, CX;     \
	JLT           rest;           \
	OP(Z0, Z2, 0);                \
	OP(Z1, Z3, 64);               \
	ADDQ          $128, SI;       \
	ADDQ          $128, DX;       \
	SUBQ          $LANES, CX;     \
rest:                                 \
	ADDQ          $LANES, CX;     \
	JEQ           fold;           \
	MASK;                         \
	MASK2;                        \
	OP_MASKED(Z2, K1, 0);         \
	OP_MASKED(Z3, K2, 64);        \
	VADDP         Z2, Z0, Z0;     \
	VADDP         Z3, Z1, Z1;     \
	JMP           fold;           \
short:                                \
	MASK;                         \
	OP_MASKED(Z0, K1, 0);         \
	VPXORQ        Z1, Z1, Z1;     \
	CMPQ          CX, $(LANES/2); \
	JLE           fold;           \
	VADDP         Z1, Z0, Z0;     \
	MASK2;                        \
	OP_MASKED(Z1, K2, 64);        \
fold:                                 \
	VADDP         Z1, Z0, Z0;     \
	VEXTRACTF64X4 $1, Z0, Y1;     \
	VADDP         Y1, Y0, Y0;     \
	VEXTRACTF128  $1, Y0, X1;     \
	VADDP         X1, X0, X0;     \
	VFOLD(X0, X1);                \
	VMOVS         X0, (DI);       \
	VZEROUPPER;                   \
	RET

// func dotAVX512(r, x, y *T, n int)
TEXT ·dotAVX512(SB), NOSPLIT, $0-32
	MOVQ r+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ y+16(FP), DX
	MOVQ n+24(FP), CX
	REDUCE(DOT, DOT_MASKED)

// func sumAVX512(r, x *T, n int)
TEXT ·sumAVX512(SB), NOSPLIT, $0-24
	MOVQ r+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ n+16(FP), CX
	REDUCE(SUM, SUM_MASKED)

// func asumAVX512(r, x *T, n int)
TEXT ·asumAVX512(SB), NOSPLIT, $0-24
	MOVQ r+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ n+16(FP), CX
	ZABSMASK(Z15)
	REDUCE(ASUM, ASUM_MASKED)
