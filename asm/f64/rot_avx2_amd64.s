//go:build !noasm

// Exchanging, rotating, and looking for the largest. Exchanging and rotating take 128 bytes at a
// turn, for n that are whole turns and not 0; looking takes n of a vector and more, the last of
// which may have elements of the one before.
//
//	SI     x
//	DI     y, or the result
//	CX     bytes left
//	DX     the last vector

#include "textflag.h"
#include "type_amd64.h"

#define SWAP(o, x, y) \
	VMOVUP o(SI), x; \
	VMOVUP o(DI), y; \
	VMOVUP x, o(DI); \
	VMOVUP y, o(SI)

// func swapAVX2(x, y *T, n int)
TEXT ·swapAVX2(SB), NOSPLIT, $0-24
	MOVQ x+0(FP), SI
	MOVQ y+8(FP), DI
	MOVQ n+16(FP), CX
	SHLQ $SHIFT, CX

turn:
	SWAP(0, Y0, Y1)
	SWAP(32, Y2, Y3)
	SWAP(64, Y4, Y5)
	SWAP(96, Y6, Y7)
	ADDQ $128, SI
	ADDQ $128, DI
	SUBQ $128, CX
	JNE  turn
	VZEROUPPER
	RET

// x, y = Y14*x + Y15*y, Y14*y - Y15*x
#define ROT(o) \
	VMOVUP o(SI), Y0;    \
	VMOVUP o(DI), Y1;    \
	VMULP  Y0, Y14, Y2;  \
	VMULP  Y1, Y15, Y3;  \
	VMULP  Y1, Y14, Y1;  \
	VMULP  Y0, Y15, Y0;  \
	VADDP  Y3, Y2, Y2;   \
	VSUBP  Y0, Y1, Y1;   \
	VMOVUP Y2, o(SI);    \
	VMOVUP Y1, o(DI)

// func rotAVX2(c T, x *T, s T, y *T, n int)
TEXT ·rotAVX2(SB), NOSPLIT, $0-40
	VBROADCASTS c+0(FP), Y14
	MOVQ        x+8(FP), SI
	VBROADCASTS s+16(FP), Y15
	MOVQ        y+24(FP), DI
	MOVQ        n+32(FP), CX
	SHLQ        $SHIFT, CX

turn:
	ROT(0)
	ROT(32)
	ROT(64)
	ROT(96)
	ADDQ $128, SI
	ADDQ $128, DI
	SUBQ $128, CX
	JNE  turn
	VZEROUPPER
	RET

// largest = the larger one of largest and |x| at byte o. Where x is NaN, the maximum is its
// first operand here.
#define MAX(o, t, largest) \
	VANDPS o(SI), Y15, t; \
	VMAXP  largest, t, largest

// func amaxAVX2(largest, x *T, n int)
//
// largest holds what to start from, and then the result.
TEXT ·amaxAVX2(SB), NOSPLIT, $0-24
	MOVQ        largest+0(FP), DI
	MOVQ        x+8(FP), SI
	MOVQ        n+16(FP), CX
	SHLQ        $SHIFT, CX
	LEAQ        -32(SI)(CX*1), DX
	VABSMASK(Y15)
	VBROADCASTS (DI), Y0
	VMOVUP      Y0, Y1
	VMOVUP      Y0, Y2
	VMOVUP      Y0, Y3
	SUBQ        $128, CX
	JLT         vectors

turn:
	MAX(0, Y4, Y0)
	MAX(32, Y5, Y1)
	MAX(64, Y6, Y2)
	MAX(96, Y7, Y3)
	ADDQ $128, SI
	SUBQ $128, CX
	JGE  turn

vectors:
	ADDQ $96, CX
	JLT  last

vector:
	MAX(0, Y4, Y0)
	ADDQ $32, SI
	SUBQ $32, CX
	JGE  vector

last:
	MOVQ         DX, SI
	MAX(0, Y5, Y1)
	VMAXP        Y3, Y2, Y2
	VMAXP        Y1, Y0, Y0
	VMAXP        Y2, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VMAXP        X1, X0, X0
	VFOLDMAX(X0, X1)
	VMOVS        X0, (DI)
	VZEROUPPER
	RET

// func indexAbsAVX2(x *T, n int, v T) int
//
// The first i with |x[i]| == v, which there is.
TEXT ·indexAbsAVX2(SB), NOSPLIT, $0-32
	MOVQ        x+0(FP), SI
	MOVQ        n+8(FP), CX
	VBROADCASTS v+16(FP), Y0
	VABSMASK(Y15)
	SHLQ        $SHIFT, CX
	LEAQ        -32(SI)(CX*1), DX

next:
	VANDPS    (SI), Y15, Y1
	VCMPP     $0, Y1, Y0, Y1
	VMOVMSKPS Y1, AX
	TESTL     AX, AX
	JNE       found
	ADDQ      $32, SI
	CMPQ      SI, DX
	JLT       next
	MOVQ      DX, SI
	VANDPS    (SI), Y15, Y1
	VCMPP     $0, Y1, Y0, Y1
	VMOVMSKPS Y1, AX

found:
	BSFL AX, AX
	LEAQ (SI)(AX*4), AX
	SUBQ x+0(FP), AX
	SHRQ $SHIFT, AX
	MOVQ AX, ret+24(FP)
	VZEROUPPER
	RET
