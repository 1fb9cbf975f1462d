// Package f32 holds the inner loops over float32, for one thread.
//
// Each loop exists in plain Go, which defines it, and in assembly for SSE2, AVX2, AVX-512
// and NEON, but for gemm, swap, rot and the search for the largest, which lack SSE2, and
// the last three NEON too; asm.Active says which one runs. All give the same
// bits: a product is rounded before it's added to, and the reductions have one
// fixed shape. NaN stays NaN, but its payload isn't promised.
//
// The loops of package f64 are the same, line by line: a test compares the files.
//
// # The shape of a reduction
//
// Float addition isn't associative, so the order of the additions is part of what a
// reduction means. It depends on the number of elements alone:
//
//   - A slice is cut into blocks of 4,096 elements; the last one may be shorter.
//   - A block is summed in lanes that fill 128 bytes, 32 of float32 or 16 of
//     float64: element i of the block is added to lane i mod W. That's eight vectors
//     of SSE2 or NEON, four of AVX2 and two of AVX-512.
//   - The lanes are folded by halves: lane l takes lane l+W/2, then l+W/4, to lane 0.
//   - The blocks' results are added in pairs, the pairs in pairs, and so on; one that's
//     left over goes up a level as it is.
//
// So any part of a slice that starts at a multiple of 4096*2^k elements and is as
// long, or is the rest, can be summed on its own: that's how the loops work
// in blocks, and package kernels in chunks.
//
// # Rules for all loops
//
// Slices of different length panic before anything is written. Operands may be the
// same slice; operands that overlap in any other way give undefined values, but
// nothing outside the slices is read or written. The loops are safe for concurrent use
// as far as the memory is.
package f32
