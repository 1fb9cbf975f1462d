//go:build !noasm

// The tile in AVX-512: 8 rows of 128 bytes in Z0 to Z15.
//
// A step of k takes 128 bytes of a row of B (Z16, Z17) and one element of each of 8 rows
// of A, which is broadcast (Z18), multiplied with both halves (Z19, Z20) and added.
// That's 16 products and sums for 10 loads, so that the multipliers and not the
// load ports set the pace.
//
//	CX     steps left
//	SI     A's step; its rows are R8 bytes apart, R9 = 3*R8, R10 = 5*R8, R11 = 7*R8
//	R12    from one step of A to the next
//	DI     B's step
//	R13    from one step of B to the next
//	DX     C's row, for the loads
//	AX     C's row, for the stores
//	BX     a row of C
//	Z31    beta, +0 where it's -0
//	K1     all ones if beta isn't 0

#include "textflag.h"
#include "type_amd64.h"
#include "gemm_amd64.h"

// c0, c1 += a[i] * b
#define ROW(a, c0, c1) \
	VBROADCASTS a, Z18;        \
	VMULP       Z16, Z18, Z19; \
	VMULP       Z17, Z18, Z20; \
	VADDP       Z19, c0, c0;   \
	VADDP       Z20, c1, c1

#define LAST 8

#define STEP \
	VMOVUP (DI), Z16;           \
	VMOVUP 64(DI), Z17;         \
	ROW((SI), Z0, Z1);          \
	ROW((SI)(R8*1), Z2, Z3);    \
	ROW((SI)(R8*2), Z4, Z5);    \
	ROW((SI)(R9*1), Z6, Z7);    \
	ROW((SI)(R8*4), Z8, Z9);    \
	ROW((SI)(R10*1), Z10, Z11); \
	ROW((SI)(R9*2), Z12, Z13);  \
	ROW((SI)(R11*1), Z14, Z15); \
	ADDQ   R12, SI;             \
	ADDQ   R13, DI

// c0, c1 = beta * a row of C, or 0. The sums start from it, so that it has to be there:
// the same row of the next tile is asked for now. Not into the first cache, where A and B
// would displace it.
#define LOAD(c0, c1) \
	VMOVUP.Z   (DX), K1, c0;   \
	VMOVUP.Z   64(DX), K1, c1; \
	PREFETCHT1 191(DX);        \
	PREFETCHT1 255(DX);        \
	VMULP      Z31, c0, c0;    \
	VMULP      Z31, c1, c1;    \
	ADDQ       BX, DX

// Asks for a row of C, which is stored soon.
#define FETCH \
	PREFETCHT0 (DX);   \
	PREFETCHT0 64(DX); \
	ADDQ       BX, DX

// a row of C = c0, c1
#define STORE(c0, c1) \
	VMOVUP c0, (AX);   \
	VMOVUP c1, 64(AX); \
	ADDQ   BX, AX

// func gemmTilesAVX512(tiles, k int, a *T, ars, acs int, b *T, bp, ldb int, beta T, c *T, ldc int)
TEXT ·gemmTilesAVX512(SB), NOSPLIT, $0-88
	MOVQ        ars+24(FP), R8
	MOVQ        acs+32(FP), R12
	MOVQ        ldb+56(FP), R13
	VBROADCASTS beta+64(FP), Z31
	MOVQ        ldc+80(FP), BX
	SHLQ        $SHIFT, R8
	LEAQ        (R8)(R8*2), R9
	LEAQ        (R8)(R8*4), R10
	LEAQ        (R9)(R8*4), R11
	SHLQ        $SHIFT, R12
	SHLQ        $SHIFT, R13
	SHLQ        $SHIFT, BX
	SHLQ        $SHIFT, bp+48(FP)
	VPXORQ      Z17, Z17, Z17
	VCMPP       $4, Z17, Z31, K1  // beta != 0
	VMOVUP.Z    Z31, K1, Z31

tile:  // for ; tiles > 0; tiles--
	MOVQ k+8(FP), CX
	MOVQ a+16(FP), SI
	MOVQ b+40(FP), DI
	MOVQ c+72(FP), AX
	MOVQ AX, DX
	LOAD(Z0, Z1)
	LOAD(Z2, Z3)
	LOAD(Z4, Z5)
	LOAD(Z6, Z7)
	LOAD(Z8, Z9)
	LOAD(Z10, Z11)
	LOAD(Z12, Z13)
	LOAD(Z14, Z15)
	SUBQ $(4+LAST), CX
	JLT  last

turn:  // four steps
	STEP
	STEP
	STEP
	STEP
	SUBQ $4, CX
	JGE  turn

last:  // the last steps, at most LAST+3, while C comes back: A and B have displaced it
	ADDQ $(4+LAST), CX
	MOVQ AX, DX
	FETCH
	FETCH
	FETCH
	FETCH
	FETCH
	FETCH
	FETCH
	FETCH

step:
	STEP
	DECQ CX
	JNE  step
	STORE(Z0, Z1)
	STORE(Z2, Z3)
	STORE(Z4, Z5)
	STORE(Z6, Z7)
	STORE(Z8, Z9)
	STORE(Z10, Z11)
	STORE(Z12, Z13)
	STORE(Z14, Z15)
	MOVQ bp+48(FP), CX
	ADDQ CX, b+40(FP)
	ADDQ $128, c+72(FP)
	DECQ tiles+0(FP)
	JNE  tile
	VZEROUPPER
	RET
