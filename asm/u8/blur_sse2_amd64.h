// The body of blurRowSSE2, n >= 16, whose last vector overlaps its neighbour, and of
// blurRowStreamSSE2, whose dst is whole cache lines.
//
//	DI dst   R9 above   R10 middle   SI src   R12 &src[ahead]
//	AX i     CX n   R13 n-16
//	X15 21846   X14 255, both in words   X13 above[n-16:]
//
// Pixels at even and at odd places are summed apart, as words: what's odd in src[i:] is even
// in src[i+1:], so that two loads give all three addends. x * 21846 >> 16 = x / 3 for the
// sums, which are at most 765.

// below = (src[i] + src[i+1] + src[i+2]) / 3
// dst[i], above[i] = (above[i] + middle[i] + below) / 3, below
#define ROW(store) \
	MOVOU   (SI)(AX*1), X0   \
	MOVOU   2(SI)(AX*1), X2  \
	MOVO    X0, X1           \
	MOVO    X2, X3           \
	PSRLW   $8, X1           \
	PSRLW   $8, X3           \
	PAND    X14, X0          \
	PAND    X14, X2          \
	PADDW   X2, X1           \
	PADDW   X1, X0           \
	PADDW   X3, X1           \
	PMULHUW X15, X0          \
	PMULHUW X15, X1          \
	MOVO    X1, X6           \
	PSLLW   $8, X6           \
	POR     X0, X6           \
	MOVOU   (R9)(AX*1), X2   \
	MOVOU   X6, (R9)(AX*1)   \
	MOVOU   (R10)(AX*1), X4  \
	MOVO    X2, X3           \
	MOVO    X4, X5           \
	PSRLW   $8, X3           \
	PSRLW   $8, X5           \
	PAND    X14, X2          \
	PAND    X14, X4          \
	PADDW   X2, X0           \
	PADDW   X3, X1           \
	PADDW   X4, X0           \
	PADDW   X5, X1           \
	PMULHUW X15, X0          \
	PMULHUW X15, X1          \
	PSLLW   $8, X1           \
	POR     X1, X0           \
	store   X0, (DI)(AX*1)

	MOVL $0x55565556, AX
	MOVQ AX, X15
	PSHUFD $0, X15, X15
	MOVL $0x00ff00ff, AX
	MOVQ AX, X14
	PSHUFD $0, X14, X14
	LEAQ -16(CX), R13
	MOVOU (R9)(R13*1), X13
	XORL AX, AX
	CMPQ AX, R13
	JGT  rest

loop:  // for ; i <= n-16; i += 16
	PREFETCH
	ROW(STORE)
	ADDQ $16, AX
	CMPQ AX, R13
	JLE  loop

rest:  // the last vector, if one is left
	CMPQ AX, CX
	JGE  done
	MOVQ R13, AX
	MOVOU X13, (R9)(AX*1)
	ROW(MOVOU)

done:
	RET

#undef ROW
