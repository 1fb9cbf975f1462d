//go:build !noasm

// Fill in SSE2, AVX2 and AVX-512, and the streaming forms of fill and copy.
//
// A turn stores four vectors; what's left goes by vectors of 16 bytes and then by the
// bits of the length, or in AVX-512 by one vector under a mask. The pattern starts
// anew at each multiple of 16 bytes and at each shorter store, which is right as the
// length is a multiple of the element's.
//
// The streaming forms take whole cache lines and dst aligned to them, and store past
// the caches. Their stores are ordered before later ones by a fence at the end.
//
//	DI     dst
//	SI     src
//	CX     bytes left
//	X0, Y0, Z0  the pattern

#include "textflag.h"

// X0 = p
#define ARGS \
	MOVQ   dst_base+0(FP), DI; \
	MOVQ   dst_len+8(FP), CX;  \
	MOVUPS p_0+24(FP), X0

// what's left, CX = bytes left - 64
#define REST \
	ADDQ   $48, CX;  \
	JLT    few;      \
vector:                  \
	MOVUPS X0, (DI); \
	ADDQ   $16, DI;  \
	SUBQ   $16, CX;  \
	JGE    vector;   \
few:                     \
	MOVQ   X0, AX;   \
	TESTB  $8, CX;   \
	JEQ    four;     \
	MOVQ   AX, (DI); \
	ADDQ   $8, DI;   \
four:                    \
	TESTB  $4, CX;   \
	JEQ    two;      \
	MOVL   AX, (DI); \
	ADDQ   $4, DI;   \
two:                     \
	TESTB  $2, CX;   \
	JEQ    one;      \
	MOVW   AX, (DI); \
	ADDQ   $2, DI;   \
one:                     \
	TESTB  $1, CX;   \
	JEQ    done;     \
	MOVB   AX, (DI); \
done:                    \
	RET

// A streaming loop stores a line a turn. CX = bytes left, a multiple of 64.
#define STREAM(line) \
turn:                 \
	line;         \
	ADDQ $64, DI; \
	SUBQ $64, CX; \
	JGT  turn;    \
	SFENCE

#define COPY_ARGS \
	MOVQ dst_base+0(FP), DI; \
	MOVQ dst_len+8(FP), CX;  \
	MOVQ src_base+24(FP), SI

#define FILL_X MOVNTPS X0, 0(DI); MOVNTPS X0, 16(DI); MOVNTPS X0, 32(DI); MOVNTPS X0, 48(DI)
#define FILL_Y VMOVNTPS Y0, 0(DI); VMOVNTPS Y0, 32(DI)
#define FILL_Z VMOVNTPS Z0, (DI)

#define COPY_X \
	MOVUPS  0(SI), X0;  \
	MOVUPS  16(SI), X1; \
	MOVUPS  32(SI), X2; \
	MOVUPS  48(SI), X3; \
	MOVNTPS X0, 0(DI);  \
	MOVNTPS X1, 16(DI); \
	MOVNTPS X2, 32(DI); \
	MOVNTPS X3, 48(DI); \
	ADDQ    $64, SI

#define COPY_Y \
	VMOVUPS  0(SI), Y0;  \
	VMOVUPS  32(SI), Y1; \
	VMOVNTPS Y0, 0(DI);  \
	VMOVNTPS Y1, 32(DI); \
	ADDQ     $64, SI

#define COPY_Z \
	VMOVUPS  (SI), Z0; \
	VMOVNTPS Z0, (DI); \
	ADDQ     $64, SI

// func fillSSE2(dst []byte, p Pattern)
TEXT ·fillSSE2(SB), NOSPLIT, $0-40
	ARGS
	SUBQ $64, CX
	JLT  rest

turn:
	MOVUPS X0, 0(DI)
	MOVUPS X0, 16(DI)
	MOVUPS X0, 32(DI)
	MOVUPS X0, 48(DI)
	ADDQ   $64, DI
	SUBQ   $64, CX
	JGE    turn

rest:
	REST

// func fillAVX2(dst []byte, p Pattern)
TEXT ·fillAVX2(SB), NOSPLIT, $0-40
	ARGS
	VINSERTF128 $1, X0, Y0, Y0
	SUBQ        $128, CX
	JLT         rest

turn:
	VMOVUPS Y0, 0(DI)
	VMOVUPS Y0, 32(DI)
	VMOVUPS Y0, 64(DI)
	VMOVUPS Y0, 96(DI)
	ADDQ    $128, DI
	SUBQ    $128, CX
	JGE     turn

rest:
	ADDQ $64, CX
	VZEROUPPER
	REST

// func fillAVX512(dst []byte, p Pattern)
TEXT ·fillAVX512(SB), NOSPLIT, $0-40
	ARGS
	VSHUFF64X2 $0, Z0, Z0, Z0
	SUBQ       $256, CX
	JLT        vectors

turn:
	VMOVDQU8 Z0, 0(DI)
	VMOVDQU8 Z0, 64(DI)
	VMOVDQU8 Z0, 128(DI)
	VMOVDQU8 Z0, 192(DI)
	ADDQ     $256, DI
	SUBQ     $256, CX
	JGE      turn

vectors:
	ADDQ $192, CX
	JLT  few

vector:
	VMOVDQU8 Z0, (DI)
	ADDQ     $64, DI
	SUBQ     $64, CX
	JGE      vector

few:
	ADDQ     $64, CX
	JEQ      done
	MOVQ     $-1, AX       // K1 = the lowest CX bits
	SHLQ     CX, AX
	NOTQ     AX
	KMOVQ    AX, K1
	VMOVDQU8 Z0, K1, (DI)

done:
	VZEROUPPER
	RET

// func fillStreamSSE2(dst []byte, p Pattern)
TEXT ·fillStreamSSE2(SB), NOSPLIT, $0-40
	ARGS
	STREAM(FILL_X)
	RET

// func fillStreamAVX2(dst []byte, p Pattern)
TEXT ·fillStreamAVX2(SB), NOSPLIT, $0-40
	ARGS
	VINSERTF128 $1, X0, Y0, Y0
	STREAM(FILL_Y)
	VZEROUPPER
	RET

// func fillStreamAVX512(dst []byte, p Pattern)
TEXT ·fillStreamAVX512(SB), NOSPLIT, $0-40
	ARGS
	VSHUFF64X2 $0, Z0, Z0, Z0
	STREAM(FILL_Z)
	VZEROUPPER
	RET

// func copyStreamSSE2(dst, src []byte)
TEXT ·copyStreamSSE2(SB), NOSPLIT, $0-48
	COPY_ARGS
	STREAM(COPY_X)
	RET

// func copyStreamAVX2(dst, src []byte)
TEXT ·copyStreamAVX2(SB), NOSPLIT, $0-48
	COPY_ARGS
	STREAM(COPY_Y)
	VZEROUPPER
	RET

// func copyStreamAVX512(dst, src []byte)
TEXT ·copyStreamAVX512(SB), NOSPLIT, $0-48
	COPY_ARGS
	STREAM(COPY_Z)
	VZEROUPPER
	RET
