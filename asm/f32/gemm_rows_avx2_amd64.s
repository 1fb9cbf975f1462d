//go:build !noasm

#include "textflag.h"

// The mask of the first t lanes starts 8-t elements into tailMask.
DATA tailMask<>+0(SB)/4, $0xffffffff
DATA tailMask<>+4(SB)/4, $0xffffffff
DATA tailMask<>+8(SB)/4, $0xffffffff
DATA tailMask<>+12(SB)/4, $0xffffffff
DATA tailMask<>+16(SB)/4, $0xffffffff
DATA tailMask<>+20(SB)/4, $0xffffffff
DATA tailMask<>+24(SB)/4, $0xffffffff
DATA tailMask<>+28(SB)/4, $0xffffffff
DATA tailMask<>+32(SB)/4, $0
DATA tailMask<>+36(SB)/4, $0
DATA tailMask<>+40(SB)/4, $0
DATA tailMask<>+44(SB)/4, $0
DATA tailMask<>+48(SB)/4, $0
DATA tailMask<>+52(SB)/4, $0
DATA tailMask<>+56(SB)/4, $0
DATA tailMask<>+60(SB)/4, $0
GLOBL tailMask<>(SB), RODATA|NOPTR, $64

// func gemmRowsAVX2(m, n, k int, a *float32, ars, acs int, b *float32, ldb int, c *float32, ldc int, alpha, beta float32)
//
// For each row i of c, strips of 32 columns lie in Y0 to Y3, single vectors and the
// masked tail in Y0, while l runs over the rows of b.
//
//	R8 rows left          SI &a[i*ars]   DX &c[i*ldc]   DI b
//	R13 columns left      CX &b[j]       BX &c[i*ldc+j]
//	R12 steps of k left   AX &a[i*ars+l*acs]  R9 &b[l*ldb+j]
//	R10 acs in bytes      R11 ldb in bytes
//	X15 alpha   Y14 beta, or 0   Y13 all ones if beta isn't 0   Y12 the tail's mask
TEXT ·gemmRowsAVX2(SB), NOSPLIT, $0-88
	MOVQ         m+0(FP), R8
	MOVQ         a+24(FP), SI
	MOVQ         acs+40(FP), R10
	MOVQ         b+48(FP), DI
	MOVQ         ldb+56(FP), R11
	MOVQ         c+64(FP), DX
	VMOVSS       alpha+80(FP), X15
	VBROADCASTSS beta+84(FP), Y14
	VXORPS       X13, X13, X13
	VCMPPS       $4, Y13, Y14, Y13     // beta != 0
	VANDPS       Y13, Y14, Y14         // beta = +0 where it's -0
	SHLQ         $2, R10
	SHLQ         $2, R11
	MOVQ         n+8(FP), AX
	ANDQ         $7, AX
	NEGQ         AX
	LEAQ         tailMask<>+32(SB), BX
	VMOVUPS      (BX)(AX*4), Y12       // the first n mod 8 lanes

row:  // for ; m != 0; m--
	MOVQ n+8(FP), R13
	MOVQ DX, BX
	MOVQ DI, CX
	SUBQ $32, R13
	JL   vectors

strip:  // four vectors
	VANDPS (BX), Y13, Y0
	VANDPS 32(BX), Y13, Y1
	VANDPS 64(BX), Y13, Y2
	VANDPS 96(BX), Y13, Y3
	VMULPS Y0, Y14, Y0     // beta * c
	VMULPS Y1, Y14, Y1
	VMULPS Y2, Y14, Y2
	VMULPS Y3, Y14, Y3
	MOVQ   k+16(FP), R12
	MOVQ   SI, AX
	MOVQ   CX, R9

stripStep:  // c += (alpha * a[l]) * b[l]
	VMULSS       (AX), X15, X4
	VBROADCASTSS X4, Y4
	VMULPS       (R9), Y4, Y5
	VMULPS       32(R9), Y4, Y6
	VMULPS       64(R9), Y4, Y7
	VMULPS       96(R9), Y4, Y8
	VADDPS       Y5, Y0, Y0
	VADDPS       Y6, Y1, Y1
	VADDPS       Y7, Y2, Y2
	VADDPS       Y8, Y3, Y3
	ADDQ         R10, AX
	ADDQ         R11, R9
	DECQ         R12
	JNE          stripStep
	VMOVUPS      Y0, (BX)
	VMOVUPS      Y1, 32(BX)
	VMOVUPS      Y2, 64(BX)
	VMOVUPS      Y3, 96(BX)
	ADDQ         $128, BX
	ADDQ         $128, CX
	SUBQ         $32, R13
	JGE          strip

vectors:
	ADDQ $24, R13 // columns left - 8
	JL   tail

vector:  // one vector
	VANDPS (BX), Y13, Y0
	VMULPS Y0, Y14, Y0
	MOVQ   k+16(FP), R12
	MOVQ   SI, AX
	MOVQ   CX, R9

vectorStep:
	VMULSS       (AX), X15, X4
	VBROADCASTSS X4, Y4
	VMULPS       (R9), Y4, Y5
	VADDPS       Y5, Y0, Y0
	ADDQ         R10, AX
	ADDQ         R11, R9
	DECQ         R12
	JNE          vectorStep
	VMOVUPS      Y0, (BX)
	ADDQ         $32, BX
	ADDQ         $32, CX
	SUBQ         $8, R13
	JGE          vector

tail:
	ADDQ       $8, R13
	JE         next
	VMASKMOVPS (BX), Y12, Y0
	VANDPS     Y0, Y13, Y0
	VMULPS     Y0, Y14, Y0
	MOVQ       k+16(FP), R12
	MOVQ       SI, AX
	MOVQ       CX, R9

tailStep:
	VMULSS       (AX), X15, X4
	VBROADCASTSS X4, Y4
	VMASKMOVPS   (R9), Y12, Y5
	VMULPS       Y5, Y4, Y5
	VADDPS       Y5, Y0, Y0
	ADDQ         R10, AX
	ADDQ         R11, R9
	DECQ         R12
	JNE          tailStep
	VMASKMOVPS   Y0, Y12, (BX)

next:
	MOVQ ars+32(FP), AX
	MOVQ ldc+72(FP), BX
	LEAQ (SI)(AX*4), SI
	LEAQ (DX)(BX*4), DX
	DECQ R8
	JNE  row
	VZEROUPPER
	RET
