// What depends on the type of element in the loops for matrices alone.

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

// z = 1 in all lanes, by way of R9
#define ONES(z) \
	MOVQ         $0x3ff0000000000000, R9; \
	VPBROADCASTQ R9, z
