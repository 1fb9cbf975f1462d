// The loop in the plain form of the division, which blurRowAVX2 begins with, and both stream
// forms: in AVX-512 it streams a quarter faster than the one with vectors of 64 bytes.
// It goes on at the label exact, with the i it has come to.
//
//	DI dst   R9 above   R10 middle   SI src   R12 &src[ahead]
//	AX i     CX n   DX n-32
//	Y15 43691   Y13 65535

	LEAQ -32(CX), DX
	XORL AX, AX
	CMPQ AX, DX
	JGT  exact

plain:  // for ; i <= n-32; i += 32
	PREFETCH
	VMOVDQU  (SI)(AX*2), Y0
	VMOVDQU  32(SI)(AX*2), Y4
	VPADDUSW 2(SI)(AX*2), Y0, Y0
	VPADDUSW 34(SI)(AX*2), Y4, Y4
	VPADDUSW 4(SI)(AX*2), Y0, Y0
	VPADDUSW 36(SI)(AX*2), Y4, Y4
	VPMULHUW Y15, Y0, Y1
	VPMULHUW Y15, Y4, Y5
	VPSRLW   $1, Y1, Y1           // b = (src[i] + src[i+1] + src[i+2]) / 3
	VPSRLW   $1, Y5, Y5
	VMOVDQU  (R9)(AX*2), Y2
	VMOVDQU  32(R9)(AX*2), Y6
	VPADDUSW (R10)(AX*2), Y2, Y2
	VPADDUSW 32(R10)(AX*2), Y6, Y6
	VPADDUSW Y1, Y2, Y2
	VPADDUSW Y5, Y6, Y6
	VPMULHUW Y15, Y2, Y3
	VPMULHUW Y15, Y6, Y7
	VPSRLW   $1, Y3, Y3           // d = (above[i] + middle[i] + b) / 3
	VPSRLW   $1, Y7, Y7
	VPMAXUW  Y0, Y2, Y0
	VPMAXUW  Y4, Y6, Y4
	VPMAXUW  Y0, Y4, Y0
	VPCMPEQW Y13, Y0, Y0
	VPTEST   Y0, Y0
	JNE      exact                // a sum saturated
	VMOVDQU  Y1, (R9)(AX*2)       // above[i] = b
	VMOVDQU  Y5, 32(R9)(AX*2)
	STOREY   Y3, (DI)(AX*2)       // dst[i] = d
	STOREY   Y7, 32(DI)(AX*2)
	ADDQ     $32, AX
	CMPQ     AX, DX
	JLE      plain
