// The instructions that depend on the type of element. The .s files of packages f32 and
// f64 are the same but for these names.

#define SIZE 4   // bytes per element
#define SHIFT 2  // its logarithm
#define LANES 32 // elements in the 128 bytes of a reduction's lanes

// One element
#define FADDT FADDS
#define FMULT FMULS
#define FABST FABSS
#define FMOVT FMOVS

// d = v[0] in all lanes
#define SPREAD(v, d) VDUP v.S[0], d.S4

// F0 = the lanes of V0 folded by halves, by way of V1
#define FOLD \
	VEXT  $8, V0.B16, V0.B16, V1.B16; \
	VFADD(1, 0, 0);                   \
	VDUP  V0.S[1], V1.S4;             \
	FADDS F1, F0, F0

// f, or v, = the R8 elements at p, fewer than 16 bytes, and zeros, by way of V20
#define FEW(p, f, v, one, end) \
	TBZ   $1, R8, one;        \
	FMOVD (p), f;             \
	TBZ   $0, R8, end;        \
	FMOVS 8(p), F20;          \
	VMOV  V20.D[0], v.D[1];   \
	B     end;                \
one:                              \
	FMOVS (p), f;             \
end:

// Go's assembler lacks these. Operands are register numbers, the last one is written.

// fadd v{d}.4s, v{n}.4s, v{m}.4s
#define VFADD(m, n, d) WORD $(0x4e20d400 | (m)<<16 | (n)<<5 | (d))

// fmul v{d}.4s, v{n}.4s, v{m}.4s
#define VFMUL(m, n, d) WORD $(0x6e20dc00 | (m)<<16 | (n)<<5 | (d))

// fabs v{d}.4s, v{n}.4s
#define VFABS(n, d) WORD $(0x4ea0f800 | (n)<<5 | (d))

// stnp q{m}, q{d}, [x{n}]
#define STNP0(m, d, n) WORD $(0xac000000 | (d)<<10 | (n)<<5 | (m))

// stnp q{m}, q{d}, [x{n},#32]
#define STNP32(m, d, n) WORD $(0xac010000 | (d)<<10 | (n)<<5 | (m))
