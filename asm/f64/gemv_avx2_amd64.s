//go:build !noasm

// The product of rows and a vector in AVX2.
//
// Four rows' lanes are folded together. A row's lanes are four vectors, as in the reductions. Rows
// that have no more elements than lanes share x in registers, and their products are the lanes;
// longer ones go in pairs. Where fewer than four rows are left, the last one takes the place of
// those that aren't there. Product and sum are rounded separately.
//
// The last elements of x are loaded piece by piece, and y is stored so where it ends: a masked load
// would wait for a store close behind x, where y may lie, and a masked store is slow.
//
//	R13    rows left
//	SI, R8, R9, R10  four rows
//	DX     x
//	R11    n
//	R12    0 if beta is 0
//	Y12    the last elements of x, no more than a vector, Y15 their mask
//	Y0-Y3  the rows' lanes before they're folded together
//
// Short rows:
//
//	Y8-Y10 the vectors of x before the last
//
// Long rows:
//
//	BX, DI the pair
//	AX     bytes from the beginning of a row
//	CX     elements left
//	Y0-Y3, Y4-Y7  their lanes
//	Y13, Y14  the first pair's lanes, one vector each

#include "textflag.h"
#include "type_amd64.h"
#include "gemv_amd64.h"

#define VEC (32/SIZE) // elements in a vector

// s = the lanes of a row of one to four vectors, by way of t and u, with -0 where 0 may be
#define LAST(row, o, t) \
	VMASKMOVP o(row), Y15, t; \
	VMULP     t, Y12, t
#define ONE(row, s, t, u) \
	LAST(row, 0, s)
#define TWO(row, s, t, u) \
	VMULP (row), Y8, s; \
	LAST(row, 32, t);   \
	VADDP t, s, s
#define THREE(row, s, t, u) \
	VMULP (row), Y8, s;   \
	LAST(row, 64, t);     \
	VMULP 32(row), Y9, u; \
	VADDP t, s, s;        \
	VADDP u, s, s
#define FOUR(row, s, t, u) \
	VMULP (row), Y8, s;    \
	VMULP 64(row), Y10, t; \
	VMULP 32(row), Y9, u;  \
	VADDP t, s, s;         \
	LAST(row, 96, t);      \
	VADDP t, u, u;         \
	VADDP u, s, s
#define EACH(OP) \
	OP(SI, Y0, Y4, Y5);  \
	OP(R8, Y1, Y6, Y7);  \
	OP(R9, Y2, Y4, Y5);  \
	OP(R10, Y3, Y6, Y7); \
	JMP fold

// a, b += the products of the pair and x at byte o
#define PAIR(o, a, b) \
	VMOVUP o(DX)(AX*1), Y8;     \
	VMULP  o(BX)(AX*1), Y8, Y9; \
	VMULP  o(DI)(AX*1), Y8, Y8; \
	VADDP  Y9, a, a;            \
	VADDP  Y8, b, b

// The same where x ends; else there's more than a vector.
#define END(o, a, b, more) \
	CMPQ      CX, $VEC;             \
	JGT       more;                 \
	VMASKMOVP o(BX)(AX*1), Y15, Y9; \
	VMASKMOVP o(DI)(AX*1), Y15, Y8; \
	VMULP     Y12, Y9, Y9;          \
	VMULP     Y12, Y8, Y8;          \
	VADDP     Y9, a, a;             \
	VADDP     Y8, b, b;             \
	JMP       join;                 \
more:                                   \
	PAIR(o, a, b);                  \
	SUBQ      $VEC, CX

// The next row, if there are more than k.
#define NEXT(from, row, k) \
	LEAQ    (from)(AX*1), row; \
	CMPQ    R13, $k;           \
	CMOVQLE from, row

// func gemvRowsAVX2(m, n int, alpha T, a *T, lda int, x *T, beta T, y *T)
TEXT ·gemvRowsAVX2(SB), NOSPLIT, $0-64
	MOVQ        m+0(FP), R13
	MOVQ        n+8(FP), R11
	MOVQ        a+24(FP), SI
	MOVQ        x+40(FP), DX
	VBROADCASTS beta+48(FP), Y0
	VXORPS      X1, X1, X1
	VCMPP       $4, Y1, Y0, Y0
	VMOVMSKPS   Y0, R12
	SHLQ        $SHIFT, lda+32(FP)
	MOVQ        R11, DI
	SHLQ        $SHIFT, DI
	ADDQ        DX, DI
	MOVQ        R11, CX
	ANDQ        $(VEC-1), CX
	JEQ         whole
	LEAQ        ends<>+32(SB), AX
	MOVQ        CX, BX
	SHLQ        $SHIFT, BX
	SUBQ        BX, AX
	VMOVUP      (AX), Y15
	VXORPS      X12, X12, X12
	TAIL // Y12 = the last CX mod VEC elements before DI
	JMP         group

