//go:build !noasm

#include "textflag.h"

// func gemmPackColsAVX2(dst, src *float64, ld, k, w int, alpha float64)
//
// Copies k rows of w elements, w a multiple of 8, and scales them.
TEXT ·gemmPackColsAVX2(SB), NOSPLIT, $0-48
	MOVQ         dst+0(FP), DI
	MOVQ         src+8(FP), SI
	MOVQ         ld+16(FP), R9
	MOVQ         k+24(FP), CX
	MOVQ         w+32(FP), R10
	VBROADCASTSD alpha+40(FP), Y15
	SHLQ         $3, R9            // R9 = a row of src in bytes
	SHLQ         $3, R10           // R10 = a row of dst in bytes

row:  // for ; k != 0; k--
	XORQ AX, AX

eight:  // for j := 0; j < w; j += 8
	VMULPD  (SI)(AX*1), Y15, Y0   // dst[j:j+8] = alpha * src[j:j+8]
	VMULPD  32(SI)(AX*1), Y15, Y1
	VMOVUPD Y0, (DI)(AX*1)
	VMOVUPD Y1, 32(DI)(AX*1)
	ADDQ    $64, AX
	CMPQ    AX, R10
	JNE     eight
	ADDQ    R10, DI
	ADDQ    R9, SI
	DECQ    CX
	JNE     row
	VZEROUPPER
	RET

// func gemmPackRowsAVX2(dst *float64, w int, src *float64, ld, k int, alpha float64)
//
// Transposes 8 rows of k elements and scales them, 2 columns at a time: row i and row i+2
// share a register, so that unpacking gives whole rows of dst.
TEXT ·gemmPackRowsAVX2(SB), NOSPLIT, $0-48
	MOVQ         dst+0(FP), DI
	MOVQ         w+8(FP), R8
	MOVQ         src+16(FP), SI
	MOVQ         ld+24(FP), R9
	MOVQ         k+32(FP), CX
	VBROADCASTSD alpha+40(FP), Y15
	SHLQ         $3, R8            // R8 = a row of dst in bytes
	SHLQ         $3, R9            // R9 = a row of src in bytes
	LEAQ         (R9)(R9*2), R10   // R10 = three rows of src
	LEAQ         (SI)(R9*4), R11   // R11 = row 4
	SUBQ         $2, CX
	JL           tail

two:  // columns l and l+1
	VMOVUPD     (SI), X0
	VMOVUPD     (SI)(R9*1), X1
	VMOVUPD     (R11), X2
	VMOVUPD     (R11)(R9*1), X3
	VINSERTF128 $1, (SI)(R9*2), Y0, Y0   // rows 0 | 2
	VINSERTF128 $1, (SI)(R10*1), Y1, Y1  // rows 1 | 3
	VINSERTF128 $1, (R11)(R9*2), Y2, Y2  // rows 4 | 6
	VINSERTF128 $1, (R11)(R10*1), Y3, Y3 // rows 5 | 7
	VUNPCKLPD   Y1, Y0, Y4               // rows 0 to 3 of column l
	VUNPCKLPD   Y3, Y2, Y5               // rows 4 to 7
	VUNPCKHPD   Y1, Y0, Y6               // column l+1
	VUNPCKHPD   Y3, Y2, Y7
	VMULPD      Y4, Y15, Y4
	VMULPD      Y5, Y15, Y5
	VMULPD      Y6, Y15, Y6
	VMULPD      Y7, Y15, Y7
	VMOVUPD     Y4, (DI)
	VMOVUPD     Y5, 32(DI)
	VMOVUPD     Y6, (DI)(R8*1)
	VMOVUPD     Y7, 32(DI)(R8*1)
	LEAQ        (DI)(R8*2), DI
	ADDQ        $16, SI
	ADDQ        $16, R11
	SUBQ        $2, CX
	JGE         two

tail:  // the last column of an odd k
	ADDQ $2, CX
	JE   done

one:
	VMULSD (SI), X15, X0         // dst[0] = alpha * src[0*ld]
	VMULSD (SI)(R9*1), X15, X1   // dst[1] = alpha * src[1*ld]
	VMULSD (SI)(R9*2), X15, X2   // dst[2] = alpha * src[2*ld]
	VMULSD (SI)(R10*1), X15, X3  // dst[3] = alpha * src[3*ld]
	VMULSD (R11), X15, X4        // dst[4] = alpha * src[4*ld]
	VMULSD (R11)(R9*1), X15, X5  // dst[5] = alpha * src[5*ld]
	VMULSD (R11)(R9*2), X15, X6  // dst[6] = alpha * src[6*ld]
	VMULSD (R11)(R10*1), X15, X7 // dst[7] = alpha * src[7*ld]
	VMOVSD X0, (DI)
	VMOVSD X1, 8(DI)
	VMOVSD X2, 16(DI)
	VMOVSD X3, 24(DI)
	VMOVSD X4, 32(DI)
	VMOVSD X5, 40(DI)
	VMOVSD X6, 48(DI)
	VMOVSD X7, 56(DI)
	ADDQ   R8, DI
	ADDQ   $8, SI
	ADDQ   $8, R11
	DECQ   CX
	JNE    one

done:
	VZEROUPPER
	RET
