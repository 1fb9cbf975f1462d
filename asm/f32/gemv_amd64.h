// What depends on the type of element in gemv alone.

// Z0 = the sums of eight rows whose lanes are in Z0, Z2 ... Z14. Halves of two rows make a
// vector, then quarters of four, then the eighths of all, which are two lanes of each.
#define HALVES(a, b) \
	VSHUFF64X2 $0x44, b, a, Z16; \
	VSHUFF64X2 $0xee, b, a, Z17; \
	VADDPS     Z17, Z16, a
#define QUARTERS(a, b) \
	VSHUFF64X2 $0x88, b, a, Z16; \
	VSHUFF64X2 $0xdd, b, a, Z17; \
	VADDPS     Z17, Z16, a
#define FOLDROWS \
	HALVES(Z0, Z4);            \
	HALVES(Z8, Z12);           \
	HALVES(Z2, Z6);            \
	HALVES(Z10, Z14);          \
	QUARTERS(Z0, Z8);          \
	QUARTERS(Z2, Z10);         \
	VUNPCKLPD  Z2, Z0, Z16;    \
	VUNPCKHPD  Z2, Z0, Z17;    \
	VADDPS     Z17, Z16, Z0;   \
	VMOVSHDUP  Z0, Z1;         \
	VADDPS     Z1, Z0, Z0;     \
	VPMOVQD    Z0, Y0

// Z20 = the last CX mod 16 elements before DI, and 0: pieces of 1, 2, 4 and 8 elements, each
// before those that are there already.
#define PIECES \
	TESTQ        $1, CX;             \
	JEQ          pairs;              \
	SUBQ         $4, DI;             \
	VMOVSS       (DI), X20;          \
pairs:                                   \
	TESTQ        $2, CX;             \
	JEQ          fours;              \
	SUBQ         $8, DI;             \
	VMOVSD       (DI), X18;          \
	VUNPCKLPD    X20, X18, X20;      \
fours:                                   \
	TESTQ        $4, CX;             \
	JEQ          eights;             \
	SUBQ         $16, DI;            \
	VMOVUPS      (DI), X18;          \
	VINSERTF64X2 $1, X20, Y18, Y20;  \
eights:                                  \
	TESTQ        $8, CX;             \
	JEQ          pieces;             \
	SUBQ         $32, DI;            \
	VMOVUPS      (DI), Y18;          \
	VINSERTF64X4 $1, Y20, Z18, Z20;  \
pieces:

// What gemv in AVX2 has of four rows: a vector of their sums, one of their products with beta, and beta.
#define SUMS X0
#define PRODUCTS X1
#define FACTOR X2

// SUMS = the sums of four rows whose lanes are in Y0 to Y3. Halves of two rows make a vector,
// then quarters of four, which are two lanes of each.
#define FOLDFOUR \
	VPERM2F128   $0x20, Y2, Y0, Y4; \
	VPERM2F128   $0x31, Y2, Y0, Y5; \
	VPERM2F128   $0x20, Y3, Y1, Y6; \
	VPERM2F128   $0x31, Y3, Y1, Y7; \
	VADDPS       Y5, Y4, Y0;        \
	VADDPS       Y7, Y6, Y1;        \
	VUNPCKLPD    Y1, Y0, Y4;        \
	VUNPCKHPD    Y1, Y0, Y5;        \
	VADDPS       Y5, Y4, Y0;        \
	VMOVSHDUP    Y0, Y4;            \
	VADDPS       Y4, Y0, Y0;        \
	VEXTRACTF128 $1, Y0, X4;        \
	VSHUFPS      $0x88, X4, X0, X0

// The next of the sums comes first.
#define NEXTSUM VPERMILPS $0x39, X0, X0

// Y12 = the last CX mod 8 elements before DI, and 0: pieces of 1, 2 and 4 elements.
#define TAIL \
	TESTQ       $1, CX;           \
	JEQ         twos;             \
	SUBQ        $4, DI;           \
	VMOVSS      (DI), X12;        \
twos:                                 \
	TESTQ       $2, CX;           \
	JEQ         fours;            \
	SUBQ        $8, DI;           \
	VMOVSD      (DI), X13;        \
	VUNPCKLPD   X12, X13, X12;    \
fours:                                \
	TESTQ       $4, CX;           \
	JEQ         tail;             \
	VMOVUPS     -16(DI), X13;     \
	VINSERTF128 $1, X12, Y13, Y12; \
tail:
