// What depends on the type of element in the loops for matrices alone.

#define COLUMNS 4 // elements in 16 bytes

// Four columns of eight rows at SI and R11 become four rows at DI, times Y15. Rows i and
// i+4 share a register, so that transposing inside its halves gives whole rows.
#define TRANSPOSE \
	VMOVUPS (SI), X0; \
	VMOVUPS (SI)(R9*1), X1; \
	VMOVUPS (SI)(R9*2), X2; \
	VMOVUPS (SI)(R10*1), X3; \
	VINSERTF128 $1, (R11), Y0, Y0; \
	VINSERTF128 $1, (R11)(R9*1), Y1, Y1; \
	VINSERTF128 $1, (R11)(R9*2), Y2, Y2; \
	VINSERTF128 $1, (R11)(R10*1), Y3, Y3; \
	VUNPCKLPS Y1, Y0, Y4; \
	VUNPCKHPS Y1, Y0, Y5; \
	VUNPCKLPS Y3, Y2, Y6; \
	VUNPCKHPS Y3, Y2, Y7; \
	VUNPCKLPD Y6, Y4, Y0; \
	VUNPCKHPD Y6, Y4, Y1; \
	VUNPCKLPD Y7, Y5, Y2; \
	VUNPCKHPD Y7, Y5, Y3; \
	VMULPS Y0, Y15, Y0; \
	VMULPS Y1, Y15, Y1; \
	VMULPS Y2, Y15, Y2; \
	VMULPS Y3, Y15, Y3; \
	VMOVUPS Y0, (DI); \
	VMOVUPS Y1, (DI)(R8*1); \
	LEAQ (DI)(R8*2), DI; \
	VMOVUPS Y2, (DI); \
	VMOVUPS Y3, (DI)(R8*1); \
	LEAQ (DI)(R8*2), DI

// z = 1 in all lanes, by way of R9
#define ONES(z) \
	MOVL         $0x3f800000, R9; \
	VPBROADCASTD R9, z
