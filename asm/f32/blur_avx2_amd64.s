//go:build !noasm

#include "textflag.h"

// func blurRowAVX2(dst, below, src, above, middle *float32, n, ahead int)
TEXT ·blurRowAVX2(SB), NOSPLIT, $0-56
	MOVQ dst+0(FP), DI
	MOVQ below+8(FP), R8
	MOVQ src+16(FP), SI
	MOVQ above+24(FP), R9
	MOVQ middle+32(FP), R10
	MOVQ n+40(FP), CX
	MOVQ ahead+48(FP), R11
	XORL BX, BX            // the loop begins at 0

#define STORE VMOVUPS
#include "blur_avx2_amd64.h"
#undef STORE

// func blurRowStreamAVX2(dst, below, src, above, middle *float32, n, ahead int)
TEXT ·blurRowStreamAVX2(SB), NOSPLIT, $0-56
	MOVQ dst+0(FP), DI
	MOVQ below+8(FP), R8
	MOVQ src+16(FP), SI
	MOVQ above+24(FP), R9
	MOVQ middle+32(FP), R10
	MOVQ n+40(FP), CX
	MOVQ ahead+48(FP), R11
	MOVQ DI, BX
	NEGQ BX
	ANDQ $31, BX
	SHRQ $2, BX            // the loop begins where dst is aligned to 32 bytes

#define STORE VMOVNTPS
#include "blur_avx2_amd64.h"
#undef STORE
