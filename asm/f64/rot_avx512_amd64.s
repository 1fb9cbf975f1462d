//go:build !noasm

// Exchanging, rotating, and looking for the largest in AVX-512. Exchanging and rotating take 256
// bytes at a turn, for n that are whole turns and not 0.
//
//	SI     x
//	DI     y, or the result
//	CX     bytes left, or elements
//	Z14    c
//	Z15    s, or the mask that takes a sign away

#include "textflag.h"
#include "type_amd64.h"

#define SWAP(o, x, y) \
	VMOVUP o(SI), x; \
	VMOVUP o(DI), y; \
	VMOVUP x, o(DI); \
	VMOVUP y, o(SI)

// func swapAVX512(x, y *T, n int)
TEXT ·swapAVX512(SB), NOSPLIT, $0-24
	MOVQ x+0(FP), SI
	MOVQ y+8(FP), DI
	MOVQ n+16(FP), CX
	SHLQ $SHIFT, CX

turn:
	SWAP(0, Z0, Z1)
	SWAP(64, Z2, Z3)
	SWAP(128, Z4, Z5)
	SWAP(192, Z6, Z7)
	ADDQ $256, SI
	ADDQ $256, DI
	SUBQ $256, CX
	JNE  turn
	VZEROUPPER
	RET

// x, y = Z14*x + Z15*y, Z14*y - Z15*x
#define ROT(o) \
	VMOVUP o(SI), Z0;    \
	VMOVUP o(DI), Z1;    \
	VMULP  Z0, Z14, Z2;  \
	VMULP  Z1, Z15, Z3;  \
	VMULP  Z1, Z14, Z1;  \
	VMULP  Z0, Z15, Z0;  \
	VADDP  Z3, Z2, Z2;   \
	VSUBP  Z0, Z1, Z1;   \
	VMOVUP Z2, o(SI);    \
	VMOVUP Z1, o(DI)

// func rotAVX512(c T, x *T, s T, y *T, n int)
TEXT ·rotAVX512(SB), NOSPLIT, $0-40
	VBROADCASTS c+0(FP), Z14
	MOVQ        x+8(FP), SI
	VBROADCASTS s+16(FP), Z15
	MOVQ        y+24(FP), DI
	MOVQ        n+32(FP), CX
	SHLQ        $SHIFT, CX

turn:
	ROT(0)
	ROT(64)
	ROT(128)
	ROT(192)
	ADDQ $256, SI
	ADDQ $256, DI
	SUBQ $256, CX
	JNE  turn
	VZEROUPPER
	RET

#define VEC (64/SIZE) // elements in a vector

// largest = the larger one of largest and |x| at byte o. Where x is NaN, the maximum is its
// first operand here.
#define MAX(o, t, largest) \
	VPANDQ o(SI), Z15, t; \
	VMAXP  largest, t, largest

// func amaxAVX512(largest *T, x *T, n int)
//
// largest holds what to start from, and then the result.
TEXT ·amaxAVX512(SB), NOSPLIT, $0-24
	MOVQ        largest+0(FP), DI
	MOVQ        x+8(FP), SI
	MOVQ        n+16(FP), CX
	ZABSMASK(Z15)
	VBROADCASTS (DI), Z0
	VMOVAPD     Z0, Z1
	VMOVAPD     Z0, Z2
	VMOVAPD     Z0, Z3
	SUBQ        $(4*VEC), CX
	JLT         vectors

turn:
	MAX(0, Z4, Z0)
	MAX(64, Z5, Z1)
	MAX(128, Z6, Z2)
	MAX(192, Z7, Z3)
	ADDQ $256, SI
	SUBQ $(4*VEC), CX
	JGE  turn

vectors:
	ADDQ $(3*VEC), CX
	JLT  rest

vector:
	MAX(0, Z4, Z0)
	ADDQ $64, SI
	SUBQ $VEC, CX
	JGE  vector

rest:  // under a mask
	ADDQ          $VEC, CX
	JEQ           fold
	MOVL          $-1, AX
	SHLL          CX, AX
	NOTL          AX
	KMOVW         AX, K1
	VMOVUP.Z      (SI), K1, Z4
	VPANDQ        Z4, Z15, Z4
	VMAXP         Z0, Z4, K1, Z0

fold:
	VMAXP         Z1, Z0, Z0
	VMAXP         Z3, Z2, Z2
	VMAXP         Z2, Z0, Z0
	VEXTRACTF64X4 $1, Z0, Y1
	VMAXP         Y1, Y0, Y0
	VEXTRACTF128  $1, Y0, X1
	VMAXP         X1, X0, X0
	VFOLDMAX(X0, X1)
	VMOVS         X0, (DI)
	VZEROUPPER
	RET

// func indexAbsAVX512(x *T, n int, v T) int
//
// The first i with |x[i]| == v, which there is.
TEXT ·indexAbsAVX512(SB), NOSPLIT, $0-32
	MOVQ        x+0(FP), SI
	MOVQ        n+8(FP), CX
	VBROADCASTS v+16(FP), Z0
	ZABSMASK(Z15)
	XORL        BX, BX

next:
	CMPQ   CX, $VEC
	JLT    last
	VPANDQ (SI), Z15, Z1
	VCMPP  $0, Z1, Z0, K1
	KMOVW  K1, AX
	TESTL  AX, AX
	JNE    found
	ADDQ   $64, SI
	ADDQ   $VEC, BX
	SUBQ   $VEC, CX
	JMP    next

last:
	MOVL     $-1, AX
	SHLL     CX, AX
	NOTL     AX
	KMOVW    AX, K2
	VMOVUP.Z (SI), K2, Z1
	VPANDQ   Z1, Z15, Z1
	VCMPP    $0, Z1, Z0, K2, K1
	KMOVW    K1, AX

found:
	BSFL AX, AX
	ADDQ BX, AX
	MOVQ AX, ret+24(FP)
	VZEROUPPER
	RET
