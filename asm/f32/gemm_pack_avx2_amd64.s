//go:build !noasm

#include "textflag.h"

// func gemmPackColsAVX2(dst, src *float32, ld, k, w int, alpha float32)
//
// Copies k rows of w elements, w a multiple of 8, and scales them.
TEXT ·gemmPackColsAVX2(SB), NOSPLIT, $0-44
	MOVQ         dst+0(FP), DI
	MOVQ         src+8(FP), SI
	MOVQ         ld+16(FP), R9
	MOVQ         k+24(FP), CX
	MOVQ         w+32(FP), R10
	VBROADCASTSS alpha+40(FP), Y15
	SHLQ         $2, R9            // R9 = a row of src in bytes
	SHLQ         $2, R10           // R10 = a row of dst in bytes

row:  // for ; k != 0; k--
	XORQ AX, AX

eight:  // for j := 0; j < w; j += 8
	VMULPS  (SI)(AX*1), Y15, Y0 // dst[j:j+8] = alpha * src[j:j+8]
	VMOVUPS Y0, (DI)(AX*1)
	ADDQ    $32, AX
	CMPQ    AX, R10
	JNE     eight
	ADDQ    R10, DI
	ADDQ    R9, SI
	DECQ    CX
	JNE     row
	VZEROUPPER
	RET

// func gemmPackRowsAVX2(dst *float32, w int, src *float32, ld, k int, alpha float32)
//
// Transposes 8 rows of k elements and scales them, 4 columns at a time: row i and row i+4 share
// a register, so that the 4x4 transposition inside each half gives whole rows of dst.
TEXT ·gemmPackRowsAVX2(SB), NOSPLIT, $0-44
	MOVQ         dst+0(FP), DI
	MOVQ         w+8(FP), R8
	MOVQ         src+16(FP), SI
	MOVQ         ld+24(FP), R9
	MOVQ         k+32(FP), CX
	VBROADCASTSS alpha+40(FP), Y15
	SHLQ         $2, R8            // R8 = a row of dst in bytes
	SHLQ         $2, R9            // R9 = a row of src in bytes
	LEAQ         (R9)(R9*2), R10   // R10 = three rows of src
	LEAQ         (SI)(R9*4), R11   // R11 = row 4
	SUBQ         $4, CX
	JL           tail

four:  // columns l to l+3
	VMOVUPS     (SI), X0
	VMOVUPS     (SI)(R9*1), X1
	VMOVUPS     (SI)(R9*2), X2
	VMOVUPS     (SI)(R10*1), X3
	VINSERTF128 $1, (R11), Y0, Y0        // rows 0 | 4
	VINSERTF128 $1, (R11)(R9*1), Y1, Y1  // rows 1 | 5
	VINSERTF128 $1, (R11)(R9*2), Y2, Y2  // rows 2 | 6
	VINSERTF128 $1, (R11)(R10*1), Y3, Y3 // rows 3 | 7
	VUNPCKLPS   Y1, Y0, Y4               // rows 0 1, columns l, l+1
	VUNPCKHPS   Y1, Y0, Y5               // rows 0 1, columns l+2, l+3
	VUNPCKLPS   Y3, Y2, Y6               // rows 2 3, columns l, l+1
	VUNPCKHPS   Y3, Y2, Y7               // rows 2 3, columns l+2, l+3
	VUNPCKLPD   Y6, Y4, Y0               // column l
	VUNPCKHPD   Y6, Y4, Y1               // column l+1
	VUNPCKLPD   Y7, Y5, Y2               // column l+2
	VUNPCKHPD   Y7, Y5, Y3               // column l+3
	VMULPS      Y0, Y15, Y0
	VMULPS      Y1, Y15, Y1
	VMULPS      Y2, Y15, Y2
	VMULPS      Y3, Y15, Y3
	LEAQ        (DI)(R8*2), AX
	VMOVUPS     Y0, (DI)
	VMOVUPS     Y1, (DI)(R8*1)
	VMOVUPS     Y2, (AX)
	VMOVUPS     Y3, (AX)(R8*1)
	LEAQ        (AX)(R8*2), DI
	ADDQ        $16, SI
	ADDQ        $16, R11
	SUBQ        $4, CX
	JGE         four

tail:  // the last k mod 4 columns
	ADDQ $4, CX
	JE   done

one:
	VMULSS (SI), X15, X0         // dst[0] = alpha * src[0*ld]
	VMULSS (SI)(R9*1), X15, X1   // dst[1] = alpha * src[1*ld]
	VMULSS (SI)(R9*2), X15, X2   // dst[2] = alpha * src[2*ld]
	VMULSS (SI)(R10*1), X15, X3  // dst[3] = alpha * src[3*ld]
	VMULSS (R11), X15, X4        // dst[4] = alpha * src[4*ld]
	VMULSS (R11)(R9*1), X15, X5  // dst[5] = alpha * src[5*ld]
	VMULSS (R11)(R9*2), X15, X6  // dst[6] = alpha * src[6*ld]
	VMULSS (R11)(R10*1), X15, X7 // dst[7] = alpha * src[7*ld]
	VMOVSS X0, (DI)
	VMOVSS X1, 4(DI)
	VMOVSS X2, 8(DI)
	VMOVSS X3, 12(DI)
	VMOVSS X4, 16(DI)
	VMOVSS X5, 20(DI)
	VMOVSS X6, 24(DI)
	VMOVSS X7, 28(DI)
	ADDQ   R8, DI
	ADDQ   $4, SI
	ADDQ   $4, R11
	DECQ   CX
	JNE    one

done:
	VZEROUPPER
	RET
