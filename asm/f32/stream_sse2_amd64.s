//go:build !noasm

// The elementwise loops in SSE2, with plain and with streaming stores.
//
// A turn takes four vectors; what's left goes by single vectors, then by single elements.
// Operands needn't be aligned, so each is loaded before it's used.
//
// The streaming loops take whole cache lines and dst aligned to them: each turn
// stores one line past the caches, in one go, so that it isn't read first. Their
// stores are ordered before later ones by a fence at the end.
//
//	DI     dst, or y
//	SI     the first source
//	DX     the second source
//	CX     elements left
//	X0     the scalar, in all lanes

#include "textflag.h"
#include "type_amd64.h"

#define VEC (16/SIZE) // elements in a vector

// Each loop's line of arithmetic for the vector, or the element, at byte o; u is
// for the second operand.

// dst[i] = a * src[i]
#define SCALE(MUL, ADD, LOAD, STORE, v, u, o) \
	LOAD  o(SI), v; \
	MUL   X0, v;    \
	STORE v, o(DI)

// dst[i] = a[i] + b[i]
#define SUM(MUL, ADD, LOAD, STORE, v, u, o) \
	LOAD  o(SI), v; \
	LOAD  o(DX), u; \
	ADD   u, v;     \
	STORE v, o(DI)

// dst[i] = a[i] + s*b[i]
#define TRIAD(MUL, ADD, LOAD, STORE, v, u, o) \
	LOAD  o(DX), v; \
	MUL   X0, v;    \
	LOAD  o(SI), u; \
	ADD   u, v;     \
	STORE v, o(DI)

// y[i] += a * x[i]
#define AXPY(MUL, ADD, LOAD, STORE, v, u, o) \
	LOAD  o(SI), v; \
	MUL   X0, v;    \
	LOAD  o(DI), u; \
	ADD   u, v;     \
	STORE v, o(DI)

#define ADVANCE(bytes) \
	ADDQ $(bytes), SI; \
	ADDQ $(bytes), DX; \
	ADDQ $(bytes), DI

#define LINE(OP, STORE) \
	OP(MULP, ADDP, MOVUP, STORE, X1, X2, 0);  \
	OP(MULP, ADDP, MOVUP, STORE, X3, X4, 16); \
	OP(MULP, ADDP, MOVUP, STORE, X5, X6, 32); \
	OP(MULP, ADDP, MOVUP, STORE, X7, X8, 48)

#define LOOP(OP) \
	SUBQ $(4*VEC), CX;                       \
	JLT  vectors;                            \
turn:                                        \
	LINE(OP, MOVUP);                         \
	ADVANCE(64);                             \
	SUBQ $(4*VEC), CX;                       \
	JGE  turn;                               \
vectors:                                     \
	ADDQ $(3*VEC), CX;                       \
	JLT  elements;                           \
vector:                                      \
	OP(MULP, ADDP, MOVUP, MOVUP, X1, X2, 0); \
	ADVANCE(16);                             \
	SUBQ $VEC, CX;                           \
	JGE  vector;                             \
elements:                                    \
	ADDQ $VEC, CX;                           \
	JEQ  done;                               \
element:                                     \
	OP(MULS, ADDS, MOVS, MOVS, X1, X2, 0);   \
	ADVANCE(SIZE);                           \
	DECQ CX;                                 \
	JNE  element;                            \
done:                                        \
	RET

#define STREAM(OP) \
turn:                  \
	LINE(OP, MOVNTP);  \
	ADVANCE(64);       \
	SUBQ $(4*VEC), CX; \
	JGT  turn;         \
	SFENCE;            \
	RET

#define SCALE_ARGS \
	MOVQ   dst_base+0(FP), DI;  \
	MOVQ   dst_len+8(FP), CX;   \
	MOVS   a+24(FP), X0;        \
	MOVQ   src_base+32(FP), SI; \
	SPREAD(X0)

#define ADD_ARGS \
	MOVQ dst_base+0(FP), DI; \
	MOVQ dst_len+8(FP), CX;  \
	MOVQ a_base+24(FP), SI;  \
	MOVQ b_base+48(FP), DX

#define TRIAD_ARGS \
	MOVQ   dst_base+0(FP), DI; \
	MOVQ   dst_len+8(FP), CX;  \
	MOVQ   a_base+24(FP), SI;  \
	MOVS   s+48(FP), X0;       \
	MOVQ   b_base+56(FP), DX;  \
	SPREAD(X0)

// func scaleSSE2(dst []T, a T, src []T)
TEXT ·scaleSSE2(SB), NOSPLIT, $0-56
	SCALE_ARGS
	LOOP(SCALE)

// func addSSE2(dst, a, b []T)
TEXT ·addSSE2(SB), NOSPLIT, $0-72
	ADD_ARGS
	LOOP(SUM)

// func triadSSE2(dst, a []T, s T, b []T)
TEXT ·triadSSE2(SB), NOSPLIT, $0-80
	TRIAD_ARGS
	LOOP(TRIAD)

// func axpySSE2(a T, x, y []T)
TEXT ·axpySSE2(SB), NOSPLIT, $0-56
	MOVS   a+0(FP), X0
	MOVQ   x_base+8(FP), SI
	MOVQ   x_len+16(FP), CX
	MOVQ   y_base+32(FP), DI
	SPREAD(X0)
	LOOP(AXPY)

// func scaleStreamSSE2(dst []T, a T, src []T)
TEXT ·scaleStreamSSE2(SB), NOSPLIT, $0-56
	SCALE_ARGS
	STREAM(SCALE)

// func addStreamSSE2(dst, a, b []T)
TEXT ·addStreamSSE2(SB), NOSPLIT, $0-72
	ADD_ARGS
	STREAM(SUM)

// func triadStreamSSE2(dst, a []T, s T, b []T)
TEXT ·triadStreamSSE2(SB), NOSPLIT, $0-80
	TRIAD_ARGS
	STREAM(TRIAD)
