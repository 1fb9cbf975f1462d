package u8

import "github.com/numateam/numateam/asm"

const lengths = "u8: slices of different length"

// BlurRow computes one more row of a 3x3 box blur, from one more row of the image and
// from the two rows above it that are blurred along x already:
//
//	for i := range dst {
//		below[i] = (src[i] + src[i+1] + src[i+2]) / 3
//		dst[i] = (above[i] + middle[i] + below[i]) / 3
//	}
//
// The sums don't wrap and the divisions round down. src is two elements longer than the
// others. No operand may overlap dst or below.
//
// Traffic: 1 load and 1 store per element, if above, middle and below stay in cache.
func BlurRow(dst, below, src, above, middle []uint8) {
	checkRow(dst, below, src, above, middle)
	for len(dst) > asm.Block {
		blurRow(dst[:asm.Block], below[:asm.Block], src[:asm.Block+2], above[:asm.Block], middle[:asm.Block])
		dst, below, src, above, middle = dst[asm.Block:], below[asm.Block:], src[asm.Block:], above[asm.Block:], middle[asm.Block:]
	}
	blurRow(dst, below, src, above, middle)
}

// BlurRowStream is BlurRow for an image too large to be found in the caches before or
// afterwards: whole lines of dst are stored past them, and src[ahead:], which the caller will
// want soon, is prefetched. On amd64 other CPUs may see the stores late, but not after the
// next locked instruction, and all of Go's ways to tell another goroutine have one; a fence for
// each row would wait for memory.
func BlurRowStream(dst, below, src, above, middle []uint8, ahead int) {
	checkRow(dst, below, src, above, middle)
	// A line that's stored to in both ways is written to memory twice, and read in between.
	h, t := asm.Lines(dst)
	BlurRow(dst[:h], below[:h], src[:h+2], above[:h], middle[:h])
	for i := h; i < t; i += asm.Block {
		e := min(i+asm.Block, t)
		blurRowStream(dst[i:e], below[i:e], src[i:e+2], above[i:e], middle[i:e], ahead)
	}
	BlurRow(dst[t:], below[t:], src[t:], above[t:], middle[t:])
}

func checkRow(dst, below, src, above, middle []uint8) {
	n := len(dst)
	if len(below) != n || len(src) != n+2 || len(above) != n || len(middle) != n {
		panic(lengths)
	}
}