whole:
	VPCMPEQD Y15, Y15, Y15
	VMOVUP   -32(DI), Y12

group:  // four rows
	MOVQ lda+32(FP), AX
	NEXT(SI, R8, 1)
	NEXT(R8, R9, 2)
	NEXT(R9, R10, 3)
	CMPQ R11, $LANES
	JGT  long
	CMPQ R11, $VEC
	JLE  one
	VMOVUP (DX), Y8
	CMPQ R11, $(2*VEC)
	JLE  two
	VMOVUP 32(DX), Y9
	CMPQ R11, $(3*VEC)
	JLE  three
	VMOVUP 64(DX), Y10
	EACH(FOUR)

one:
	EACH(ONE)

two:
	EACH(TWO)

three:
	EACH(THREE)

long:
	MOVQ SI, BX
	MOVQ R8, DI

pair:
	VXORPS X0, X0, X0
	VXORPS X1, X1, X1
	VXORPS X2, X2, X2
	VXORPS X3, X3, X3
	VXORPS X4, X4, X4
	VXORPS X5, X5, X5
	VXORPS X6, X6, X6
	VXORPS X7, X7, X7
	XORL   AX, AX
	MOVQ   R11, CX
	SUBQ   $LANES, CX

turn:
	PAIR(0, Y0, Y4)
	PAIR(32, Y1, Y5)
	PAIR(64, Y2, Y6)
	PAIR(96, Y3, Y7)
	ADDQ $128, AX
	SUBQ $LANES, CX
	JGE  turn
	ADDQ $LANES, CX
	JEQ  join
	END(0, Y0, Y4, end1)
	END(32, Y1, Y5, end2)
	END(64, Y2, Y6, end3)
	END(96, Y3, Y7, end4)

join:
	VADDP   Y2, Y0, Y0
	VADDP   Y3, Y1, Y1
	VADDP   Y6, Y4, Y4
	VADDP   Y7, Y5, Y5
	VADDP   Y1, Y0, Y2
	VADDP   Y5, Y4, Y3
	CMPQ    BX, SI
	JNE     both
	VMOVAPS Y2, Y13
	VMOVAPS Y3, Y14
	MOVQ    R9, BX
	MOVQ    R10, DI
	CMPQ    R13, $2
	JGT     pair

both:
	VMOVAPS Y13, Y0
	VMOVAPS Y14, Y1

fold:
	FOLDFOUR
	VXORPS      X1, X1, X1
	VADDP       Y1, Y0, Y0       // -0 of short rows
	VBROADCASTS alpha+16(FP), Y1
	VMULP       Y1, Y0, Y0       // alpha * the sums
	VBROADCASTS beta+48(FP), Y2
	MOVQ        y+56(FP), DI
	CMPQ        R13, $4
	JLT         element
	TESTL       R12, R12
	JEQ         store
	VMULP       (DI), FACTOR, PRODUCTS
	VADDP       PRODUCTS, SUMS, SUMS

store:
	VMOVUP SUMS, (DI)
	ADDQ   $(4*SIZE), DI
	MOVQ   DI, y+56(FP)
	MOVQ   lda+32(FP), AX
	LEAQ   (SI)(AX*4), SI
	SUBQ   $4, R13
	JGT    group
	VZEROUPPER
	RET

element:  // of the last ones, fewer than four
	TESTL R12, R12
	JEQ   storeElement
	VMULS (DI), X2, X1
	VADDS X1, X0, X1
	VMOVS X1, (DI)
	JMP   next

storeElement:
	VMOVS X0, (DI)

next:
	NEXTSUM
	ADDQ $SIZE, DI
	DECQ R13
	JNE  element
	VZEROUPPER
	RET

// 32 bytes of ones, then 32 of zeros: the mask of t lanes starts t elements before the
// zeros.
DATA ends<>+0(SB)/8, $-1
DATA ends<>+8(SB)/8, $-1
DATA ends<>+16(SB)/8, $-1
DATA ends<>+24(SB)/8, $-1
DATA ends<>+32(SB)/8, $0
DATA ends<>+40(SB)/8, $0
DATA ends<>+48(SB)/8, $0
DATA ends<>+56(SB)/8, $0
GLOBL ends<>(SB), RODATA|NOPTR, $64
