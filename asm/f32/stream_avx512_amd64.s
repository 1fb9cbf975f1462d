//go:build !noasm

// The elementwise loops in AVX-512.
//
// A turn takes four vectors; what's left goes by single vectors, and the last elements
// by one vector under a mask, which neither reads nor writes beyond them. Product and
// sum are rounded separately, as in the plain loops: no FMA.
//
//	DI     dst, or y
//	SI     the first source
//	DX     the second source
//	CX     elements left
//	Z0     the scalar, in all lanes
//	K1     the mask of the last elements

#include "textflag.h"
#include "type_amd64.h"

#define VEC (64/SIZE) // elements in a vector

// Each loop's line of arithmetic for the vector at byte o, and for the first
// elements of a vector under the mask.

// dst[i] = a * src[i]
#define SCALE(v, o) \
	VMULP  o(SI), Z0, v; \
	VMOVUP v, o(DI)
#define SCALE_MASKED \
	VMOVUP.Z (SI), K1, Z1; \
	VMULP    Z1, Z0, Z1;   \
	VMOVUP   Z1, K1, (DI)

// dst[i] = a[i] + b[i]
#define SUM(v, o) \
	VMOVUP o(SI), v;    \
	VADDP  o(DX), v, v; \
	VMOVUP v, o(DI)
#define SUM_MASKED \
	VMOVUP.Z (SI), K1, Z1; \
	VMOVUP.Z (DX), K1, Z2; \
	VADDP    Z2, Z1, Z1;   \
	VMOVUP   Z1, K1, (DI)

// dst[i] = a[i] + s*b[i]
#define TRIAD(v, o) \
	VMULP  o(DX), Z0, v; \
	VADDP  o(SI), v, v;  \
	VMOVUP v, o(DI)
#define TRIAD_MASKED \
	VMOVUP.Z (DX), K1, Z1; \
	VMULP    Z1, Z0, Z1;   \
	VMOVUP.Z (SI), K1, Z2; \
	VADDP    Z2, Z1, Z1;   \
	VMOVUP   Z1, K1, (DI)

// y[i] += a * x[i]
#define AXPY(v, o) \
	VMULP  o(SI), Z0, v; \
	VADDP  o(DI), v, v;  \
	VMOVUP v, o(DI)
#define AXPY_MASKED \
	VMOVUP.Z (SI), K1, Z1; \
	VMULP    Z1, Z0, Z1;   \
	VMOVUP.Z (DI), K1, Z2; \
	VADDP    Z2, Z1, Z1;   \
	VMOVUP   Z1, K1, (DI)

#define ADVANCE(bytes) \
	ADDQ $(bytes), SI; \
	ADDQ $(bytes), DX; \
	ADDQ $(bytes), DI

#define LOOP(OP, OP_MASKED) \
	SUBQ  $(4*VEC), CX; \
	JLT   vectors;      \
	PCALIGN $64;        \
turn:                   \
	OP(Z1, 0);          \
	OP(Z2, 64);         \
	OP(Z3, 128);        \
	OP(Z4, 192);        \
	ADVANCE(256);       \
	SUBQ  $(4*VEC), CX; \
	JGE   turn;         \
vectors:                \
	ADDQ  $(3*VEC), CX; \
	JLT   elements;     \
vector:                 \
	OP(Z1, 0);          \
	ADVANCE(64);        \
	SUBQ  $VEC, CX;     \
	JGE   vector;       \
elements:               \
	ADDQ  $VEC, CX;     \
	JEQ   done;         \
	MOVL  $1, AX;       \
	SHLL  CX, AX;       \
	DECL  AX;           \
	KMOVW AX, K1;       \
	OP_MASKED;          \
done:                   \
	VZEROUPPER;         \
	RET

// func scaleAVX512(dst []T, a T, src []T)
TEXT ·scaleAVX512(SB), NOSPLIT, $0-56
	MOVQ        dst_base+0(FP), DI
	MOVQ        dst_len+8(FP), CX
	VBROADCASTS a+24(FP), Z0
	MOVQ        src_base+32(FP), SI
	LOOP(SCALE, SCALE_MASKED)

// func addAVX512(dst, a, b []T)
TEXT ·addAVX512(SB), NOSPLIT, $0-72
	MOVQ dst_base+0(FP), DI
	MOVQ dst_len+8(FP), CX
	MOVQ a_base+24(FP), SI
	MOVQ b_base+48(FP), DX
	LOOP(SUM, SUM_MASKED)

// func triadAVX512(dst, a []T, s T, b []T)
TEXT ·triadAVX512(SB), NOSPLIT, $0-80
	MOVQ        dst_base+0(FP), DI
	MOVQ        dst_len+8(FP), CX
	MOVQ        a_base+24(FP), SI
	VBROADCASTS s+48(FP), Z0
	MOVQ        b_base+56(FP), DX
	LOOP(TRIAD, TRIAD_MASKED)

// func axpyAVX512(a T, x, y []T)
TEXT ·axpyAVX512(SB), NOSPLIT, $0-56
	VBROADCASTS a+0(FP), Z0
	MOVQ        x_base+8(FP), SI
	MOVQ        x_len+16(FP), CX
	MOVQ        y_base+32(FP), DI
	LOOP(AXPY, AXPY_MASKED)
