package f64

import "math/bits"

// blockLen is the number of elements in a block of a reduction.
const blockLen = 4096

// lanes are the partial sums of one block.
type lanes [16]float64

// fold adds the lanes by halves.
func (l *lanes) fold() float64 {
	for h := len(l) / 2; h > 0; h /= 2 {
		for i := range h {
			l[i] += l[i+h]
		}
	}
	return l[0]
}

// Fold adds the results of equally long parts of a slice in the order that the
// package's reductions have, and overwrites r. The parts are 4096*2^k elements
// long, for any k; the last one may be shorter.
func Fold(r []float64) float64 {
	if len(r) == 0 {
		return 0
	}
	for len(r) > 1 {
		h := len(r) / 2
		for i := range h {
			r[i] = r[2*i] + r[2*i+1]
		}
		if len(r)%2 == 1 {
			r[h] = r[2*h]
			h++
		}
		r = r[:h]
	}
	return r[0]
}

// half returns where a slice of n elements, n > blockLen, is cut in two so that the
// sum of the parts is that of the whole: at the greatest power of two below n.
func half(n int) int { return 1 << (bits.Len(uint(n-1)) - 1) }
