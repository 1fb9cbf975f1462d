//go:build !noasm

#include "textflag.h"

// Word i is i+1: with VPERMI2W, a row of words that begins one to the right.
DATA next<>+0(SB)/8, $0x0004000300020001
DATA next<>+8(SB)/8, $0x0008000700060005
DATA next<>+16(SB)/8, $0x000c000b000a0009
DATA next<>+24(SB)/8, $0x0010000f000e000d
DATA next<>+32(SB)/8, $0x0014001300120011
DATA next<>+40(SB)/8, $0x0018001700160015
DATA next<>+48(SB)/8, $0x001c001b001a0019
DATA next<>+56(SB)/8, $0x0020001f001e001d
GLOBL next<>(SB), RODATA|NOPTR, $64

// func blurRowAVX512(dst, above, middle, src *uint16, n int)
TEXT ·blurRowAVX512(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ above+8(FP), R9
	MOVQ middle+16(FP), R10
	MOVQ src+24(FP), SI
	MOVQ n+32(FP), CX

#define STOREZ VMOVDQU64
#define PREFETCH
#include "blur_avx512_amd64.h"
#undef STOREZ
#undef PREFETCH

// func blurRowStreamAVX512(dst, above, middle, src *uint16, n, ahead int)
TEXT ·blurRowStreamAVX512(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ above+8(FP), R9
	MOVQ middle+16(FP), R10
	MOVQ src+24(FP), SI
	MOVQ n+32(FP), CX
	MOVQ ahead+40(FP), R12
	LEAQ (SI)(R12*2), R12

#define STREAM
#define STOREY VMOVNTDQ
#define STOREZ VMOVNTDQ
#define PREFETCH PREFETCHT0 (R12)(AX*2)
#include "blur_avx512_amd64.h"
#undef STREAM
#undef STOREY
#undef STOREZ
#undef PREFETCH
