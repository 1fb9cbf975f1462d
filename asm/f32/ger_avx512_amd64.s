//go:build !noasm

// The outer product in AVX-512: A += alpha*x*y'.
//
// A row of less than two vectors is two that may share elements, or is one: both are loaded
// before either is stored, so that a shared element gets the same sum twice. Masks wouldn't do:
// the next row would wait until a masked store over its place is in the cache.
//
//	CX     rows left
//	SI     x, R8 from one element to the next
//	DX     y
//	DI     a row of A, R9 from one to the next
//	R10    bytes from the beginning of a row to the last vector
//	AX     bytes from the beginning of a row
//	X15    alpha

#include "textflag.h"
#include "type_amd64.h"

#define VEC (64/SIZE) // elements in a vector

// c = alpha * x[i], in all lanes
#define COEFFICIENT(c) \
	VMULS       (SI), X15, X4; \
	VBROADCASTS X4, c;         \
	ADDQ        R8, SI

#define ROWS(row, y0, y1, all, c, t0, t1) \
	VMOVUP (DX), y0;             \
	VMOVUP (DX)(R10*1), y1;      \
row:                                 \
	COEFFICIENT(all);            \
	VMULP  y0, c, t0;            \
	VMULP  y1, c, t1;            \
	VADDP  (DI), t0, t0;         \
	VADDP  (DI)(R10*1), t1, t1;  \
	VMOVUP t0, (DI);             \
	VMOVUP t1, (DI)(R10*1);      \
	ADDQ   R9, DI;               \
	DECQ   CX;                   \
	JNE    row;                  \
	VZEROUPPER;                  \
	RET

// R10 = where the last vector of so many bytes lies
#define LAST(bytes) \
	LEAQ -bytes(AX), R10

// func gerAVX512(m, n int, alpha T, x *T, incX int, y, a *T, lda int)
TEXT ·gerAVX512(SB), NOSPLIT, $0-64
	MOVQ  m+0(FP), CX
	MOVQ  n+8(FP), AX
	VMOVS alpha+16(FP), X15
	MOVQ  x+24(FP), SI
	MOVQ  incX+32(FP), R8
	MOVQ  y+40(FP), DX
	MOVQ  a+48(FP), DI
	MOVQ  lda+56(FP), R9
	SHLQ  $SHIFT, AX
	SHLQ  $SHIFT, R8
	SHLQ  $SHIFT, R9
	CMPQ  AX, $16
	JLT   few
	CMPQ  AX, $32
	JLT   quarters
	CMPQ  AX, $64
	JLT   halves
	LAST(64)
	CMPQ  AX, $128
	JGE   long
	ROWS(vectors, Z0, Z1, Z5, Z5, Z2, Z3)

halves:
	LAST(32)
	ROWS(half, Y0, Y1, Y5, Y5, Y2, Y3)

quarters:
	LAST(16)
	ROWS(quarter, X0, X1, Y5, X5, X2, X3)

few:  // elements, from the last one on
	COEFFICIENT(Y5)
	MOVQ AX, R11

element:
	VMULS -SIZE(DX)(R11*1), X5, X0
	VADDS -SIZE(DI)(R11*1), X0, X0
	VMOVS X0, -SIZE(DI)(R11*1)
	SUBQ  $SIZE, R11
	JNE   element
	ADDQ  R9, DI
	DECQ  CX
	JNE   few
	VZEROUPPER
	RET

long:  // two vectors and more
	COEFFICIENT(Z5)
	VMULP (DX)(R10*1), Z5, Z1
	VADDP (DI)(R10*1), Z1, Z1
	XORL  AX, AX

vector:
	VMULP  (DX)(AX*1), Z5, Z0
	VADDP  (DI)(AX*1), Z0, Z0
	VMOVUP Z0, (DI)(AX*1)
	ADDQ   $64, AX
	CMPQ   AX, R10
	JLT    vector
	VMOVUP Z1, (DI)(R10*1)
	ADDQ   R9, DI
	DECQ   CX
	JNE    long
	VZEROUPPER
	RET
