//go:build !noasm

// The outer product in SSE2: A += alpha*x*y'.
//
// A row's last vector may share elements with the one before: it's added to before that is
// stored, so that a shared element gets the same sum twice.
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

// X5 = alpha * x[i], in all lanes
#define COEFFICIENT \
	MOVS (SI), X5;  \
	MULS X15, X5;   \
	SPREAD(X5);     \
	ADDQ R8, SI

// func gerSSE2(m, n int, alpha T, x *T, incX int, y, a *T, lda int)
TEXT ·gerSSE2(SB), NOSPLIT, $0-64
	MOVQ m+0(FP), CX
	MOVQ n+8(FP), R10
	MOVS alpha+16(FP), X15
	MOVQ x+24(FP), SI
	MOVQ incX+32(FP), R8
	MOVQ y+40(FP), DX
	MOVQ a+48(FP), DI
	MOVQ lda+56(FP), R9
	SHLQ $SHIFT, R10
	SHLQ $SHIFT, R8
	SHLQ $SHIFT, R9
	SUBQ $16, R10
	JLT  few

row:
	COEFFICIENT
	MOVUP (DX)(R10*1), X1
	MULP  X5, X1
	MOVUP (DI)(R10*1), X2
	ADDP  X2, X1
	XORL  AX, AX
	TESTQ R10, R10
	JEQ   last

vector:
	MOVUP (DX)(AX*1), X0
	MULP  X5, X0
	MOVUP (DI)(AX*1), X2
	ADDP  X2, X0
	MOVUP X0, (DI)(AX*1)
	ADDQ  $16, AX
	CMPQ  AX, R10
	JLT   vector

last:
	MOVUP X1, (DI)(R10*1)
	ADDQ  R9, DI
	DECQ  CX
	JNE   row
	RET

few:  // elements, from the last one on
	COEFFICIENT
	MOVQ R10, AX

element:
	MOVS (16-SIZE)(DX)(AX*1), X0
	MULS X5, X0
	MOVS (16-SIZE)(DI)(AX*1), X2
	ADDS X2, X0
	MOVS X0, (16-SIZE)(DI)(AX*1)
	SUBQ $SIZE, AX
	CMPQ AX, $-16
	JNE  element
	ADDQ R9, DI
	DECQ CX
	JNE  few
	RET
