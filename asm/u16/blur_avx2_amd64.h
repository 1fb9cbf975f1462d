// The body of blurRowAVX2, n >= 16, whose last vector overlaps its neighbour, and of
// blurRowStreamAVX2, whose dst is whole cache lines: see doc.go for the two forms of the
// division.
//
//	DI dst   R9 above   R10 middle   SI src   R12 &src[ahead]
//	AX i     CX n   R13 n-16
//	Y15 43691   Y14 5463   Y13 65535   Y12 3   Y11 above[n-16:]

// EXACT sets p = (a+b+c)/3 for any a, b, c, and spoils Y8.
#define EXACT(a, b, c, p, d) \
	VPAVGW   a, b, d     \
	VPAVGW   c, d, p     \
	VPAVGW   d, p, p     \
	VPSUBW   Y14, p, p   \
	VPMULLW  Y12, p, Y8  \
	VPADDW   a, b, d     \
	VPADDW   c, d, d     \
	VPSUBW   Y8, d, d    \
	VPMULHUW Y15, d, d   \
	VPSRLW   $1, d, d    \
	VPADDW   d, p, p

// below = (src[i] + src[i+1] + src[i+2]) / 3
// dst[i], above[i] = (above[i] + middle[i] + below) / 3, below
#define ROW(store) \
	VMOVDQU (SI)(AX*2), Y0     \
	VMOVDQU 2(SI)(AX*2), Y1    \
	VMOVDQU 4(SI)(AX*2), Y2    \
	EXACT(Y0, Y1, Y2, Y3, Y4)  \
	VMOVDQU (R9)(AX*2), Y5     \
	VMOVDQU (R10)(AX*2), Y6    \
	EXACT(Y5, Y6, Y3, Y7, Y4)  \
	VMOVDQU Y3, (R9)(AX*2)     \
	store   Y7, (DI)(AX*2)

	MOVL         $43691, AX
	MOVQ         AX, X15
	VPBROADCASTW X15, Y15
	MOVL         $5463, AX
	MOVQ         AX, X14
	VPBROADCASTW X14, Y14
	MOVL         $3, AX
	MOVQ         AX, X12
	VPBROADCASTW X12, Y12
	VPCMPEQW     Y13, Y13, Y13
	LEAQ         -16(CX), R13
	VMOVDQU      (R9)(R13*2), Y11

#include "blur_plain_avx2_amd64.h"

exact:
	CMPQ AX, R13
	JGT  rest

loop:  // for ; i <= n-16; i += 16
	PREFETCH
	ROW(STOREY)
	ADDQ $16, AX
	CMPQ AX, R13
	JLE  loop

rest:  // the last vector, if one is left
	CMPQ AX, CX
	JGE  done
	MOVQ R13, AX
	VMOVDQU Y11, (R9)(AX*2)
	ROW(VMOVDQU)

done:
	VZEROUPPER
	RET

#undef EXACT
#undef ROW
