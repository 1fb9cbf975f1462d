package f32

import "github.com/numateam/numateam/asm"

// BlurRow computes one more row of a 3x3 box blur, from one more row of the image and
// from the two rows above it that are blurred along x already:
//
//	for i := range dst {
//		below[i] = (src[i] + src[i+1] + src[i+2]) / 3
//		dst[i] = (above[i] + middle[i] + below[i]) / 3
//	}
//
// Sums go from left to right, and the divisions are divisions. src is two elements longer than the
// others. No operand may overlap dst or below. The caller will want src[ahead] to
// src[ahead+len(src)-1] next, which is prefetched.
//
// Traffic: 1 load and 1 store per element, if above, middle and below stay in cache.
func BlurRow(dst, below, src, above, middle []float32, ahead int) {
	checkBlurRow(dst, below, src, above, middle)
	for len(dst) > asm.Block {
		blurRow(dst[:asm.Block], below[:asm.Block], src[:asm.Block+2], above[:asm.Block], middle[:asm.Block], ahead)
		dst, below, src, above, middle = dst[asm.Block:], below[asm.Block:], src[asm.Block:], above[asm.Block:], middle[asm.Block:]
	}
	blurRow(dst, below, src, above, middle, ahead)
}

// BlurRowStream is BlurRow with stores to dst that bypass the caches: for an image too
// large to be found in them afterwards. On amd64 other CPUs may see them late, but not
// after the next locked instruction, and all of Go's ways to tell another goroutine have one;
// a fence for each row would wait for memory.
func BlurRowStream(dst, below, src, above, middle []float32, ahead int) {
	checkBlurRow(dst, below, src, above, middle)
	for len(dst) > asm.Block {
		blurRowStream(dst[:asm.Block], below[:asm.Block], src[:asm.Block+2], above[:asm.Block], middle[:asm.Block], ahead)
		dst, below, src, above, middle = dst[asm.Block:], below[asm.Block:], src[asm.Block:], above[asm.Block:], middle[asm.Block:]
	}
	blurRowStream(dst, below, src, above, middle, ahead)
}

func checkBlurRow(dst, below, src, above, middle []float32) {
	n := len(dst)
	if len(below) != n || len(src) != n+2 || len(above) != n || len(middle) != n {
		panic(lengths)
	}
}
