// The body of blurRowAVX2, n >= 32, whose last vector overlaps its neighbour, and of
// blurRowStreamAVX2, whose dst is whole cache lines.
//
//	DI dst   R9 above   R10 middle   SI src   R12 &src[ahead]
//	AX i     CX n   R13 n-32
//	Y15 21846   Y14 255, both in words   Y13 above[n-32:]
//
// Pixels at even and at odd places are summed apart, as words: what's odd in src[i:] is even
// in src[i+1:], so that two loads give all three addends. x * 21846 >> 16 = x / 3 for the
// sums, which are at most 765.

// below = (src[i] + src[i+1] + src[i+2]) / 3
// dst[i], above[i] = (above[i] + middle[i] + below) / 3, below
#define ROW(store) \
	VMOVDQU  (SI)(AX*1), Y0      \
	VMOVDQU  2(SI)(AX*1), Y2     \
	VPSRLW   $8, Y0, Y1          \
	VPSRLW   $8, Y2, Y3          \
	VPAND    Y14, Y0, Y0         \
	VPAND    Y14, Y2, Y2         \
	VPADDW   Y1, Y2, Y1          \
	VPADDW   Y0, Y1, Y0          \
	VPADDW   Y3, Y1, Y1          \
	VPMULHUW Y15, Y0, Y0         \
	VPMULHUW Y15, Y1, Y1         \
	VPSLLW   $8, Y1, Y6          \
	VPOR     Y0, Y6, Y6          \
	VMOVDQU  (R9)(AX*1), Y2      \
	VMOVDQU  Y6, (R9)(AX*1)      \
	VMOVDQU  (R10)(AX*1), Y4     \
	VPSRLW   $8, Y2, Y3          \
	VPSRLW   $8, Y4, Y5          \
	VPAND    Y14, Y2, Y2         \
	VPAND    Y14, Y4, Y4         \
	VPADDW   Y2, Y0, Y0          \
	VPADDW   Y3, Y1, Y1          \
	VPADDW   Y4, Y0, Y0          \
	VPADDW   Y5, Y1, Y1          \
	VPMULHUW Y15, Y0, Y0         \
	VPMULHUW Y15, Y1, Y1         \
	VPSLLW   $8, Y1, Y1          \
	VPOR     Y0, Y1, Y0          \
	store    Y0, (DI)(AX*1)

	MOVL $21846, AX
	MOVQ AX, X15
	VPBROADCASTW X15, Y15
	MOVL $255, AX
	MOVQ AX, X14
	VPBROADCASTW X14, Y14
	LEAQ -32(CX), R13
	VMOVDQU (R9)(R13*1), Y13
	XORL AX, AX
	CMPQ AX, R13
	JGT  rest

loop:  // for ; i <= n-32; i += 32
	PREFETCH
	ROW(STORE)
	ADDQ $32, AX
	CMPQ AX, R13
	JLE  loop

rest:  // the last vector, if one is left
	CMPQ AX, CX
	JGE  done
	MOVQ R13, AX
	VMOVDQU Y13, (R9)(AX*1)
	ROW(VMOVDQU)

done:
	VZEROUPPER
	RET

#undef ROW
