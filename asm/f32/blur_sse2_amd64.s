//go:build !noasm

#include "textflag.h"

// func blurRowSSE2(dst, below, src, above, middle *float32, n int)
TEXT ·blurRowSSE2(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ below+8(FP), R8
	MOVQ src+16(FP), SI
	MOVQ above+24(FP), R9
	MOVQ middle+32(FP), R10
	MOVQ n+40(FP), CX

#define STORE MOVUPS
#define PREFETCH
#include "blur_sse2_amd64.h"
#undef STORE
#undef PREFETCH

// func blurRowStreamSSE2(dst, below, src, above, middle *float32, n, ahead int)
TEXT ·blurRowStreamSSE2(SB), NOSPLIT, $0-56
	MOVQ dst+0(FP), DI
	MOVQ below+8(FP), R8
	MOVQ src+16(FP), SI
	MOVQ above+24(FP), R9
	MOVQ middle+32(FP), R10
	MOVQ n+40(FP), CX
	MOVQ ahead+48(FP), R12
	LEAQ (SI)(R12*4), R12

#define STORE MOVNTPS
#define PREFETCH PREFETCHT0 (R12)(AX*4)
#include "blur_sse2_amd64.h"
#undef STORE
#undef PREFETCH
