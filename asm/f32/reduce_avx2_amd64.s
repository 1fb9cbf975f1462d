//go:build !noasm

// The reductions in AVX2.
//
// A turn adds four vectors, one to each of the four that hold the block's lanes. The
// last elements go to their own lanes the same way, two vectors at most under masks: a masked
// load gives zeros for the others and doesn't touch their memory, and a lane never is -0, so
// that adding a zero leaves it as it is. No more than two vectors in all are folded without the
// lanes that stay 0. Product and sum are rounded separately.
//
//	DI     the result
//	SI     the first operand
//	DX     the second operand
//	CX     elements left
//	Y0-Y3  the lanes
//	Y15    the mask that takes a sign away

#include "textflag.h"
#include "type_amd64.h"

#define VEC (32/SIZE) // elements in a vector

// 128 bytes of ones and 128 of zeros
DATA ·ones<>+0(SB)/8, $-1
DATA ·ones<>+8(SB)/8, $-1
DATA ·ones<>+16(SB)/8, $-1
DATA ·ones<>+24(SB)/8, $-1
DATA ·ones<>+32(SB)/8, $-1
DATA ·ones<>+40(SB)/8, $-1
DATA ·ones<>+48(SB)/8, $-1
DATA ·ones<>+56(SB)/8, $-1
DATA ·ones<>+64(SB)/8, $-1
DATA ·ones<>+72(SB)/8, $-1
DATA ·ones<>+80(SB)/8, $-1
DATA ·ones<>+88(SB)/8, $-1
DATA ·ones<>+96(SB)/8, $-1
DATA ·ones<>+104(SB)/8, $-1
DATA ·ones<>+112(SB)/8, $-1
DATA ·ones<>+120(SB)/8, $-1
GLOBL ·ones<>(SB), RODATA|NOPTR, $256

// Each reduction's line for the vector at byte o, which goes to the lanes in l, and
// the same under the mask m.

// l += x[i] * y[i]
#define DOT(l, v, o) \
	VMOVUP o(SI), v;    \
	VMULP  o(DX), v, v; \
	VADDP  v, l, l
#define DOT_MASKED(l, v, u, m, o) \
	VMASKMOVP o(SI), m, v; \
	VMASKMOVP o(DX), m, u; \
	VMULP     u, v, v;     \
	VADDP     v, l, l

// l += x[i]
#define SUM(l, v, o) \
	VADDP o(SI), l, l
#define SUM_MASKED(l, v, u, m, o) \
	VMASKMOVP o(SI), m, v; \
	VADDP     v, l, l

// l += |x[i]|
#define ASUM(l, v, o) \
	VANDPS o(SI), Y15, v; \
	VADDP  v, l, l
#define ASUM_MASKED(l, v, u, m, o) \
	VMASKMOVP o(SI), m, v; \
	VANDPS    v, Y15, v;   \
	VADDP     v, l, l

// CX = the bytes left, AX = their masks
#define MASKS \
	LEAQ (LANES*SIZE)(CX*SIZE), CX; \
	LEAQ ·ones<>+128(SB), AX;       \
	SUBQ CX, AX

#define REDUCE(OP, OP_MASKED) \
	VXORPS       Y0, Y0, Y0;        \
	VXORPS       Y1, Y1, Y1;        \
	VXORPS       Y2, Y2, Y2;        \
	VXORPS       Y3, Y3, Y3;        \
	SUBQ         $LANES, CX;        \
	JGE          turn;              \
	CMPQ         CX, $(2*VEC-LANES); \
	JGT          rest;              \
	MASKS;                          \
	CMPQ         CX, $32;           \
	JLE          few;               \
	OP(Y0, Y4, 0);                  \
	VMOVUPS      32(AX), Y9;        \
	OP_MASKED(Y1, Y5, Y13, Y9, 32); \
	JMP          two;               \
few:                                    \
	VMOVUPS      (AX), Y8;          \
	OP_MASKED(Y0, Y4, Y12, Y8, 0);  \
	JMP          one;               \
turn:                                   \
	OP(Y0, Y4, 0);                  \
	OP(Y1, Y5, 32);                 \
	OP(Y2, Y6, 64);                 \
	OP(Y3, Y7, 96);                 \
	ADDQ         $128, SI;          \
	ADDQ         $128, DX;          \
	SUBQ         $LANES, CX;        \
	JGE          turn;              \
rest:                                   \
	CMPQ         CX, $-LANES;       \
	JEQ          fold;              \
	MASKS;                          \
	CMPQ         CX, $64;           \
	JLE          half;              \
	OP(Y0, Y4, 0);                  \
	OP(Y1, Y5, 32);                 \
	VMOVUPS      64(AX), Y10;       \
	OP_MASKED(Y2, Y6, Y12, Y10, 64); \
	CMPQ         CX, $96;           \
	JLE          fold;              \
	VMOVUPS      96(AX), Y11;       \
	OP_MASKED(Y3, Y7, Y13, Y11, 96); \
	JMP          fold;              \
half:                                   \
	VMOVUPS      (AX), Y8;          \
	VMOVUPS      32(AX), Y9;        \
	OP_MASKED(Y0, Y4, Y12, Y8, 0);  \
	OP_MASKED(Y1, Y5, Y13, Y9, 32); \
fold:                                   \
	VADDP        Y2, Y0, Y0;        \
	VADDP        Y3, Y1, Y1;        \
two:                                    \
	VADDP        Y1, Y0, Y0;        \
one:                                    \
	VEXTRACTF128 $1, Y0, X1;        \
	VADDP        X1, X0, X0;        \
	VFOLD(X0, X1);                  \
	VMOVS        X0, (DI);          \
	VZEROUPPER;                     \
	RET

// func dotAVX2(r, x, y *T, n int)
TEXT ·dotAVX2(SB), NOSPLIT, $0-32
	MOVQ r+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ y+16(FP), DX
	MOVQ n+24(FP), CX
	REDUCE(DOT, DOT_MASKED)

// func sumAVX2(r, x *T, n int)
TEXT ·sumAVX2(SB), NOSPLIT, $0-24
	MOVQ r+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ n+16(FP), CX
	REDUCE(SUM, SUM_MASKED)

// func asumAVX2(r, x *T, n int)
TEXT ·asumAVX2(SB), NOSPLIT, $0-24
	MOVQ r+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ n+16(FP), CX
	VABSMASK(Y15)
	REDUCE(ASUM, ASUM_MASKED)
