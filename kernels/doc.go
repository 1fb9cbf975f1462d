// Package kernels runs the loops of STREAM and of BLAS level 1, image blurs and
// a drop-in for gonum's BLAS on a team.
//
// Every kernel is the parallel form of the loop in its comment. A kernel takes the team
// that it runs on as its first argument; nil runs it serially on the caller, and so do
// the loops over up to 65,536 elements, or over operands of less than 1 MiB together, where
// a launch would cost what it saves.
//
// # The same bits everywhere
//
// What a kernel computes depends on its input alone, not on the CPU, the team, its
// schedule or who ran which part. The elementwise kernels round a product before they
// add to it, as the plain loop does where the compiler fuses nothing. The reductions add
// in one fixed order, which is described in package asm/f32. Values are those of
// IEEE 754, special ones included: 0*NaN is NaN. A NaN's payload isn't promised.
//
// # Arguments
//
// Slices of different length panic before anything is written; empty and nil ones are
// nothing to do. Operands may be the same slice. A destination that overlaps with a
// source in any other way panics too, except in Copy, which does what Go's copy does.
// Nothing outside the slices is read or written.
//
// A kernel returns when all of its work is done. Kernels may be called from any goroutine,
// as long as no other writes to their operands; one that finds its team busy runs
// serially (see team.Launch). They allocate nothing.
//
// # Where the work goes
//
// The parts of a placed array (see numa and team.Make) go to the workers that own
// them: a launch follows the placement of the kernel's destination, or of the first operand
// of a reduction. When what a worker touches is larger than its share of the
// last-level cache, Fill, Copy, Scale, Add and Triad store past the caches, which saves
// reading the destination first.
//
// Traffic is given in loads and stores per element, without the reading of a
// destination that's not stored past the caches.
package kernels
