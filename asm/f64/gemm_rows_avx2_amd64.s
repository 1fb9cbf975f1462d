//go:build !noasm

#include "textflag.h"

// The mask of the first t lanes starts 4-t elements into tailMask.
DATA tailMask<>+0(SB)/8, $0xffffffffffffffff
DATA tailMask<>+8(SB)/8, $0xffffffffffffffff
DATA tailMask<>+16(SB)/8, $0xffffffffffffffff
DATA tailMask<>+24(SB)/8, $0xffffffffffffffff
DATA tailMask<>+32(SB)/8, $0
DATA tailMask<>+40(SB)/8, $0
DATA tailMask<>+48(SB)/8, $0
DATA tailMask<>+56(SB)/8, $0
GLOBL tailMask<>(SB), RODATA|NOPTR, $64

// func gemmRowsAVX2(m, n, k int, a *float64, ars, acs int, b *float64, ldb int, c *float64, ldc int, alpha, beta float64)
//
// For each row i of c, strips of 16 columns lie in Y0 to Y3, single vectors and the
// masked tail in Y0, while l runs over the rows of b.
//
//	R8 rows left          SI &a[i*ars]   DX &c[i*ldc]   DI b
//	R13 columns left      CX &b[j]       BX &c[i*ldc+j]
//	R12 steps of k left   AX &a[i*ars+l*acs]  R9 &b[l*ldb+j]
//	R10 acs in bytes      R11 ldb in bytes
//	X15 alpha   Y14 beta, or 0   Y13 all ones if beta isn't 0   Y12 the tail's mask
TEXT ·gemmRowsAVX2(SB), NOSPLIT, $0-96
	MOVQ         m+0(FP), R8
	MOVQ         a+24(FP), SI
	MOVQ         acs+40(FP), R10
	MOVQ         b+48(FP), DI
	MOVQ         ldb+56(FP), R11
	MOVQ         c+64(FP), DX
	VMOVSD       alpha+80(FP), X15
	VBROADCASTSD beta+88(FP), Y14
	VXORPS       X13, X13, X13
	VCMPPD       $4, Y13, Y14, Y13     // beta != 0
	VANDPD       Y13, Y14, Y14         // beta = +0 where it's -0
	SHLQ         $3, R10
	SHLQ         $3, R11
	MOVQ         n+8(FP), AX
	ANDQ         $3, AX
	NEGQ         AX
	LEAQ         tailMask<>+32(SB), BX
	VMOVUPD      (BX)(AX*8), Y12       // the first n mod 4 lanes

row:  // for ; m != 0; m--
	MOVQ n+8(FP), R13
	MOVQ DX, BX
	MOVQ DI, CX
	SUBQ $16, R13
	JL   vectors

strip:  // four vectors
	VANDPD (BX), Y13, Y0
	VANDPD 32(BX), Y13, Y1
	VANDPD 64(BX), Y13, Y2
	VANDPD 96(BX), Y13, Y3
	VMULPD Y0, Y14, Y0     // beta * c
	VMULPD Y1, Y14, Y1
	VMULPD Y2, Y14, Y2
	VMULPD Y3, Y14, Y3
	MOVQ   k+16(FP), R12
	MOVQ   SI, AX
	MOVQ   CX, R9

stripStep:  // c += (alpha * a[l]) * b[l]
	VMULSD       (AX), X15, X4
	VBROADCASTSD X4, Y4
	VMULPD       (R9), Y4, Y5
	VMULPD       32(R9), Y4, Y6
	VMULPD       64(R9), Y4, Y7
	VMULPD       96(R9), Y4, Y8
	VADDPD       Y5, Y0, Y0
	VADDPD       Y6, Y1, Y1
	VADDPD       Y7, Y2, Y2
	VADDPD       Y8, Y3, Y3
	ADDQ         R10, AX
	ADDQ         R11, R9
	DECQ         R12
	JNE          stripStep
	VMOVUPD      Y0, (BX)
	VMOVUPD      Y1, 32(BX)
	VMOVUPD      Y2, 64(BX)
	VMOVUPD      Y3, 96(BX)
	ADDQ         $128, BX
	ADDQ         $128, CX
	SUBQ         $16, R13
	JGE          strip

vectors:
	ADDQ $12, R13 // columns left - 4
	JL   tail

vector:  // one vector
	VANDPD (BX), Y13, Y0
	VMULPD Y0, Y14, Y0
	MOVQ   k+16(FP), R12
	MOVQ   SI, AX
	MOVQ   CX, R9

vectorStep:
	VMULSD       (AX), X15, X4
	VBROADCASTSD X4, Y4
	VMULPD       (R9), Y4, Y5
	VADDPD       Y5, Y0, Y0
	ADDQ         R10, AX
	ADDQ         R11, R9
	DECQ         R12
	JNE          vectorStep
	VMOVUPD      Y0, (BX)
	ADDQ         $32, BX
	ADDQ         $32, CX
	SUBQ         $4, R13
	JGE          vector

tail:
	ADDQ       $4, R13
	JE         next
	VMASKMOVPD (BX), Y12, Y0
	VANDPD     Y0, Y13, Y0
	VMULPD     Y0, Y14, Y0
	MOVQ       k+16(FP), R12
	MOVQ       SI, AX
	MOVQ       CX, R9

tailStep:
	VMULSD       (AX), X15, X4
	VBROADCASTSD X4, Y4
	VMASKMOVPD   (R9), Y12, Y5
	VMULPD       Y5, Y4, Y5
	VADDPD       Y5, Y0, Y0
	ADDQ         R10, AX
	ADDQ         R11, R9
	DECQ         R12
	JNE          tailStep
	VMASKMOVPD   Y0, Y12, (BX)

next:
	MOVQ ars+32(FP), AX
	MOVQ ldc+72(FP), BX
	LEAQ (SI)(AX*8), SI
	LEAQ (DX)(BX*8), DX
	DECQ R8
	JNE  row
	VZEROUPPER
	RET
