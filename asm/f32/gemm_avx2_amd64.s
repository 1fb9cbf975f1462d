//go:build !noasm

// The tile in AVX2: 6 rows of 64 bytes in Y0 to Y11.
//
// A step of k takes 64 bytes of a row of B (Y12, Y13) and one element of each of 6 rows
// of A, which is broadcast (Y14), multiplied with both halves (Y15, Y14) and added:
// all registers are in use.
//
//	CX     steps left
//	SI     A's step; its rows are R8 bytes apart, R9 = 3*R8, R10 = 5*R8
//	R12    from one step of A to the next
//	DI     B's step
//	R13    from one step of B to the next
//	DX     C's row, for the loads
//	AX     C's row, for the stores
//	BX     a row of C

#include "textflag.h"
#include "type_amd64.h"
#include "gemm_amd64.h"

// c0, c1 += a[i] * b
#define ROW(a, c0, c1) \
	VBROADCASTS a, Y14;        \
	VMULP       Y12, Y14, Y15; \
	VMULP       Y13, Y14, Y14; \
	VADDP       Y15, c0, c0;   \
	VADDP       Y14, c1, c1

#define STEP \
	VMOVUP (DI), Y12;           \
	VMOVUP 32(DI), Y13;         \
	ROW((SI), Y0, Y1);          \
	ROW((SI)(R8*1), Y2, Y3);    \
	ROW((SI)(R8*2), Y4, Y5);    \
	ROW((SI)(R9*1), Y6, Y7);    \
	ROW((SI)(R8*4), Y8, Y9);    \
	ROW((SI)(R10*1), Y10, Y11); \
	ADDQ   R12, SI;             \
	ADDQ   R13, DI

// c0, c1 = beta * a row of C, or 0: Y12 = beta, Y13 = a mask. The sums start from it,
// so that it has to be there: the same row of the next tile is asked for now.
#define LOAD(c0, c1) \
	VANDPS     (DX), Y13, c0;   \
	VANDPS     32(DX), Y13, c1; \
	PREFETCHT0 127(DX);         \
	VMULP      Y12, c0, c0;     \
	VMULP      Y12, c1, c1;     \
	ADDQ       BX, DX

// a row of C = c0, c1
#define STORE(c0, c1) \
	VMOVUP c0, (AX);   \
	VMOVUP c1, 32(AX); \
	ADDQ   BX, AX

// func gemmTilesAVX2(tiles, k int, a *T, ars, acs int, b *T, bp, ldb int, beta T, c *T, ldc int)
TEXT ·gemmTilesAVX2(SB), NOSPLIT, $0-88
	MOVQ ars+24(FP), R8
	MOVQ acs+32(FP), R12
	MOVQ ldb+56(FP), R13
	MOVQ ldc+80(FP), BX
	SHLQ $SHIFT, R8
	LEAQ (R8)(R8*2), R9
	LEAQ (R8)(R8*4), R10
	SHLQ $SHIFT, R12
	SHLQ $SHIFT, R13
	SHLQ $SHIFT, BX
	SHLQ $SHIFT, bp+48(FP)

tile:  // for ; tiles > 0; tiles--
	MOVQ        k+8(FP), CX
	MOVQ        a+16(FP), SI
	MOVQ        b+40(FP), DI
	MOVQ        c+72(FP), AX
	MOVQ        AX, DX
	VBROADCASTS beta+64(FP), Y12
	VXORPS      X13, X13, X13
	VCMPP       $4, Y13, Y12, Y13 // Y13 = beta != 0
	VANDPS      Y13, Y12, Y12     // beta = +0 where it's -0
	LOAD(Y0, Y1)
	LOAD(Y2, Y3)
	LOAD(Y4, Y5)
	LOAD(Y6, Y7)
	LOAD(Y8, Y9)
	LOAD(Y10, Y11)
	SUBQ        $4, CX
	JLT         tail

turn:  // four steps
	STEP
	STEP
	STEP
	STEP
	SUBQ $4, CX
	JGE  turn

tail:  // k mod 4 steps
	ADDQ $4, CX
	JEQ  done

step:
	STEP
	DECQ CX
	JNE  step

done:
	STORE(Y0, Y1)
	STORE(Y2, Y3)
	STORE(Y4, Y5)
	STORE(Y6, Y7)
	STORE(Y8, Y9)
	STORE(Y10, Y11)
	MOVQ bp+48(FP), CX
	ADDQ CX, b+40(FP)
	ADDQ $64, c+72(FP)
	DECQ tiles+0(FP)
	JNE  tile
	VZEROUPPER
	RET

// Packing: rows of B, or of the transpose of A, are copied as they are; rows of A are
// transposed.
//
//	DI     dst
//	R8     a row of dst
//	SI     src
//	R9     a row of src
//	CX     steps left
//	Y15    alpha, in all lanes

// func gemmPackColsAVX2(dst *T, w int, alpha T, src *T, ld, k int)
TEXT ·gemmPackColsAVX2(SB), NOSPLIT, $0-48
	MOVQ        dst+0(FP), DI
	MOVQ        w+8(FP), R8
	VBROADCASTS alpha+16(FP), Y15
	MOVQ        src+24(FP), SI
	MOVQ        ld+32(FP), R9
	MOVQ        k+40(FP), CX
	SHLQ        $SHIFT, R8
	SHLQ        $SHIFT, R9

row:  // for ; k > 0; k--
	LEAQ (SI)(R9*8), R10 // eight rows on: too far apart for the CPU to see them coming
	XORQ AX, AX

vector:  // for j := 0; j < w; j += vector
	VMULP      (SI)(AX*1), Y15, Y0
	VMOVUP     Y0, (DI)(AX*1)
	PREFETCHT0 (R10)(AX*1)
	ADDQ       $32, AX
	CMPQ       AX, R8
	JLT        vector
	ADDQ       R8, DI
	ADDQ       R9, SI
	DECQ       CX
	JNE        row
	VZEROUPPER
	RET

// func gemmPackRowsAVX2(dst *T, w int, alpha T, src *T, ld, k int)
TEXT ·gemmPackRowsAVX2(SB), NOSPLIT, $0-48
	MOVQ        dst+0(FP), DI
	MOVQ        w+8(FP), R8
	VBROADCASTS alpha+16(FP), Y15
	MOVQ        src+24(FP), SI
	MOVQ        ld+32(FP), R9
	MOVQ        k+40(FP), CX
	SHLQ        $SHIFT, R8
	SHLQ        $SHIFT, R9
	LEAQ        (R9)(R9*2), R10   // three rows of src
	LEAQ        (SI)(R9*4), R11   // row 4
	SUBQ        $COLUMNS, CX
	JLT         tail

columns:  // a 16-byte piece of each row
	TRANSPOSE
	ADDQ $16, SI
	ADDQ $16, R11
	SUBQ $COLUMNS, CX
	JGE  columns

tail:  // k mod COLUMNS columns, element by element
	ADDQ $COLUMNS, CX
	JEQ  done

column:
	VMULS (SI), X15, X0
	VMULS (SI)(R9*1), X15, X1
	VMULS (SI)(R9*2), X15, X2
	VMULS (SI)(R10*1), X15, X3
	VMULS (R11), X15, X4
	VMULS (R11)(R9*1), X15, X5
	VMULS (R11)(R9*2), X15, X6
	VMULS (R11)(R10*1), X15, X7
	VMOVS X0, (DI)
	VMOVS X1, SIZE(DI)
	VMOVS X2, (2*SIZE)(DI)
	VMOVS X3, (3*SIZE)(DI)
	VMOVS X4, (4*SIZE)(DI)
	VMOVS X5, (5*SIZE)(DI)
	VMOVS X6, (6*SIZE)(DI)
	VMOVS X7, (7*SIZE)(DI)
	ADDQ  R8, DI
	ADDQ  $SIZE, SI
	ADDQ  $SIZE, R11
	DECQ  CX
	JNE   column

done:
	VZEROUPPER
	RET

// Products without packing: each row of C in strips of four vectors (Y0 to Y3), then of
// single ones (Y0), the last of them masked; the steps of k inside.
//
//	R8     rows left
//	SI     A's row
//	DX     C's row
//	R9     a row of C
//	R13    columns left
//	DI     B's strip
//	BX     C's strip
//	R12    steps left
//	AX     A's step, R10 from one to the next
//	CX     B's step, R11 from one to the next
//	X15    alpha
//	Y14    beta, +0 where it's -0
//	Y13    all ones if beta isn't 0
//	Y12    the mask of the last n mod VEC lanes

#define VEC (32/SIZE) // elements in a vector

// c = beta * C's strip at byte o, or 0
#define BEGIN(o, c) \
	VANDPS o(BX), Y13, c; \
	VMULP  c, Y14, c

// The first step of k: A's row, B's strip.
#define FIRST \
	MOVQ SI, AX; \
	MOVQ DI, CX

// Y4 = alpha * a[l], in all lanes
#define COEFFICIENT \
	VMULS       (AX), X15, X4; \
	VBROADCASTS X4, Y4

// c += (alpha * a[l]) * B's strip at byte o
#define MULADD(o, t, c) \
	VMULP o(CX), Y4, t; \
	VADDP t, c, c

#define NEXT \
	ADDQ R10, AX; \
	ADDQ R11, CX; \
	DECQ R12

// A step of k in a strip.
#define STRIP \
	COEFFICIENT; \
	MULADD(0, Y5, Y0); \
	MULADD(32, Y6, Y1); \
	MULADD(64, Y7, Y2); \
	MULADD(96, Y8, Y3); \
	NEXT

// More columns than this make a B that's likely not to lie in the second cache.
#define WIDE 512

// func gemmRowsAVX2(m, n, k int, alpha T, a *T, ars, acs int, b *T, ldb int, beta T, c *T, ldc int)
TEXT ·gemmRowsAVX2(SB), NOSPLIT, $0-96
	MOVQ        m+0(FP), R8
	VMOVS       alpha+24(FP), X15
	MOVQ        a+32(FP), SI
	MOVQ        acs+48(FP), R10
	MOVQ        ldb+64(FP), R11
	VBROADCASTS beta+72(FP), Y14
	MOVQ        c+80(FP), DX
	MOVQ        ldc+88(FP), R9
	SHLQ        $SHIFT, R9
	SHLQ        $SHIFT, R10
	SHLQ        $SHIFT, R11
	VXORPS      X13, X13, X13
	VCMPP       $4, Y13, Y14, Y13 // beta != 0
	VANDPS      Y13, Y14, Y14
	MOVQ        n+8(FP), AX
	ANDQ        $(VEC-1), AX
	SHLQ        $SHIFT, AX
	NEGQ        AX
	LEAQ        ones<>+32(SB), BX
	VMOVUP      (BX)(AX*1), Y12

row:  // for ; m > 0; m--
	MOVQ n+8(FP), R13
	MOVQ b+56(FP), DI
	MOVQ DX, BX
	SUBQ $(4*VEC), R13
	JLT  vectors

strip:  // four vectors
	BEGIN(0, Y0)
	BEGIN(32, Y1)
	BEGIN(64, Y2)
	BEGIN(96, Y3)
	MOVQ k+16(FP), R12
	FIRST
	CMPQ n+8(FP), $WIDE
	JGT  stripAhead

stripStep:
	STRIP
	JNE    stripStep

stripEnd:
	VMOVUP Y0, (BX)
	VMOVUP Y1, 32(BX)
	VMOVUP Y2, 64(BX)
	VMOVUP Y3, 96(BX)
	ADDQ   $128, BX
	ADDQ   $128, DI
	SUBQ   $(4*VEC), R13
	JGE    strip

vectors:
	ADDQ $(3*VEC), R13
	JLT  tail

vector:  // one vector
	BEGIN(0, Y0)
	MOVQ k+16(FP), R12
	FIRST

vectorStep:
	COEFFICIENT
	MULADD(0, Y5, Y0)
	NEXT
	JNE    vectorStep
	VMOVUP Y0, (BX)
	ADDQ   $32, BX
	ADDQ   $32, DI
	SUBQ   $VEC, R13
	JGE    vector

tail:  // part of a vector
	ADDQ      $VEC, R13
	JEQ       next
	VMASKMOVP (BX), Y12, Y0
	VANDPS    Y0, Y13, Y0
	VMULP     Y0, Y14, Y0
	MOVQ      k+16(FP), R12
	FIRST

tailStep:
	COEFFICIENT
	VMASKMOVP (CX), Y12, Y5
	VMULP     Y5, Y4, Y5
	VADDP     Y5, Y0, Y0
	NEXT
	JNE       tailStep
	VMASKMOVP Y0, Y12, (BX)

next:
	MOVQ ars+40(FP), AX
	SHLQ $SHIFT, AX
	ADDQ AX, SI
	ADDQ R9, DX
	DECQ R8
	JNE  row
	VZEROUPPER
	RET

stripAhead:  // as stripStep, and four strips ahead are asked for
	PREFETCHT0 512(CX)
	PREFETCHT0 576(CX)
	STRIP
	JNE        stripAhead
	JMP        stripEnd

// 32 bytes of ones, then 32 of zeros: the mask of t lanes starts t elements before the
// zeros.
DATA ones<>+0(SB)/8, $0xffffffffffffffff
DATA ones<>+8(SB)/8, $0xffffffffffffffff
DATA ones<>+16(SB)/8, $0xffffffffffffffff
DATA ones<>+24(SB)/8, $0xffffffffffffffff
DATA ones<>+32(SB)/8, $0
DATA ones<>+40(SB)/8, $0
DATA ones<>+48(SB)/8, $0
DATA ones<>+56(SB)/8, $0
GLOBL ones<>(SB), RODATA|NOPTR, $64
