// The instructions that depend on the type of element. The .s files of packages f32 and
// f64 are the same but for these names.

#define SIZE 8   // bytes per element
#define SHIFT 3  // its logarithm
#define LANES 16 // elements in the 128 bytes of a reduction's lanes

// SSE2: P packed, S one element
#define ADDP ADDPD
#define ADDS ADDSD
#define MULP MULPD
#define MULS MULSD
#define MOVUP MOVUPD
#define MOVS MOVSD
#define MOVNTP MOVNTPD

// AVX2 and AVX-512
#define VADDP VADDPD
#define VADDS VADDSD
#define VMULP VMULPD
#define VSUBP VSUBPD
#define VMAXP VMAXPD
#define VCMPP VCMPPD
#define VMULS VMULSD
#define VMOVUP VMOVUPD
#define VMOVNTP VMOVNTPD
#define VMOVS VMOVSD
#define VBROADCASTS VBROADCASTSD
#define VMASKMOVP VMASKMOVPD

// x = bits of an element without the sign, in all lanes
#define ABSMASK(x) \
	PCMPEQL x, x; \
	PSRLQ   $1, x
#define VABSMASK(y) \
	VPCMPEQD y, y, y; \
	VPSRLQ   $1, y, y
#define ZABSMASK(z) \
	VPTERNLOGD $0xff, z, z, z; \
	VPSRLQ     $1, z, z

// x[0] = the lanes of x folded by halves, by way of t
#define FOLD(x, t) \
	MOVAPD   x, t; \
	UNPCKHPD t, t; \
	ADDSD    t, x
#define VFOLD(x, t) \
	VPERMILPD $1, x, t; \
	VADDSD    t, x, x

// x[0] = the largest of the lanes of x, by way of t
#define VFOLDMAX(x, t) \
	VPERMILPD $1, x, t; \
	VMAXP     t, x, x

// x = x[0] in all lanes
#define SPREAD(x) \
	UNPCKLPD x, x

// x = the BX elements at p + R8, fewer than 16 bytes, and zeros
#define FEW(p, x, t, one, end) \
	MOVSD (p)(R8*1), x
