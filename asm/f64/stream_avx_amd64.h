// What the elementwise loops in AVX2 and AVX-512 share, which name the registers.

// Each loop's line of arithmetic for the vector, or the element, at byte o.

// dst[i] = a * src[i]
#define SCALE(MUL, ADD, LOAD, STORE, a, v, o) \
	MUL   o(SI), a, v; \
	STORE v, o(DI)

// dst[i] = a[i] + b[i]
#define SUM(MUL, ADD, LOAD, STORE, a, v, o) \
	LOAD  o(SI), v;    \
	ADD   o(DX), v, v; \
	STORE v, o(DI)

// dst[i] = a[i] + s*b[i]
#define TRIAD(MUL, ADD, LOAD, STORE, a, v, o) \
	MUL   o(DX), a, v; \
	ADD   o(SI), v, v; \
	STORE v, o(DI)

// y[i] += a * x[i]
#define AXPY(MUL, ADD, LOAD, STORE, a, v, o) \
	MUL   o(SI), a, v; \
	ADD   o(DI), v, v; \
	STORE v, o(DI)

#define ADVANCE(bytes) \
	ADDQ $(bytes), SI; \
	ADDQ $(bytes), DX; \
	ADDQ $(bytes), DI

// The arguments, with the scalar in all lanes of v.

#define SCALE_ARGS(v) \
	MOVQ        dst_base+0(FP), DI; \
	MOVQ        dst_len+8(FP), CX;  \
	VBROADCASTS a+24(FP), v;        \
	MOVQ        src_base+32(FP), SI

#define ADD_ARGS \
	MOVQ dst_base+0(FP), DI; \
	MOVQ dst_len+8(FP), CX;  \
	MOVQ a_base+24(FP), SI;  \
	MOVQ b_base+48(FP), DX

#define TRIAD_ARGS(v) \
	MOVQ        dst_base+0(FP), DI; \
	MOVQ        dst_len+8(FP), CX;  \
	MOVQ        a_base+24(FP), SI;  \
	VBROADCASTS s+48(FP), v;        \
	MOVQ        b_base+56(FP), DX
