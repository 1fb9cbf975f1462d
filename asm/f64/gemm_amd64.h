// What depends on the type of element in the loops for matrices alone.

#define VCMPP VCMPPD

#define COLUMNS 2 // elements in 16 bytes

// Two columns of eight rows at SI and R11 become two rows at DI, times Y15. Rows i and
// i+2 share a register, so that unpacking its halves gives halves of rows.
#define TRANSPOSE \
	VMOVUPD (SI), X0; \
	VMOVUPD (SI)(R9*1), X1; \
	VMOVUPD (R11), X2; \
	VMOVUPD (R11)(R9*1), X3; \
	VINSERTF128 $1, (SI)(R9*2), Y0, Y0; \
	VINSERTF128 $1, (SI)(R10*1), Y1, Y1; \
	VINSERTF128 $1, (R11)(R9*2), Y2, Y2; \
	VINSERTF128 $1, (R11)(R10*1), Y3, Y3; \
	VUNPCKLPD Y1, Y0, Y4; \
	VUNPCKLPD Y3, Y2, Y5; \
	VUNPCKHPD Y1, Y0, Y6; \
	VUNPCKHPD Y3, Y2, Y7; \
	VMULPD Y4, Y15, Y4; \
	VMULPD Y5, Y15, Y5; \
	VMULPD Y6, Y15, Y6; \
	VMULPD Y7, Y15, Y7; \
	VMOVUPD Y4, (DI); \
	VMOVUPD Y5, 32(DI); \
	VMOVUPD Y6, (DI)(R8*1); \
	VMOVUPD Y7, 32(DI)(R8*1); \
	LEAQ (DI)(R8*2), DI

// Z0 = the sums of eight rows whose lanes are in Z0, Z2 ... Z14. Halves of two rows make a
// vector, then quarters of four, then the eighths of all.
#define HALVES(a, b) \
	VSHUFF64X2 $0x44, b, a, Z16; \
	VSHUFF64X2 $0xee, b, a, Z17; \
	VADDPD     Z17, Z16, a
#define QUARTERS(a, b) \
	VSHUFF64X2 $0x88, b, a, Z16; \
	VSHUFF64X2 $0xdd, b, a, Z17; \
	VADDPD     Z17, Z16, a
#define FOLDROWS \
	HALVES(Z0, Z4);            \
	HALVES(Z8, Z12);           \
	HALVES(Z2, Z6);            \
	HALVES(Z10, Z14);          \
	QUARTERS(Z0, Z8);          \
	QUARTERS(Z2, Z10);         \
	VUNPCKLPD  Z2, Z0, Z16;    \
	VUNPCKHPD  Z2, Z0, Z17;    \
	VADDPD     Z17, Z16, Z0

// Z20 = the last CX mod 8 elements before DI, and 0: pieces of 1, 2 and 4 elements, each before
// those that are there already.
#define PIECES \
	TESTQ        $1, CX;             \
	JEQ          pairs;              \
	SUBQ         $8, DI;             \
	VMOVSD       (DI), X20;          \
pairs:                                   \
	TESTQ        $2, CX;             \
	JEQ          fours;              \
	SUBQ         $16, DI;            \
	VMOVUPD      (DI), X18;          \
	VINSERTF64X2 $1, X20, Y18, Y20;  \
fours:                                   \
	TESTQ        $4, CX;             \
	JEQ          pieces;             \
	SUBQ         $32, DI;            \
	VMOVUPD      (DI), Y18;          \
	VINSERTF64X4 $1, Y20, Z18, Z20;  \
pieces:

// z = 1 in all lanes, by way of R9
#define ONES(z) \
	MOVQ         $0x3ff0000000000000, R9; \
	VPBROADCASTQ R9, z

// What gemv in AVX2 has of four rows: a vector of their sums, one of their products with beta, and beta.
#define SUMS Y0
#define PRODUCTS Y1
#define FACTOR Y2

// SUMS = the sums of four rows whose lanes are in Y0 to Y3. Halves of two rows make a vector,
// then quarters of four.
#define FOLDFOUR \
	VPERM2F128 $0x20, Y2, Y0, Y4; \
	VPERM2F128 $0x31, Y2, Y0, Y5; \
	VPERM2F128 $0x20, Y3, Y1, Y6; \
	VPERM2F128 $0x31, Y3, Y1, Y7; \
	VADDPD     Y5, Y4, Y0;        \
	VADDPD     Y7, Y6, Y1;        \
	VUNPCKLPD  Y1, Y0, Y4;        \
	VUNPCKHPD  Y1, Y0, Y5;        \
	VADDPD     Y5, Y4, Y0

// The next of the sums comes first.
#define NEXTSUM VPERMPD $0x39, Y0, Y0

// Y12 = the last CX mod 4 elements before DI, and 0: pieces of 1 and 2 elements.
#define TAIL \
	TESTQ       $1, CX;           \
	JEQ         twos;             \
	SUBQ        $8, DI;           \
	VMOVSD      (DI), X12;        \
twos:                                 \
	TESTQ       $2, CX;           \
	JEQ         tail;             \
	VMOVUPD     -16(DI), X13;     \
	VINSERTF128 $1, X12, Y13, Y12; \
tail:
