// The body of blurRowAVX2, n >= 8, whose last vector overlaps its neighbour, and of
// blurRowStreamAVX2, whose dst is whole cache lines.
//
//	DI dst   R9 above   R10 middle   SI src   R12 &src[ahead]
//	AX i     CX n   R13 n-8
//	Y15 3   Y14 above[n-8:]

// below = (src[i] + src[i+1] + src[i+2]) / 3
// dst[i], above[i] = (above[i] + middle[i] + below) / 3, below
#define ROW(store) \
	VMOVUPS (SI)(AX*4), Y0       \
	VADDPS  4(SI)(AX*4), Y0, Y0  \
	VADDPS  8(SI)(AX*4), Y0, Y0  \
	VDIVPS  Y15, Y0, Y0          \
	VMOVUPS (R9)(AX*4), Y1       \
	VMOVUPS Y0, (R9)(AX*4)       \
	VADDPS  (R10)(AX*4), Y1, Y1  \
	VADDPS  Y0, Y1, Y1           \
	VDIVPS  Y15, Y1, Y1          \
	store   Y1, (DI)(AX*4)

	MOVL $0x40400000, AX
	MOVQ AX, X15
	VPBROADCASTD X15, Y15
	LEAQ -8(CX), R13
	VMOVUPS (R9)(R13*4), Y14
	XORL AX, AX
	CMPQ AX, R13
	JGT  rest

loop:  // for ; i <= n-8; i += 8
	PREFETCH
	ROW(STORE)
	ADDQ $8, AX
	CMPQ AX, R13
	JLE  loop

rest:  // the last vector, if one is left
	CMPQ AX, CX
	JGE  done
	MOVQ R13, AX
	VMOVUPS Y14, (R9)(AX*4)
	ROW(VMOVUPS)

done:
	VZEROUPPER
	RET

#undef ROW
