//go:build !noasm

// The tile in NEON: 6 rows of 64 bytes in V0 to V23.
//
// A step of k takes 64 bytes of a row of B (V24 to V27) and one element of each of 6 rows
// of A, which is broadcast (V28), multiplied with the four vectors (V29 to V31) and added.
//
//	R0     tiles left
//	R1     steps left
//	R2-R7  A's rows
//	R8     from one step of A to the next
//	R9     B's step
//	R10    from one step of B to the next
//	R11    C's row, for the loads
//	R12    a row of C
//	R13    C's row, for the stores
//	R14    all ones if beta isn't 0
//	R19    A
//	R20    from one row of A to the next
//	R21    B's tile
//	R22    from one tile of B to the next
//	R23    C's tile

#include "textflag.h"
#include "type_arm64.h"
#include "gemm_arm64.h"

// c0 to c3 += a[i] * b
#define ROW(p, c0, c1, c2, c3) \
	BROADCAST(p);      \
	VFMUL(28, 24, 29); \
	VFMUL(28, 25, 30); \
	VFMUL(28, 26, 31); \
	VFADD(29, c0, c0); \
	VFMUL(28, 27, 29); \
	VFADD(30, c1, c1); \
	VFADD(31, c2, c2); \
	VFADD(29, c3, c3)

// A row of C's registers = beta * C, or 0: V31 = beta, V30 = a mask
#define LOAD(v0, v1, v2, v3, c0, c1, c2, c3) \
	VLD1.P (R11)(R12), [v0.B16, v1.B16, v2.B16, v3.B16]; \
	VAND   V30.B16, v0.B16, v0.B16;                      \
	VAND   V30.B16, v1.B16, v1.B16;                      \
	VAND   V30.B16, v2.B16, v2.B16;                      \
	VAND   V30.B16, v3.B16, v3.B16;                      \
	VFMUL(31, c0, c0);                                   \
	VFMUL(31, c1, c1);                                   \
	VFMUL(31, c2, c2);                                   \
	VFMUL(31, c3, c3)

// func gemmTilesNEON(tiles, k int, a *T, ars, acs int, b *T, bp, ldb int, beta T, c *T, ldc int)
TEXT ·gemmTilesNEON(SB), NOSPLIT, $0-88
	MOVD  tiles+0(FP), R0
	MOVD  a+16(FP), R19
	MOVD  ars+24(FP), R20
	MOVD  acs+32(FP), R8
	MOVD  b+40(FP), R21
	MOVD  bp+48(FP), R22
	MOVD  ldb+56(FP), R10
	MOVD  c+72(FP), R23
	MOVD  ldc+80(FP), R12
	LSL   $SHIFT, R20, R20
	LSL   $SHIFT, R8, R8
	LSL   $SHIFT, R22, R22
	LSL   $SHIFT, R10, R10
	LSL   $SHIFT, R12, R12
	FMOVT beta+64(FP), F31
	FMOVT F31, R14
	LSL   $(65-8*SIZE), R14, R14 // beta without its sign
	CMP   $0, R14
	CSETM NE, R14

tile:  // for ; tiles > 0; tiles--
	MOVD  R19, R2
	ADD   R20, R2, R3
	ADD   R20, R3, R4
	ADD   R20, R4, R5
	ADD   R20, R5, R6
	ADD   R20, R6, R7
	MOVD  k+8(FP), R1
	MOVD  R21, R9
	MOVD  R23, R13
	MOVD  R23, R11
	FMOVT beta+64(FP), F31
	SPREAD(V31, V31)
	VDUP  R14, V30.D2
	VAND  V30.B16, V31.B16, V31.B16 // beta = +0 where it's -0
	LOAD(V0, V1, V2, V3, 0, 1, 2, 3)
	LOAD(V4, V5, V6, V7, 4, 5, 6, 7)
	LOAD(V8, V9, V10, V11, 8, 9, 10, 11)
	LOAD(V12, V13, V14, V15, 12, 13, 14, 15)
	LOAD(V16, V17, V18, V19, 16, 17, 18, 19)
	LOAD(V20, V21, V22, V23, 20, 21, 22, 23)

step:
	VLD1.P (R9)(R10), [V24.B16, V25.B16, V26.B16, V27.B16]
	ROW(R2, 0, 1, 2, 3)
	ROW(R3, 4, 5, 6, 7)
	ROW(R4, 8, 9, 10, 11)
	ROW(R5, 12, 13, 14, 15)
	ROW(R6, 16, 17, 18, 19)
	ROW(R7, 20, 21, 22, 23)
	SUBS   $1, R1
	BNE    step

	VST1.P [V0.B16, V1.B16, V2.B16, V3.B16], (R13)(R12)
	VST1.P [V4.B16, V5.B16, V6.B16, V7.B16], (R13)(R12)
	VST1.P [V8.B16, V9.B16, V10.B16, V11.B16], (R13)(R12)
	VST1.P [V12.B16, V13.B16, V14.B16, V15.B16], (R13)(R12)
	VST1.P [V16.B16, V17.B16, V18.B16, V19.B16], (R13)(R12)
	VST1.P [V20.B16, V21.B16, V22.B16, V23.B16], (R13)(R12)
	ADD    R22, R21, R21
	ADD    $64, R23, R23
	SUBS   $1, R0
	BNE    tile
	RET

