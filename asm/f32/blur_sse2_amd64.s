//go:build !noasm

#include "textflag.h"

// func blurRowSSE2(dst, below, src, above, middle *float32, n, ahead int)
TEXT ·blurRowSSE2(SB), NOSPLIT, $0-56
	MOVQ dst+0(FP), DI
	MOVQ below+8(FP), R8
	MOVQ src+16(FP), SI
	MOVQ above+24(FP), R9
	MOVQ middle+32(FP), R10
	MOVQ n+40(FP), CX
	MOVQ ahead+48(FP), R11
	XORL BX, BX            // the loop begins at 0

#define STORE MOVUPS
#include "blur_sse2_amd64.h"
#undef STORE

// func blurRowStreamSSE2(dst, below, src, above, middle *float32, n, ahead int)
TEXT ·blurRowStreamSSE2(SB), NOSPLIT, $0-56
	MOVQ dst+0(FP), DI
	MOVQ below+8(FP), R8
	MOVQ src+16(FP), SI
	MOVQ above+24(FP), R9
	MOVQ middle+32(FP), R10
	MOVQ n+40(FP), CX
	MOVQ ahead+48(FP), R11
	MOVQ DI, BX
	NEGQ BX
	ANDQ $15, BX
	SHRQ $2, BX            // the loop begins where dst is aligned to 16 bytes

#define STORE MOVNTPS
#include "blur_sse2_amd64.h"
#undef STORE
