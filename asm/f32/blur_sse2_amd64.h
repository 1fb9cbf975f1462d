// The body of blurRowSSE2, n >= 4, whose last vector overlaps its neighbour, and of
// blurRowStreamSSE2, whose dst is whole cache lines.
//
//	DI dst   R9 above   R10 middle   SI src   R12 &src[ahead]
//	AX i     CX n   R13 n-4
//	X15 3   X14 above[n-4:]

// below = (src[i] + src[i+1] + src[i+2]) / 3
// dst[i], above[i] = (above[i] + middle[i] + below) / 3, below
#define ROW(store) \
	MOVUPS (SI)(AX*4), X0   \
	MOVUPS 4(SI)(AX*4), X1  \
	MOVUPS 8(SI)(AX*4), X2  \
	ADDPS  X1, X0           \
	ADDPS  X2, X0           \
	DIVPS  X15, X0          \
	MOVUPS (R9)(AX*4), X1   \
	MOVUPS X0, (R9)(AX*4)   \
	MOVUPS (R10)(AX*4), X2  \
	ADDPS  X2, X1           \
	ADDPS  X0, X1           \
	DIVPS  X15, X1          \
	store  X1, (DI)(AX*4)

	MOVL $0x40400000, AX
	MOVQ AX, X15
	PSHUFD $0, X15, X15
	LEAQ -4(CX), R13
	MOVUPS (R9)(R13*4), X14
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
	MOVUPS X14, (R9)(AX*4)
	ROW(MOVUPS)

done:
	RET

#undef ROW