// func gemmPackColsNEON(dst *T, w int, alpha T, src *T, ld, k int)
//
//	R0     dst
//	R1     the bytes of a row that are left
//	R2     src
//	R3     from the end of a row of src to the next
//	R4     rows left
//	R5     w in bytes
//	V31    alpha, in all lanes
TEXT ·gemmPackColsNEON(SB), NOSPLIT, $0-48
	MOVD  dst+0(FP), R0
	MOVD  w+8(FP), R5
	FMOVT alpha+16(FP), F31
	SPREAD(V31, V31)
	MOVD  src+24(FP), R2
	MOVD  ld+32(FP), R3
	MOVD  k+40(FP), R4
	SUB   R5, R3, R3
	LSL   $SHIFT, R3, R3
	LSL   $SHIFT, R5, R5

row:  // for ; k > 0; k--
	MOVD R5, R1

vectors:  // for j := 0; j < w; j += two vectors
	VLD1.P 32(R2), [V0.B16, V1.B16]
	VFMUL(31, 0, 0)
	VFMUL(31, 1, 1)
	VST1.P [V0.B16, V1.B16], 32(R0)
	SUBS   $32, R1
	BNE    vectors
	ADD    R3, R2
	SUBS   $1, R4
	BNE    row
	RET

// Products without packing: each row of C in strips of four vectors (V0 to V3), then
// element by element (F0); the steps of k inside.
//
//	R0     rows left
//	R1     columns left
//	R2     A's row
//	R3     A's step, R4 from one to the next
//	R5     B's strip
//	R6     B's step, R7 from one to the next
//	R8     C's row
//	R9     C's strip
//	R10    steps left
//	F31    alpha
//	V30    beta, +0 where it's -0
//	V29    all ones if beta isn't 0

#define VEC (16/SIZE) // elements in a vector

// func gemmRowsNEON(m, n, k int, alpha T, a *T, ars, acs int, b *T, ldb int, beta T, c *T, ldc int)
TEXT ·gemmRowsNEON(SB), NOSPLIT, $0-96
	MOVD  m+0(FP), R0
	FMOVT alpha+24(FP), F31
	MOVD  a+32(FP), R2
	MOVD  acs+48(FP), R4
	MOVD  ldb+64(FP), R7
	FMOVT beta+72(FP), F30
	MOVD  c+80(FP), R8
	LSL   $SHIFT, R4, R4
	LSL   $SHIFT, R7, R7
	FMOVT F30, R11
	LSL   $(65-8*SIZE), R11, R11
	CMP   $0, R11
	CSETM NE, R11
	VDUP  R11, V29.D2
	SPREAD(V30, V30)
	VAND  V29.B16, V30.B16, V30.B16

row:  // for ; m > 0; m--
	MOVD n+8(FP), R1
	MOVD b+56(FP), R5
	MOVD R8, R9
	SUBS $(4*VEC), R1
	BLT  elements

strip:  // four vectors
	VLD1 (R9), [V0.B16, V1.B16, V2.B16, V3.B16]
	VAND V29.B16, V0.B16, V0.B16
	VAND V29.B16, V1.B16, V1.B16
	VAND V29.B16, V2.B16, V2.B16
	VAND V29.B16, V3.B16, V3.B16
	VFMUL(30, 0, 0)
	VFMUL(30, 1, 1)
	VFMUL(30, 2, 2)
	VFMUL(30, 3, 3)
	MOVD k+16(FP), R10
	MOVD R2, R3
	MOVD R5, R6

stripStep:  // c += (alpha * a[l]) * b[l]
	FMOVT  (R3), F16
	ADD    R4, R3
	FMULT  F31, F16, F16
	SPREAD(V16, V17)
	VLD1.P (R6)(R7), [V4.B16, V5.B16, V6.B16, V7.B16]
	VFMUL(17, 4, 4)
	VFMUL(17, 5, 5)
	VFMUL(17, 6, 6)
	VFMUL(17, 7, 7)
	VFADD(4, 0, 0)
	VFADD(5, 1, 1)
	VFADD(6, 2, 2)
	VFADD(7, 3, 3)
	SUBS   $1, R10
	BNE    stripStep
	VST1.P [V0.B16, V1.B16, V2.B16, V3.B16], 64(R9)
	ADD    $64, R5
	SUBS   $(4*VEC), R1
	BGE    strip

elements:
	ADDS $(4*VEC), R1
	BEQ  next

element:  // for ; n > 0; n--
	FMOVT (R9), F0
	VAND  V29.B16, V0.B16, V0.B16
	FMULT F30, F0, F0
	MOVD  k+16(FP), R10
	MOVD  R2, R3
	MOVD  R5, R6

elementStep:
	FMOVT   (R3), F16
	ADD     R4, R3
	FMULT   F31, F16, F16
	FMOVT   (R6), F4
	ADD     R7, R6
	FMULT   F16, F4, F4
	FADDT   F4, F0, F0
	SUBS    $1, R10
	BNE     elementStep
	FMOVT.P F0, SIZE(R9)
	ADD     $SIZE, R5
	SUBS    $1, R1
	BNE     element

next:
	MOVD ars+40(FP), R3
	MOVD ldc+88(FP), R6
	ADD  R3<<SHIFT, R2, R2
	ADD  R6<<SHIFT, R8, R8
	SUBS $1, R0
	BNE  row
	RET
