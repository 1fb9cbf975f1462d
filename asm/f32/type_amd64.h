// The instructions that depend on the type of element. The .s files of packages f32 and
// f64 are the same but for these names.

#define SIZE 4   // bytes per element
#define SHIFT 2  // its logarithm
#define LANES 32 // elements in the 128 bytes of a reduction's lanes

// SSE2: P packed, S one element
#define ADDP ADDPS
#define ADDS ADDSS
#define MULP MULPS
#define MULS MULSS
#define MOVUP MOVUPS
#define MOVS MOVSS
#define MOVNTP MOVNTPS

// AVX2 and AVX-512
#define VADDP VADDPS
#define VADDS VADDSS
#define VMULP VMULPS
#define VSUBP VSUBPS
#define VMAXP VMAXPS
#define VCMPP VCMPPS
#define VMULS VMULSS
#define VMOVUP VMOVUPS
#define VMOVNTP VMOVNTPS
#define VMOVS VMOVSS
#define VBROADCASTS VBROADCASTSS
#define VMASKMOVP VMASKMOVPS

// x = bits of an element without the sign, in all lanes
#define ABSMASK(x) \
	PCMPEQL x, x; \
	PSRLL   $1, x
#define VABSMASK(y) \
	VPCMPEQD y, y, y; \
	VPSRLD   $1, y, y
#define ZABSMASK(z) \
	VPTERNLOGD $0xff, z, z, z; \
	VPSRLD     $1, z, z

// x[0] = the lanes of x folded by halves, by way of t
#define FOLD(x, t) \
	MOVAPS  x, t;    \
	MOVHLPS t, t;    \
	ADDPS   t, x;    \
	MOVAPS  x, t;    \
	SHUFPS  $1, t, t; \
	ADDSS   t, x
#define VFOLD(x, t) \
	VPERMILPD $1, x, t; \
	VADDPS    t, x, x;  \
	VMOVSHDUP x, t;     \
	VADDSS    t, x, x

// x[0] = the largest of the lanes of x, by way of t
#define VFOLDMAX(x, t) \
	VPERMILPD $1, x, t; \
	VMAXP     t, x, x;  \
	VMOVSHDUP x, t;     \
	VMAXP     t, x, x

// x = x[0] in all lanes
#define SPREAD(x) \
	SHUFPS $0, x, x

// x = the BX elements at p + R8, fewer than 16 bytes, and zeros
#define FEW(p, x, t, one, end) \
	TESTQ   $2, BX;           \
	JEQ     one;              \
	MOVSD   (p)(R8*1), x;     \
	TESTQ   $1, BX;           \
	JEQ     end;              \
	MOVSS   8(p)(R8*1), t;    \
	MOVLHPS t, x;             \
	JMP     end;              \
one:                              \
	MOVSS   (p)(R8*1), x;     \
end:
