// Package u8 holds the inner loops over images of uint8, for one thread.
//
// Each loop exists in plain Go (ref.go), which defines it, and in assembly for
// SSE2, AVX2 and NEON; asm.Active says which one runs. All give the same values.
package u8
