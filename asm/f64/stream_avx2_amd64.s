//go:build !noasm

// The elementwise loops in AVX2, with plain and with streaming stores.
//
// A turn takes four vectors, which hides the loop's own instructions behind its loads and
// stores. What's left goes by single vectors, then by single elements. Product and
// sum are rounded separately, as in the plain loops: no FMA. The streaming loops are as in SSE2,
// with a line in two stores.
//
//	DI     dst, or y
//	SI     the first source
//	DX     the second source
//	CX     elements left
//	Y0     the scalar, in all lanes

#include "textflag.h"
#include "type_amd64.h"
#include "stream_avx_amd64.h"

#define VEC (32/SIZE) // elements in a vector

#define LOOP(OP) \
	SUBQ $(4*VEC), CX;                          \
	JLT  vectors;                               \
turn:                                           \
	OP(VMULP, VADDP, VMOVUP, VMOVUP, Y0, Y1, 0); \
	OP(VMULP, VADDP, VMOVUP, VMOVUP, Y0, Y2, 32); \
	OP(VMULP, VADDP, VMOVUP, VMOVUP, Y0, Y3, 64); \
	OP(VMULP, VADDP, VMOVUP, VMOVUP, Y0, Y4, 96); \
	ADVANCE(128);                               \
	SUBQ $(4*VEC), CX;                          \
	JGE  turn;                                  \
vectors:                                        \
	ADDQ $(3*VEC), CX;                          \
	JLT  elements;                              \
vector:                                         \
	OP(VMULP, VADDP, VMOVUP, VMOVUP, Y0, Y1, 0); \
	ADVANCE(32);                                \
	SUBQ $VEC, CX;                              \
	JGE  vector;                                \
elements:                                       \
	VZEROUPPER;                                 \
	ADDQ $VEC, CX;                              \
	JEQ  done;                                  \
element:                                        \
	OP(VMULS, VADDS, VMOVS, VMOVS, X0, X1, 0);  \
	ADVANCE(SIZE);                              \
	DECQ CX;                                    \
	JNE  element;                               \
done:                                           \
	RET

#define STREAM(OP) \
turn:                                                  \
	OP(VMULP, VADDP, VMOVUP, VMOVNTP, Y0, Y1, 0);  \
	OP(VMULP, VADDP, VMOVUP, VMOVNTP, Y0, Y2, 32); \
	ADVANCE(64);                                   \
	SUBQ $(2*VEC), CX;                             \
	JGT  turn;                                     \
	SFENCE;                                        \
	VZEROUPPER;                                    \
	RET

// func scaleAVX2(dst []T, a T, src []T)
TEXT ·scaleAVX2(SB), NOSPLIT, $0-56
	SCALE_ARGS(Y0)
	LOOP(SCALE)

// func addAVX2(dst, a, b []T)
TEXT ·addAVX2(SB), NOSPLIT, $0-72
	ADD_ARGS
	LOOP(SUM)

// func triadAVX2(dst, a []T, s T, b []T)
TEXT ·triadAVX2(SB), NOSPLIT, $0-80
	TRIAD_ARGS(Y0)
	LOOP(TRIAD)

// func axpyAVX2(a T, x, y []T)
TEXT ·axpyAVX2(SB), NOSPLIT, $0-56
	VBROADCASTS a+0(FP), Y0
	MOVQ        x_base+8(FP), SI
	MOVQ        x_len+16(FP), CX
	MOVQ        y_base+32(FP), DI
	LOOP(AXPY)

// func scaleStreamAVX2(dst []T, a T, src []T)
TEXT ·scaleStreamAVX2(SB), NOSPLIT, $0-56
	SCALE_ARGS(Y0)
	STREAM(SCALE)

// func addStreamAVX2(dst, a, b []T)
TEXT ·addStreamAVX2(SB), NOSPLIT, $0-72
	ADD_ARGS
	STREAM(SUM)

// func triadStreamAVX2(dst, a []T, s T, b []T)
TEXT ·triadStreamAVX2(SB), NOSPLIT, $0-80
	TRIAD_ARGS(Y0)
	STREAM(TRIAD)
