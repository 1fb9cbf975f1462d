// Package bench measures numateam and what it is compared with, and draws the figures.
//
// How a figure comes about, for every measurement here:
//
//   - Sizes come from the machine: arrays are at least four times the sum of the
//     last-level caches in use ([ArrayBytes]).
//   - The first repetition is dropped; best, median and worst of the others are shown,
//     a bandwidth is never a single run's.
//   - Every result is verified element by element. A wrong one is marked as failed with
//     its first wrong index, and shows no figure.
//   - Traffic is counted as the loop is written, loads and stores of each element
//     ([Traffic]); what the hardware reads in addition to fill a cache line before it's
//     overwritten (write-allocate) is named beside the figure, not counted.
//   - GB/s is 10^9 bytes per second. GiB, 2^30 bytes, is used for sizes only, and
//     always by that name.
//   - What is compared takes turns within one run ([Alternate]); a ratio is the median
//     over the turns, with its quartiles.
//   - A result carries the machine it comes from ([Env]).
package bench
