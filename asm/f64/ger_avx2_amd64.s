//go:build !noasm

// The outer product in AVX2: A += alpha*x*y'.
//
// A row of up to four vectors is vectors that may share elements: all are loaded before one is
// stored, so that a shared element gets the same sum twice. Masks wouldn't do: a masked store is
// slow, and the next row would wait until one over its place is in the cache.
//
//	CX     rows left
//	SI     x, R8 from one element to the next
//	DX     y
//	DI     a row of A, R9 from one to the next
//	R10    bytes from the beginning of a row to the last vector, R11 to the last but one
//	AX     bytes from the beginning of a row
//	X15    alpha

#include "textflag.h"
#include "type_amd64.h"

// c = alpha * x[i], in all lanes
#define COEFFICIENT(c) \
	VMULS       (SI), X15, X4; \
	VBROADCASTS X4, c;         \
	ADDQ        R8, SI

// Rows of two vectors, which begin with y0 and end with y1.
#define ROWS(row, y0, y1, c, t0, t1) \
	VMOVUP (DX), y0;             \
	VMOVUP (DX)(R10*1), y1;      \
row:                                 \
	COEFFICIENT(Y5);             \
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

// func gerAVX2(m, n int, alpha T, x *T, incX int, y, a *T, lda int)
TEXT ·gerAVX2(SB), NOSPLIT, $0-64
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
	LEAQ  -16(AX), R10
	CMPQ  AX, $16
	JLT   few
	CMPQ  AX, $32
	JLT   halves
	LEAQ  -32(AX), R10
	CMPQ  AX, $64
	JLE   two
	LEAQ  -64(AX), R11
	CMPQ  AX, $128
	JGT   long
	VMOVUP (DX), Y0
	VMOVUP 32(DX), Y1
	VMOVUP (DX)(R11*1), Y2
	VMOVUP (DX)(R10*1), Y3

four:
	COEFFICIENT(Y5)
	VMULP  Y0, Y5, Y6
	VMULP  Y1, Y5, Y7
	VMULP  Y2, Y5, Y8
	VMULP  Y3, Y5, Y9
	VADDP  (DI), Y6, Y6
	VADDP  32(DI), Y7, Y7
	VADDP  (DI)(R11*1), Y8, Y8
	VADDP  (DI)(R10*1), Y9, Y9
	VMOVUP Y6, (DI)
	VMOVUP Y7, 32(DI)
	VMOVUP Y8, (DI)(R11*1)
	VMOVUP Y9, (DI)(R10*1)
	ADDQ   R9, DI
	DECQ   CX
	JNE    four
	VZEROUPPER
	RET

two:
	ROWS(row, Y0, Y1, Y5, Y2, Y3)

halves:
	ROWS(half, X0, X1, X5, X2, X3)

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

long:  // four vectors and more
	COEFFICIENT(Y5)
	VMULP (DX)(R10*1), Y5, Y1
	VADDP (DI)(R10*1), Y1, Y1
	XORL  AX, AX

vector:
	VMULP  (DX)(AX*1), Y5, Y0
	VADDP  (DI)(AX*1), Y0, Y0
	VMOVUP Y0, (DI)(AX*1)
	ADDQ   $32, AX
	CMPQ   AX, R10
	JLT    vector
	VMOVUP Y1, (DI)(R10*1)
	ADDQ   R9, DI
	DECQ   CX
	JNE    long
	VZEROUPPER
	RET
