// The body of blurRowSSE2, n >= 8, whose last vector overlaps its neighbour, and of
// blurRowStreamSSE2, whose dst is whole cache lines: the exact form of the division alone,
// see doc.go.
//
//	DI dst   R9 above   R10 middle   SI src   R12 &src[ahead]
//	AX i     CX n   R13 n-8
//	X15 43691   X14 5463   X13 above[n-8:]

// EXACT sets p = (p+b+c)/3 for any p, b, c, and spoils b.
#define EXACT(p, b, c, d) \
	MOVO    p, d     \
	PADDW   b, d     \
	PADDW   c, d     \
	PAVGW   p, b     \
	MOVO    b, p     \
	PAVGW   c, p     \
	PAVGW   b, p     \
	PSUBW   X14, p   \
	PSUBW   p, d     \
	PSUBW   p, d     \
	PSUBW   p, d     \
	PMULHUW X15, d   \
	PSRLW   $1, d    \
	PADDW   d, p

// below = (src[i] + src[i+1] + src[i+2]) / 3
// dst[i], above[i] = (above[i] + middle[i] + below) / 3, below
#define ROW(store) \
	MOVOU (SI)(AX*2), X0   \
	MOVOU 2(SI)(AX*2), X1  \
	MOVOU 4(SI)(AX*2), X2  \
	EXACT(X0, X1, X2, X3)  \
	MOVOU (R9)(AX*2), X4   \
	MOVOU (R10)(AX*2), X5  \
	EXACT(X4, X5, X0, X3)  \
	MOVOU X0, (R9)(AX*2)   \
	store X4, (DI)(AX*2)

	MOVL   $0xaaabaaab, AX
	MOVQ   AX, X15
	PSHUFD $0, X15, X15
	MOVL   $0x15571557, AX
	MOVQ   AX, X14
	PSHUFD $0, X14, X14
	LEAQ   -8(CX), R13
	MOVOU  (R9)(R13*2), X13
	XORL   AX, AX
	CMPQ   AX, R13
	JGT    rest

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
	MOVOU X13, (R9)(AX*2)
	ROW(MOVOU)

done:
	RET

#undef EXACT
#undef ROW
