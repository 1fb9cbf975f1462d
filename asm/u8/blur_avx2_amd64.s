//go:build !noasm

#include "textflag.h"

// func blurRowAVX2(dst, below, src, above, middle *uint8, n int)
TEXT ·blurRowAVX2(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ below+8(FP), R8
	MOVQ src+16(FP), SI
	MOVQ above+24(FP), R9
	MOVQ middle+32(FP), R10
	MOVQ n+40(FP), CX

#define STORE VMOVDQU
#define PREFETCH
#include "blur_avx2_amd64.h"
#undef STORE
#undef PREFETCH

// func blurRowStreamAVX2(dst, below, src, above, middle *uint8, n, ahead int)
TEXT ·blurRowStreamAVX2(SB), NOSPLIT, $0-56
	MOVQ dst+0(FP), DI
	MOVQ below+8(FP), R8
	MOVQ src+16(FP), SI
	MOVQ above+24(FP), R9
	MOVQ middle+32(FP), R10
	MOVQ n+40(FP), CX
	MOVQ ahead+48(FP), R12
	LEAQ (SI)(R12*1), R12

#define STORE VMOVNTDQ
#define PREFETCH PREFETCHT0 (R12)(AX*1)
#include "blur_avx2_amd64.h"
#undef STORE
#undef PREFETCH
