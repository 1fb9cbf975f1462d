// The body of blurRowAVX512, n >= 32, whose last vector overlaps its neighbour, and of
// blurRowStreamAVX512, whose dst is whole cache lines: see doc.go for the two forms of the
// division.
//
// A vector of src is loaded once; the ones that begin one and two words further are
// permuted from it and the next: three loads, each over two cache lines, cost
// twice the time of the whole loop. No vector is masked: one that reaches, with words left
// out, into a page that isn't there yet takes some 800 cycles, each time.
//
//	DI dst   R9 above   R10 middle   SI src   R12 &src[ahead]
//	AX i     CX n   R13 n-32   DX last i of the loops
//	Z0 src[i:]   Z1 src[i+32:]   Z15 43691   Z14 5463   Z13 65535   Z12 1..32   Z11 2..33
//	Z10 3   Z16 above[n-32:]

// EXACT sets p = (a+b+c)/3 for any a, b, c, and spoils Z9.
#define EXACT(a, b, c, p, d) \
	VPAVGW   a, b, d     \
	VPAVGW   c, d, p     \
	VPAVGW   d, p, p     \
	VPSUBW   Z14, p, p   \
	VPMULLW  Z10, p, Z9  \
	VPADDW   a, b, d     \
	VPADDW   c, d, d     \
	VPSUBW   Z9, d, d    \
	VPMULHUW Z15, d, d   \
	VPSRLW   $1, d, d    \
	VPADDW   d, p, p

	MOVL         $43691, AX
	VPBROADCASTW AX, Z15
	MOVL         $5463, AX
	VPBROADCASTW AX, Z14
	MOVL         $3, AX
	VPBROADCASTW AX, Z10
	VPTERNLOGD   $0xff, Z13, Z13, Z13
	VMOVDQU64    next<>(SB), Z12
	VPSUBW       Z13, Z12, Z11
	LEAQ         -32(CX), R13
	VMOVDQU64    (R9)(R13*2), Z16

#ifdef STREAM
#include "blur_plain_avx2_amd64.h"
#else
	LEAQ      -62(CX), DX              // Z1 ends at src[i+63], and src at src[n+1]
	XORL      AX, AX
	CMPQ      AX, DX
	JGT       exact
	VMOVDQU64 (SI)(AX*2), Z0

plain:  // for ; i <= last; i += 32
	VMOVDQU64 64(SI)(AX*2), Z1
	VMOVDQA64 Z12, Z2
	VPERMI2W  Z1, Z0, Z2               // src[i+1:]
	VMOVDQA64 Z11, Z3
	VPERMI2W  Z1, Z0, Z3               // src[i+2:]
	VPADDUSW  Z0, Z2, Z4
	VPADDUSW  Z3, Z4, Z4
	VPMULHUW  Z15, Z4, Z5
	VPSRLW    $1, Z5, Z5               // b = (src[i] + src[i+1] + src[i+2]) / 3
	VMOVDQU64 (R9)(AX*2), Z6
	VPADDUSW  (R10)(AX*2), Z6, Z6
	VPADDUSW  Z5, Z6, Z6
	VPMULHUW  Z15, Z6, Z7
	VPSRLW    $1, Z7, Z7               // d = (above[i] + middle[i] + b) / 3
	VPMAXUW   Z4, Z6, Z4
	VPCMPEQW  Z13, Z4, K1
	KORTESTD  K1, K1
	JNE       exact                    // a sum saturated
	VMOVDQU64 Z5, (R9)(AX*2)           // above[i] = b
	VMOVDQU64 Z7, (DI)(AX*2)           // dst[i] = d
	VMOVDQA64 Z1, Z0
	ADDQ      $32, AX
	CMPQ      AX, DX
	JLE       plain
#endif

exact:
	LEAQ      -62(CX), DX
	CMPQ      AX, DX
	JGT       rest
	VMOVDQU64 (SI)(AX*2), Z0

loop:  // for ; i <= last; i += 32
	PREFETCH
	VMOVDQU64 64(SI)(AX*2), Z1
	VMOVDQA64 Z12, Z2
	VPERMI2W  Z1, Z0, Z2               // src[i+1:]
	VMOVDQA64 Z11, Z3
	VPERMI2W  Z1, Z0, Z3               // src[i+2:]
	EXACT(Z0, Z2, Z3, Z5, Z4)          // b = (src[i] + src[i+1] + src[i+2]) / 3
	VMOVDQU64 (R9)(AX*2), Z6
	VMOVDQU64 (R10)(AX*2), Z8
	EXACT(Z6, Z8, Z5, Z7, Z4)          // d = (above[i] + middle[i] + b) / 3
	VMOVDQU64 Z5, (R9)(AX*2)           // above[i] = b
	STOREZ    Z7, (DI)(AX*2)           // dst[i] = d
	VMOVDQA64 Z1, Z0
	ADDQ      $32, AX
	CMPQ      AX, DX
	JLE       loop

rest:  // for ; i < n; i += 32: the last one or two
	CMPQ      AX, CX
	JGE       done
	CMPQ      AX, R13
	JLE       vector
	MOVQ      R13, AX                  // the very last overlaps its neighbour
	VMOVDQU64 Z16, (R9)(AX*2)

vector:
	VMOVDQU64 (SI)(AX*2), Z0
	VMOVDQU64 2(SI)(AX*2), Z2
	VMOVDQU64 4(SI)(AX*2), Z3
	EXACT(Z0, Z2, Z3, Z5, Z4)          // b = (src[i] + src[i+1] + src[i+2]) / 3
	VMOVDQU64 (R9)(AX*2), Z6
	VMOVDQU64 (R10)(AX*2), Z8
	EXACT(Z6, Z8, Z5, Z7, Z4)          // d = (above[i] + middle[i] + b) / 3
	VMOVDQU64 Z5, (R9)(AX*2)           // above[i] = b
	STOREZ    Z7, (DI)(AX*2)           // dst[i] = d
	ADDQ      $32, AX
	JMP       rest

done:
	VZEROUPPER
	RET

#undef EXACT
