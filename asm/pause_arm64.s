//go:build !noasm

#include "textflag.h"

// func pause(n int)
//
// ISB empties the pipeline, which takes some tens of cycles. YIELD, the hint that is
// meant for this, does nothing on cores without hardware threads.
TEXT ·pause(SB), NOSPLIT, $0-8
	MOVD n+0(FP), R0

loop: // for ; n != 0; n--
	ISB  $15
	SUB  $1, R0
	CBNZ R0, loop
	RET
