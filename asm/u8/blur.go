package u8

import "github.com/numateam/numateam/asm"

const lengths = "u8: slices of different length"

// BlurRow computes one more row of a 3x3 box blur, from one more row of the image and
// from the two rows above it that are blurred along x already. It leaves the row, blurred
// along x, in the place of the upper one:
//
//	for i := range dst {
//		below := (src[i] + src[i+1] + src[i+2]) / 3
//		dst[i] = (above[i] + middle[i] + below) / 3
//		above[i] = below
//	}
//
// The sums don't wrap and the divisions round down. src is two elements longer than the
// others. No operand may overlap another.
//
// Traffic: 1 load and 1 store per element, if above and middle stay in cache.
func BlurRow(dst, above, middle, src []uint8) {
	checkRow(dst, above, middle, src)
	for len(dst) > asm.Block {
		blurRow(dst[:asm.Block], above[:asm.Block], middle[:asm.Block], src[:asm.Block+2])
		dst, above, middle, src = dst[asm.Block:], above[asm.Block:], middle[asm.Block:], src[asm.Block:]
	}
	blurRow(dst, above, middle, src)
}

// BlurRowStream is BlurRow for an image too large to be found in the caches before or
// afterwards: whole lines of dst are stored past them, and src[ahead:], which the caller will
// want soon, is prefetched. On amd64 other CPUs may see the stores late, but not after the
// next locked instruction, and all of Go's ways to tell another goroutine have one; a fence for
// each row would wait for memory.
func BlurRowStream(dst, above, middle, src []uint8, ahead int) {
	checkRow(dst, above, middle, src)
	// A line that's stored to in both ways is written to memory twice, and read in between.
	h, t := asm.Lines(dst)
	BlurRow(dst[:h], above[:h], middle[:h], src[:h+2])
	for i := h; i < t; i += asm.Block {
		e := min(i+asm.Block, t)
		blurRowStream(dst[i:e], above[i:e], middle[i:e], src[i:e+2], ahead)
	}
	BlurRow(dst[t:], above[t:], middle[t:], src[t:])
}

func checkRow(dst, above, middle, src []uint8) {
	n := len(dst)
	if len(above) != n || len(middle) != n || len(src) != n+2 {
		panic(lengths)
	}
}
