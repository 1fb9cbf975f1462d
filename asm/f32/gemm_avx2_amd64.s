//go:build !noasm

#include "textflag.h"

// The tile of AVX2: 6 rows of 64 bytes, which is 16 columns, in Y0 to Y11. A step
// of k takes one row of B's panel (Y12, Y13) and 6 elements of A's: each is broadcast
// (Y14), multiplied with both halves of the row (Y15, Y14) and the products are
// added. All 16 registers are in use.

// ROW does one row of a step: c0, c1 += a[i] * b
#define ROW(i, c0, c1) \
	VBROADCASTSS i(SI), Y14;    \
	VMULPS       Y12, Y14, Y15; \
	VMULPS       Y13, Y14, Y14; \
	VADDPS       Y15, c0, c0;   \
	VADDPS       Y14, c1, c1

// STEP does a step of k with A at byte a and B at byte b
#define STEP(a, b) \
	VMOVUPS b(DI), Y12;    \
	VMOVUPS b+32(DI), Y13; \
	ROW(a+0, Y0, Y1);      \
	ROW(a+4, Y2, Y3);      \
	ROW(a+8, Y4, Y5);      \
	ROW(a+12, Y6, Y7);     \
	ROW(a+16, Y8, Y9);     \
	ROW(a+20, Y10, Y11)

// LOAD sets a row's registers to beta * c, or to 0 where beta is 0: Y12 = beta, Y13 =
// a mask of zeros or ones. It also asks for the same row of the tile below, which is likely
// to be next: the sums start from c, so that it has to be there
#define LOAD(c0, c1) \
	VANDPS     (DX), Y13, c0;   \
	VANDPS     32(DX), Y13, c1; \
	PREFETCHT0 (DX)(R11*2);     \
	PREFETCHT0 63(DX)(R11*2);   \
	VMULPS     Y12, c0, c0;     \
	VMULPS     Y12, c1, c1;     \
	ADDQ       R9, DX

// STORE writes a row back
#define STORE(c0, c1) \
	VMOVUPS c0, (R10);   \
	VMOVUPS c1, 32(R10); \
	ADDQ    R9, R10

// func gemmTileAVX2(k int, a, b, c *float32, ldc int, beta float32)
TEXT ·gemmTileAVX2(SB), NOSPLIT, $0-44
	MOVQ         k+0(FP), CX
	MOVQ         a+8(FP), SI
	MOVQ         b+16(FP), DI
	MOVQ         c+24(FP), DX
	MOVQ         ldc+32(FP), R9
	VBROADCASTSS beta+40(FP), Y12
	VXORPS       X13, X13, X13
	VCMPPS       $4, Y13, Y12, Y13 // Y13 = beta != 0
	VANDPS       Y13, Y12, Y12     // beta = +0 where it's -0
	SHLQ         $2, R9            // R9 = a row of c in bytes
	LEAQ         (R9)(R9*2), R11   // R11 = half a tile
	MOVQ         DX, R10           // R10 = c for the stores
	LOAD(Y0, Y1)
	LOAD(Y2, Y3)
	LOAD(Y4, Y5)
	LOAD(Y6, Y7)
	LOAD(Y8, Y9)
	LOAD(Y10, Y11)
	SUBQ         $4, CX
	JL           tail

loop:  // four steps a turn
	STEP(0, 0)
	STEP(32, 64)
	STEP(64, 128)
	STEP(96, 192)
	ADDQ $128, SI
	ADDQ $256, DI
	SUBQ $4, CX
	JGE  loop

tail:  // the last k mod 4 steps
	ADDQ $4, CX
	JE   done

one:
	STEP(0, 0)
	ADDQ $32, SI
	ADDQ $64, DI
	DECQ CX
	JNE  one

done:
	STORE(Y0, Y1)
	STORE(Y2, Y3)
	STORE(Y4, Y5)
	STORE(Y6, Y7)
	STORE(Y8, Y9)
	STORE(Y10, Y11)
	VZEROUPPER
	RET
