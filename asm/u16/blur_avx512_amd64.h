// The body of blurRowAVX512 and blurRowStreamAVX512, n >= 32: see doc.go for the two
// forms of the division.
//
// A vector of src is loaded once; the ones that begin one and two words further are
// permuted from it and the next: three loads, each over two cache lines, cost
// twice the time of the whole loop. Vectors at the ends overlap their neighbours.
//
//	DI dst   R8 below   SI src   R9 above   R10 middle   R12 &src[ahead]
//	AX i     BX where the loops begin   CX n   DX last i of the loops   R13 last i of a vector
//	Z0 src[i:]   Z1 src[i+32:]   Z31 43691   Z30 21845   Z29 1..32   Z28 2..33   Z27 65535

// EXACT sets q = (a+b+c)/3 for any a, b, c.
#define EXACT(a, b, c, q, t) \
	VPADDW   a, b, t        \
	VPCMPUW  $1, a, t, K1   \
	VPSUBW   Z27, t, K1, t  \
	VPADDW   c, t, t        \
	VPCMPUW  $1, c, t, K2   \
	VPSUBW   Z27, t, K2, t  \
	VPMULHUW Z31, t, q      \
	VPSRLW   $1, q, q       \
	VPADDW   Z30, q, K1, q  \
	VPADDW   Z30, q, K2, q

	LEAQ         (SI)(R11*2), R12
	MOVL         $43691, AX
	VPBROADCASTW AX, Z31
	MOVL         $21845, AX
	VPBROADCASTW AX, Z30
	VPTERNLOGD   $0xff, Z27, Z27, Z27
	VMOVDQU64    next<>(SB), Z29
	VPSUBW       Z27, Z29, Z28
	LEAQ         -62(CX), DX            // Z1 ends at src[i+63], and src at src[n+1]
	LEAQ         -32(CX), R13
	MOVQ         BX, AX
	CMPQ         AX, DX
	JGT          rest
	VMOVDQU64    (SI)(AX*2), Z0

plain:  // for ; i <= last; i += 32
	PREFETCHT0 (R12)(AX*2)
	VMOVDQU64  64(SI)(AX*2), Z1
	VMOVDQA64  Z29, Z2
	VPERMI2W   Z1, Z0, Z2              // src[i+1:]
	VMOVDQA64  Z28, Z3
	VPERMI2W   Z1, Z0, Z3              // src[i+2:]
	VPADDUSW   Z0, Z2, Z4
	VPADDUSW   Z3, Z4, Z4
	VPMULHUW   Z31, Z4, Z5
	VPSRLW     $1, Z5, Z5              // b = (src[i] + src[i+1] + src[i+2]) / 3
	VMOVDQU64  (R9)(AX*2), Z6
	VPADDUSW   (R10)(AX*2), Z6, Z6
	VPADDUSW   Z5, Z6, Z6
	VPMULHUW   Z31, Z6, Z7
	VPSRLW     $1, Z7, Z7              // d = (above[i] + middle[i] + b) / 3
	VPMAXUW    Z4, Z6, Z4
	VPCMPEQW   Z27, Z4, K1
	KORTESTD   K1, K1
	JNE        exact                   // a sum saturated
	VMOVDQU64  Z5, (R8)(AX*2)          // below[i] = b
	STORE      Z7, (DI)(AX*2)          // dst[i] = d
	VMOVDQA64  Z1, Z0
	ADDQ       $32, AX
	CMPQ       AX, DX
	JLE        plain
	JMP        rest

exact:  // for ; i <= last; i += 32
	PREFETCHT0 (R12)(AX*2)
	VMOVDQU64  64(SI)(AX*2), Z1
	VMOVDQA64  Z29, Z2
	VPERMI2W   Z1, Z0, Z2              // src[i+1:]
	VMOVDQA64  Z28, Z3
	VPERMI2W   Z1, Z0, Z3              // src[i+2:]
	EXACT(Z0, Z2, Z3, Z5, Z4)          // b = (src[i] + src[i+1] + src[i+2]) / 3
	VMOVDQU64  (R9)(AX*2), Z6
	VMOVDQU64  (R10)(AX*2), Z8
	EXACT(Z6, Z8, Z5, Z7, Z4)          // d = (above[i] + middle[i] + b) / 3
	VMOVDQU64  Z5, (R8)(AX*2)          // below[i] = b
	STORE      Z7, (DI)(AX*2)          // dst[i] = d
	VMOVDQA64  Z1, Z0
	ADDQ       $32, AX
	CMPQ       AX, DX
	JLE        exact

rest:  // for ; i < n; i += 32
	CMPQ    AX, CX
	JGE     head
	CMPQ    AX, R13
	CMOVQGT R13, AX                    // i = min(i, n-32)

vector:
	VMOVDQU64 (SI)(AX*2), Z0
	VMOVDQU64 2(SI)(AX*2), Z2
	VMOVDQU64 4(SI)(AX*2), Z3
	EXACT(Z0, Z2, Z3, Z5, Z4)          // b = (src[i] + src[i+1] + src[i+2]) / 3
	VMOVDQU64 (R9)(AX*2), Z6
	VMOVDQU64 (R10)(AX*2), Z8
	EXACT(Z6, Z8, Z5, Z7, Z4)          // d = (above[i] + middle[i] + b) / 3
	VMOVDQU64 Z5, (R8)(AX*2)           // below[i] = b
	VMOVDQU64 Z7, (DI)(AX*2)           // dst[i] = d
	ADDQ      $32, AX
	JMP       rest

head:  // one vector at 0 for what's before the aligned part
	TESTQ BX, BX
	JEQ   done
	XORL  BX, BX
	XORL  AX, AX
	MOVL  $32, CX
	JMP   vector

done:
	VZEROUPPER
	RET

#undef EXACT
