#include "textflag.h"

// func cpuid(leaf, sub uint32) [4]uint32
TEXT ·cpuid(SB), NOSPLIT, $0-24
	MOVL leaf+0(FP), AX
	MOVL sub+4(FP), CX
	CPUID
	MOVL AX, ret_0+8(FP)
	MOVL BX, ret_1+12(FP)
	MOVL CX, ret_2+16(FP)
	MOVL DX, ret_3+20(FP)
	RET

// func xgetbv() uint64
TEXT ·xgetbv(SB), NOSPLIT, $0-8
	XORL CX, CX              // XCR0
	XGETBV
	SHLQ $32, DX
	ORQ  DX, AX
	MOVQ AX, ret+0(FP)
	RET
