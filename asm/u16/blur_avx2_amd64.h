// The body of blurRowAVX2 and blurRowStreamAVX2, n >= 16: see doc.go for the two forms
// of the division. Vectors at the ends overlap their neighbours.
//
//	DI dst   R8 below   SI src   R9 above   R10 middle   R12 &src[ahead]
//	AX i     BX where the loops begin   CX n   DX n-32   R13 n-16
//	Y15 43691   Y14 5463   Y13 65535

// EXACT sets p = (a+b+c)/3 for any a, b, c.
#define EXACT(a, b, c, p, d) \
	VPAVGW   a, b, d     \
	VPAVGW   c, d, p     \
	VPAVGW   d, p, p     \
	VPSUBW   Y14, p, p   \
	VPADDW   a, b, d     \
	VPADDW   c, d, d     \
	VPSUBW   p, d, d     \
	VPSUBW   p, d, d     \
	VPSUBW   p, d, d     \
	VPMULHUW Y15, d, d   \
	VPSRLW   $1, d, d    \
	VPADDW   d, p, p

	LEAQ         (SI)(R11*2), R12
	MOVL         $43691, AX
	MOVQ         AX, X15
	VPBROADCASTW X15, Y15
	MOVL         $5463, AX
	MOVQ         AX, X14
	VPBROADCASTW X14, Y14
	VPCMPEQW     Y13, Y13, Y13
	LEAQ         -32(CX), DX
	LEAQ         -16(CX), R13
	MOVQ         BX, AX
	CMPQ         AX, DX
	JGT          more

plain:  // for ; i <= n-32; i += 32
	PREFETCHT0 (R12)(AX*2)
	VMOVDQU    (SI)(AX*2), Y0
	VMOVDQU    32(SI)(AX*2), Y4
	VPADDUSW   2(SI)(AX*2), Y0, Y0
	VPADDUSW   34(SI)(AX*2), Y4, Y4
	VPADDUSW   4(SI)(AX*2), Y0, Y0
	VPADDUSW   36(SI)(AX*2), Y4, Y4
	VPMULHUW   Y15, Y0, Y1
	VPMULHUW   Y15, Y4, Y5
	VPSRLW     $1, Y1, Y1           // b = (src[i] + src[i+1] + src[i+2]) / 3
	VPSRLW     $1, Y5, Y5
	VMOVDQU    (R9)(AX*2), Y2
	VMOVDQU    32(R9)(AX*2), Y6
	VPADDUSW   (R10)(AX*2), Y2, Y2
	VPADDUSW   32(R10)(AX*2), Y6, Y6
	VPADDUSW   Y1, Y2, Y2
	VPADDUSW   Y5, Y6, Y6
	VPMULHUW   Y15, Y2, Y3
	VPMULHUW   Y15, Y6, Y7
	VPSRLW     $1, Y3, Y3           // d = (above[i] + middle[i] + b) / 3
	VPSRLW     $1, Y7, Y7
	VPMAXUW    Y0, Y2, Y0
	VPMAXUW    Y4, Y6, Y4
	VPMAXUW    Y0, Y4, Y0
	VPCMPEQW   Y13, Y0, Y0
	VPTEST     Y0, Y0
	JNE        exact                // a sum saturated
	VMOVDQU    Y1, (R8)(AX*2)       // below[i] = b
	VMOVDQU    Y5, 32(R8)(AX*2)
	STORE      Y3, (DI)(AX*2)       // dst[i] = d
	STORE      Y7, 32(DI)(AX*2)
	ADDQ       $32, AX
	CMPQ       AX, DX
	JLE        plain

more:
	CMPQ AX, R13
	JGT  rest

exact:  // for ; i <= n-16; i += 16
	PREFETCHT0 (R12)(AX*2)
	VMOVDQU    (SI)(AX*2), Y0
	VMOVDQU    2(SI)(AX*2), Y1
	VMOVDQU    4(SI)(AX*2), Y2
	EXACT(Y0, Y1, Y2, Y3, Y4)       // b = (src[i] + src[i+1] + src[i+2]) / 3
	VMOVDQU    (R9)(AX*2), Y5
	VMOVDQU    (R10)(AX*2), Y6
	EXACT(Y5, Y6, Y3, Y7, Y4)       // d = (above[i] + middle[i] + b) / 3
	VMOVDQU    Y3, (R8)(AX*2)       // below[i] = b
	STORE      Y7, (DI)(AX*2)       // dst[i] = d
	ADDQ       $16, AX
	CMPQ       AX, R13
	JLE        exact

rest:  // the last vector, if one is left
	CMPQ AX, CX
	JGE  head
	MOVQ R13, AX

vector:
	VMOVDQU (SI)(AX*2), Y0
	VMOVDQU 2(SI)(AX*2), Y1
	VMOVDQU 4(SI)(AX*2), Y2
	EXACT(Y0, Y1, Y2, Y3, Y4)       // b = (src[i] + src[i+1] + src[i+2]) / 3
	VMOVDQU (R9)(AX*2), Y5
	VMOVDQU (R10)(AX*2), Y6
	EXACT(Y5, Y6, Y3, Y7, Y4)       // d = (above[i] + middle[i] + b) / 3
	VMOVDQU Y3, (R8)(AX*2)          // below[i] = b
	VMOVDQU Y7, (DI)(AX*2)          // dst[i] = d

head:  // one vector at 0 for what's before the aligned part
	TESTQ BX, BX
	JEQ   done
	XORL  BX, BX
	XORL  AX, AX
	JMP   vector

done:
	VZEROUPPER
	RET

#undef EXACT
