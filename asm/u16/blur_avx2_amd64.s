//go:build !noasm

#include "textflag.h"

// func blurRowAVX2(dst, above, middle, src *uint16, n int)
TEXT ·blurRowAVX2(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ above+8(FP), R9
	MOVQ middle+16(FP), R10
	MOVQ src+24(FP), SI
	MOVQ n+32(FP), CX

#define STOREY VMOVDQU
#define PREFETCH
#include "blur_avx2_amd64.h"
#undef STOREY
#undef PREFETCH

// func blurRowStreamAVX2(dst, above, middle, src *uint16, n, ahead int)
TEXT ·blurRowStreamAVX2(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ above+8(FP), R9
	MOVQ middle+16(FP), R10
	MOVQ src+24(FP), SI
	MOVQ n+32(FP), CX
	MOVQ ahead+40(FP), R12
	LEAQ (SI)(R12*2), R12

#define STOREY VMOVNTDQ
#define PREFETCH PREFETCHT0 (R12)(AX*2)
#include "blur_avx2_amd64.h"
#undef STOREY
#undef PREFETCH
