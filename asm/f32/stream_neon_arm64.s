//go:build !noasm

// The elementwise loops in NEON, with plain and with streaming stores.
//
// A turn takes four vectors; what's left goes by single vectors, then by single elements.
// Product and sum are rounded separately, as in the plain loops: no FMLA.
//
// The streaming loops take whole cache lines of 64 bytes and dst aligned to them. Their
// stores, STNP, are a hint that dst won't be read soon; they're ordered as other stores are.
//
//	R0     dst
//	R1     the first source
//	R2     the second source
//	R3     elements left
//	V0     the scalar, in all lanes

#include "textflag.h"
#include "type_arm64.h"

#define VEC (16/SIZE) // elements in a vector

// Each loop's line of arithmetic for four vectors, which leaves the result in V4 to
// V7, for one, which leaves it in V4, and for one element.

// dst[i] = a * src[i]
#define SCALE4 \
	VLD1.P 64(R1), [V4.B16, V5.B16, V6.B16, V7.B16]; \
	VFMUL(0, 4, 4);                                  \
	VFMUL(0, 5, 5);                                  \
	VFMUL(0, 6, 6);                                  \
	VFMUL(0, 7, 7)
#define SCALE1 \
	VLD1.P 16(R1), [V4.B16]; \
	VFMUL(0, 4, 4)
#define SCALE_ELEMENT \
	FMOVT.P SIZE(R1), F4; \
	FMULT   F0, F4, F4

// dst[i] = a[i] + b[i]
#define SUM4 \
	VLD1.P 64(R1), [V4.B16, V5.B16, V6.B16, V7.B16];     \
	VLD1.P 64(R2), [V16.B16, V17.B16, V18.B16, V19.B16]; \
	VFADD(16, 4, 4);                                     \
	VFADD(17, 5, 5);                                     \
	VFADD(18, 6, 6);                                     \
	VFADD(19, 7, 7)
#define SUM1 \
	VLD1.P 16(R1), [V4.B16];  \
	VLD1.P 16(R2), [V16.B16]; \
	VFADD(16, 4, 4)
#define SUM_ELEMENT \
	FMOVT.P SIZE(R1), F4; \
	FMOVT.P SIZE(R2), F5; \
	FADDT   F5, F4, F4

// dst[i] = a[i] + s*b[i]
#define TRIAD4 \
	VLD1.P 64(R2), [V16.B16, V17.B16, V18.B16, V19.B16]; \
	VLD1.P 64(R1), [V4.B16, V5.B16, V6.B16, V7.B16];     \
	VFMUL(0, 16, 16);                                    \
	VFMUL(0, 17, 17);                                    \
	VFMUL(0, 18, 18);                                    \
	VFMUL(0, 19, 19);                                    \
	VFADD(16, 4, 4);                                     \
	VFADD(17, 5, 5);                                     \
	VFADD(18, 6, 6);                                     \
	VFADD(19, 7, 7)
#define TRIAD1 \
	VLD1.P 16(R2), [V16.B16]; \
	VLD1.P 16(R1), [V4.B16];  \
	VFMUL(0, 16, 16);         \
	VFADD(16, 4, 4)
#define TRIAD_ELEMENT \
	FMOVT.P SIZE(R2), F5; \
	FMOVT.P SIZE(R1), F4; \
	FMULT   F0, F5, F5;   \
	FADDT   F5, F4, F4

#define LOOP(OP4, OP1, OP_ELEMENT) \
	SUBS   $(4*VEC), R3;                             \
	BLT    vectors;                                  \
turn:                                                    \
	OP4;                                             \
	VST1.P [V4.B16, V5.B16, V6.B16, V7.B16], 64(R0); \
	SUBS   $(4*VEC), R3;                             \
	BGE    turn;                                     \
vectors:                                                 \
	ADDS   $(3*VEC), R3;                             \
	BLT    elements;                                 \
vector:                                                  \
	OP1;                                             \
	VST1.P [V4.B16], 16(R0);                         \
	SUBS   $VEC, R3;                                 \
	BGE    vector;                                   \
elements:                                                \
	ADDS   $VEC, R3;                                 \
	BEQ    done;                                     \
element:                                                 \
	OP_ELEMENT;                                      \
	FMOVT.P F4, SIZE(R0);                            \
	SUBS   $1, R3;                                   \
	BNE    element;                                  \
done:                                                    \
	RET

#define STREAM(OP4) \
turn:                        \
	OP4;                 \
	STNP0(4, 5, 0);      \
	STNP32(6, 7, 0);     \
	ADD  $64, R0;        \
	SUBS $(4*VEC), R3;   \
	BNE  turn;           \
	RET

#define SCALE_ARGS \
	MOVD  dst_base+0(FP), R0;  \
	MOVD  dst_len+8(FP), R3;   \
	FMOVT a+24(FP), F0;        \
	MOVD  src_base+32(FP), R1; \
	SPREAD(V0, V0)

#define ADD_ARGS \
	MOVD dst_base+0(FP), R0; \
	MOVD dst_len+8(FP), R3;  \
	MOVD a_base+24(FP), R1;  \
	MOVD b_base+48(FP), R2

#define TRIAD_ARGS \
	MOVD  dst_base+0(FP), R0; \
	MOVD  dst_len+8(FP), R3;  \
	MOVD  a_base+24(FP), R1;  \
	FMOVT s+48(FP), F0;       \
	MOVD  b_base+56(FP), R2;  \
	SPREAD(V0, V0)

// func scaleNEON(dst []T, a T, src []T)
TEXT ·scaleNEON(SB), NOSPLIT, $0-56
	SCALE_ARGS
	LOOP(SCALE4, SCALE1, SCALE_ELEMENT)

// func addNEON(dst, a, b []T)
TEXT ·addNEON(SB), NOSPLIT, $0-72
	ADD_ARGS
	LOOP(SUM4, SUM1, SUM_ELEMENT)

// func triadNEON(dst, a []T, s T, b []T)
TEXT ·triadNEON(SB), NOSPLIT, $0-80
	TRIAD_ARGS
	LOOP(TRIAD4, TRIAD1, TRIAD_ELEMENT)

// func axpyNEON(a T, x, y []T): y[i] = y[i] + a*x[i]
TEXT ·axpyNEON(SB), NOSPLIT, $0-56
	FMOVT a+0(FP), F0
	MOVD  x_base+8(FP), R2
	MOVD  x_len+16(FP), R3
	MOVD  y_base+32(FP), R0
	MOVD  R0, R1
	SPREAD(V0, V0)
	LOOP(TRIAD4, TRIAD1, TRIAD_ELEMENT)

// func scaleStreamNEON(dst []T, a T, src []T)
TEXT ·scaleStreamNEON(SB), NOSPLIT, $0-56
	SCALE_ARGS
	STREAM(SCALE4)

// func addStreamNEON(dst, a, b []T)
TEXT ·addStreamNEON(SB), NOSPLIT, $0-72
	ADD_ARGS
	STREAM(SUM4)

// func triadStreamNEON(dst, a []T, s T, b []T)
TEXT ·triadStreamNEON(SB), NOSPLIT, $0-80
	TRIAD_ARGS
	STREAM(TRIAD4)
