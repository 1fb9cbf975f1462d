//go:build !noasm

#include "textflag.h"

// The tile of AVX-512: 8 rows of 128 bytes, which is 32 columns, in Z0 to Z15. A
// step of k takes one row of B's panel (Z16, Z17) and 8 elements of A's: each is broadcast
// (Z18), multiplied with both halves of the row (Z19, Z20) and the products are
// added. That's 16 products and sums for 10 loads, so that the multipliers and not
// the load ports set the pace.

// ROW does one row of a step: c0, c1 += a[i] * b
#define ROW(i, c0, c1) \
	VBROADCASTSS i(SI), Z18;    \
	VMULPS       Z16, Z18, Z19; \
	VMULPS       Z17, Z18, Z20; \
	VADDPS       Z19, c0, c0;   \
	VADDPS       Z20, c1, c1

// STEP does a step of k with A at byte a and B at byte b
#define STEP(a, b) \
	VMOVUPS b(DI), Z16;    \
	VMOVUPS b+64(DI), Z17; \
	ROW(a+0, Z0, Z1);      \
	ROW(a+4, Z2, Z3);      \
	ROW(a+8, Z4, Z5);      \
	ROW(a+12, Z6, Z7);     \
	ROW(a+16, Z8, Z9);     \
	ROW(a+20, Z10, Z11);   \
	ROW(a+24, Z12, Z13);   \
	ROW(a+28, Z14, Z15)

// LOAD sets a row's registers to beta * c, or to 0 where beta is 0, and asks for the
// same row of the tile below, which is likely to be next: the sums start from c, so
// that it has to be there
#define LOAD(c0, c1) \
	VMOVUPS.Z  (DX), K1, c0;   \
	VMOVUPS.Z  64(DX), K1, c1; \
	PREFETCHT0 (DX)(R9*8);     \
	PREFETCHT0 64(DX)(R9*8);   \
	VMULPS     Z16, c0, c0;    \
	VMULPS     Z16, c1, c1;    \
	ADDQ       R9, DX

// STORE writes a row back
#define STORE(c0, c1) \
	VMOVUPS c0, (R10);   \
	VMOVUPS c1, 64(R10); \
	ADDQ    R9, R10

// func gemmTileAVX512(k int, a, b, c *float32, ldc int, beta float32)
TEXT ·gemmTileAVX512(SB), NOSPLIT, $0-44
	MOVQ         k+0(FP), CX
	MOVQ         a+8(FP), SI
	MOVQ         b+16(FP), DI
	MOVQ         c+24(FP), DX
	MOVQ         ldc+32(FP), R9
	VBROADCASTSS beta+40(FP), Z16
	VXORPS       X17, X17, X17
	VCMPPS       $4, Z17, Z16, K1 // K1 = beta != 0
	VMOVAPS.Z    Z16, K1, Z16     // beta = +0 where it's -0
	SHLQ         $2, R9           // R9 = a row of c in bytes
	MOVQ         DX, R10          // R10 = c for the stores
	LOAD(Z0, Z1)
	LOAD(Z2, Z3)
	LOAD(Z4, Z5)
	LOAD(Z6, Z7)
	LOAD(Z8, Z9)
	LOAD(Z10, Z11)
	LOAD(Z12, Z13)
	LOAD(Z14, Z15)
	SUBQ         $4, CX
	JL           tail

loop:  // four steps a turn
	STEP(0, 0)
	STEP(32, 128)
	STEP(64, 256)
	STEP(96, 384)
	ADDQ $128, SI
	ADDQ $512, DI
	SUBQ $4, CX
	JGE  loop

tail:  // the last k mod 4 steps
	ADDQ $4, CX
	JE   done

one:
	STEP(0, 0)
	ADDQ $32, SI
	ADDQ $128, DI
	DECQ CX
	JNE  one

done:
	STORE(Z0, Z1)
	STORE(Z2, Z3)
	STORE(Z4, Z5)
	STORE(Z6, Z7)
	STORE(Z8, Z9)
	STORE(Z10, Z11)
	STORE(Z12, Z13)
	STORE(Z14, Z15)
	VZEROUPPER
	RET
