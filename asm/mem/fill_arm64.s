//go:build !noasm

// Fill in NEON, and the streaming forms of fill and copy.
//
// A turn stores four vectors; what's left goes by single vectors and then by the bits of
// the length. The pattern starts anew at each multiple of 16 bytes and at each shorter
// store, which is right as the length is a multiple of the element's.
//
// The streaming forms take whole cache lines of 64 bytes and dst aligned to them. Their
// stores, STNP, are a hint that dst won't be read soon; they're ordered as other stores are.
//
//	R0     dst
//	R1     src
//	R3     bytes left
//	V0     the pattern; R4 its first half

#include "textflag.h"

// Go's assembler lacks these. Operands are register numbers.

// stnp q{m}, q{d}, [x{n}]
#define STNP0(m, d, n) WORD $(0xac000000 | (d)<<10 | (n)<<5 | (m))

// stnp q{m}, q{d}, [x{n},#32]
#define STNP32(m, d, n) WORD $(0xac010000 | (d)<<10 | (n)<<5 | (m))

// V0 to V3 = p
#define ARGS \
	MOVD dst_base+0(FP), R0; \
	MOVD dst_len+8(FP), R3;  \
	MOVD p_0+24(FP), R4;     \
	MOVD p_1+32(FP), R5;     \
	VMOV R4, V0.D[0];        \
	VMOV R5, V0.D[1];        \
	VMOV V0.B16, V1.B16;     \
	VMOV V0.B16, V2.B16;     \
	VMOV V0.B16, V3.B16

// func fillNEON(dst []byte, p Pattern)
TEXT ·fillNEON(SB), NOSPLIT, $0-40
	ARGS
	SUBS $64, R3
	BLT  vectors

turn:
	VST1.P [V0.B16, V1.B16, V2.B16, V3.B16], 64(R0)
	SUBS   $64, R3
	BGE    turn

vectors:
	ADDS $48, R3
	BLT  few

vector:
	VST1.P [V0.B16], 16(R0)
	SUBS   $16, R3
	BGE    vector

few:
	TBZ    $3, R3, four
	MOVD.P R4, 8(R0)

four:
	TBZ    $2, R3, two
	MOVW.P R4, 4(R0)

two:
	TBZ    $1, R3, one
	MOVH.P R4, 2(R0)

one:
	TBZ  $0, R3, done
	MOVB R4, (R0)

done:
	RET

// func fillStreamNEON(dst []byte, p Pattern)
TEXT ·fillStreamNEON(SB), NOSPLIT, $0-40
	ARGS

turn:
	STNP0(0, 1, 0)
	STNP32(2, 3, 0)
	ADD  $64, R0
	SUBS $64, R3
	BNE  turn
	RET

// func copyStreamNEON(dst, src []byte)
TEXT ·copyStreamNEON(SB), NOSPLIT, $0-48
	MOVD dst_base+0(FP), R0
	MOVD dst_len+8(FP), R3
	MOVD src_base+24(FP), R1

turn:
	VLD1.P 64(R1), [V0.B16, V1.B16, V2.B16, V3.B16]
	STNP0(0, 1, 0)
	STNP32(2, 3, 0)
	ADD    $64, R0
	SUBS   $64, R3
	BNE    turn
	RET
