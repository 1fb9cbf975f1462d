// The instructions that depend on the type of element. The .s files of packages f32 and
// f64 are the same but for these names.

#define SIZE 8   // bytes per element
#define SHIFT 3  // its logarithm
#define LANES 16 // elements in the 128 bytes of a reduction's lanes

// One element
#define FADDT FADDD
#define FMULT FMULD
#define FABST FABSD
#define FMOVT FMOVD

// d = v[0] in all lanes
#define SPREAD(v, d) VDUP v.D[0], d.D2

// F0 = the lanes of V0 folded by halves, by way of V1
#define FOLD \
	VDUP  V0.D[1], V1.D2; \
	FADDD F1, F0, F0

// f, or v, = the R8 elements at p, fewer than 16 bytes, and zeros
#define FEW(p, f, v, one, end) \
	FMOVD (p), f

// Go's assembler lacks these. Operands are register numbers, the last one is written.

// fadd v{d}.2d, v{n}.2d, v{m}.2d
#define VFADD(m, n, d) WORD $(0x4e60d400 | (m)<<16 | (n)<<5 | (d))

// fmul v{d}.2d, v{n}.2d, v{m}.2d
#define VFMUL(m, n, d) WORD $(0x6e60dc00 | (m)<<16 | (n)<<5 | (d))

// fabs v{d}.2d, v{n}.2d
#define VFABS(n, d) WORD $(0x4ee0f800 | (n)<<5 | (d))

// stnp q{m}, q{d}, [x{n}]
#define STNP0(m, d, n) WORD $(0xac000000 | (d)<<10 | (n)<<5 | (m))

// stnp q{m}, q{d}, [x{n},#32]
#define STNP32(m, d, n) WORD $(0xac010000 | (d)<<10 | (n)<<5 | (m))
