// The body of blurRowSSE2, n >= 4, whose last vector overlaps its neighbour, and of
// blurRowStreamSSE2, whose dst is whole cache lines.
//
//	DI dst   R8 below   SI src   R9 above   R10 middle   R12 &src[ahead]
//	AX i     CX n   R13 n-4
//	X15 3

// below[i] = (src[i] + src[i+1] + src[i+2]) / 3
// dst[i] = (above[i] + middle[i] + below[i]) / 3
#define ROW(store) \
	MOVUPS (SI)(AX*4), X0   \
	MOVUPS 4(SI)(AX*4), X1  \
	MOVUPS 8(SI)(AX*4), X2  \
	ADDPS  X1, X0           \
	ADDPS  X2, X0           \
	DIVPS  X15, X0          \
	MOVUPS X0, (R8)(AX*4)   \
	MOVUPS (R9)(AX*4), X1   \
	MOVUPS (R10)(AX*4), X2  \
	ADDPS  X2, X1           \
	ADDPS  X0, X1           \
	DIVPS  X15, X1          \
	store  X1, (DI)(AX*4)

	MOVL $0x40400000, AX
	MOVQ AX, X15
	PSHUFD $0, X15, X15
	LEAQ -4(CX), R13
	XORL AX, AX
	CMPQ AX, R13
	JGT  rest

loop:  // for ; i <= n-4; i += 4
	PREFETCH
	ROW(STORE)
	ADDQ $4, AX
	CMPQ AX, R13
	JLE  loop

rest:  // the last vector, if one is left
	CMPQ AX, CX
	JGE  done
	MOVQ R13, AX
	ROW(MOVUPS)

done:
	RET

#undef ROW
