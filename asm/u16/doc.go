// Package u16 holds the inner loops over images of uint16, for one thread.
//
// Each loop exists in plain Go (ref.go), which defines it, and in assembly for
// SSE2, AVX2, AVX-512 and NEON; asm.Active says which one runs. All give the same
// values.
//
// # Dividing by three
//
// A box blur needs q = (a+b+c)/3, rounded down, in lanes of 16 bits, where the sum may
// take 18. Two forms do it; a test tries them with every a+b and every c. All is modulo
// 65536; x * 43691 >> 17 is a multiplication that gives the high half, and a shift.
//
// The plain form, 4 instructions, holds while a+b+c < 65536:
//
//	q = (a+b+c) * 43691 >> 17
//
// The exact form, 11 instructions, always holds. It divides what's left after a guess p that
// is close enough for the rest d to fit into 16 bits. avg rounds up, as PAVGW and
// URHADD do. (With avg(u, c) for the second average d can be 65536.)
//
//	u = avg(a, b)
//	p = avg(u, avg(u, c)) - 5463
//	d = a + b + c - 3*p             // 2 <= d <= 32772
//	q = p + (d * 43691 >> 17)
//
// Another one with 10 instructions puts the carries out of the sums, found by comparing, back in
// at the bottom, as 65536 = 3*21845 + 1. Its comparisons and masks make it slower on an EPYC
// of the fifth generation with AVX-512.
//
// The loops for AVX2 and AVX-512 begin a row in the plain form with additions that
// saturate, and where a sum reaches 65535 go over to the exact form for the rest of
// the row. So 12-bit camera data doesn't pay for the full range.
package u16
