//go:build !noasm

#include "textflag.h"

// The tile of AVX2: 6 rows of 64 bytes, which is 8 columns, in Y0 to Y11. A step
// of k takes one row of B's panel (Y12, Y13) and 6 elements of A's: each is broadcast
// (Y14), multiplied with both halves of the row (Y15, Y14) and the products are
// added. All 16 registers are in use.

// ROW does one row of a step: c0, c1 += a[i] * b
#define ROW(i, c0, c1) \
	VBROADCASTSD i(SI), Y14;    \
	VMULPD       Y12, Y14, Y15; \
	VMULPD       Y13, Y14, Y14; \
	VADDPD       Y15, c0, c0;   \
	VADDPD       Y14, c1, c1

// STEP does a step of k with A at byte a and B at byte b
#define STEP(a, b) \
	VMOVUPD b(DI), Y12;    \
	VMOVUPD b+32(DI), Y13; \
	ROW(a+0, Y0, Y1);      \
	ROW(a+8, Y2, Y3);      \
	ROW(a+16, Y4, Y5);     \
	ROW(a+24, Y6, Y7);     \
	ROW(a+32, Y8, Y9);     \
	ROW(a+40, Y10, Y11)

// LOAD sets a row's registers to beta * c, or to 0 where beta is 0: Y12 = beta, Y13 =
// a mask of zeros or ones
#define LOAD(c0, c1) \
	VANDPD (DX), Y13, c0;   \
	VANDPD 32(DX), Y13, c1; \
	VMULPD Y12, c0, c0;     \
	VMULPD Y12, c1, c1;     \
	ADDQ   R9, DX

// STORE writes a row back
#define STORE(c0, c1) \
	VMOVUPD c0, (R10);   \
	VMOVUPD c1, 32(R10); \
	ADDQ    R9, R10

// func gemmTileAVX2(k int, a, b, c *float64, ldc int, beta float64)
TEXT ·gemmTileAVX2(SB), NOSPLIT, $0-48
	MOVQ         k+0(FP), CX
	MOVQ         a+8(FP), SI
	MOVQ         b+16(FP), DI
	MOVQ         c+24(FP), DX
	MOVQ         ldc+32(FP), R9
	VBROADCASTSD beta+40(FP), Y12
	VXORPS       X13, X13, X13
	VCMPPD       $4, Y13, Y12, Y13 // Y13 = beta != 0
	VANDPD       Y13, Y12, Y12     // beta = +0 where it's -0
	SHLQ         $3, R9            // R9 = a row of c in bytes
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
	STEP(64, 64)
	STEP(128, 128)
	STEP(192, 192)
	ADDQ $256, SI
	ADDQ $256, DI
	SUBQ $4, CX
	JGE  loop

tail:  // the last k mod 4 steps
	ADDQ $4, CX
	JE   done

one:
	STEP(0, 0)
	ADDQ $64, SI
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
