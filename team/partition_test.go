package team

import (
	"math"
	"slices"
	"testing"
)

func TestEven(t *testing.T) {
	for _, n := range []int{1, 2, 5, 63, 64, 1000, math.MaxInt32, math.MaxInt / 5, math.MaxInt} {
		for _, grain := range []int{1, 3, 4096, math.MaxInt/2 + 1} {
			for _, width := range []int{1, 2, 3, 7, 128} {
				b := even(n, grain, width)
				at, least, most := int64(0), int64(math.MaxInt64), int64(0)
				for i := range width {
					lo, hi := b.block(i)
					if lo != at || hi < lo || lo%int64(grain) != 0 && lo != int64(n) {
						t.Fatalf("n %d, grain %d, %d blocks: [%d, %d) after %d", n, grain, width, lo, hi, at)
					}
					at = hi
					least, most = min(least, hi-lo), max(most, hi-lo)
				}
				if at != int64(n) || grain == 1 && most-least > 1 {
					t.Fatalf("n %d, grain %d, %d blocks: end %d, sizes %d to %d", n, grain, width, at, least, most)
				}
			}
		}
	}
}

// A chunk is whole grains, and about 8 make a participant's share.
func TestChunkOf(t *testing.T) {
	for _, c := range []struct{ n, grain, width, want int }{
		{1, 1, 1, 1}, {8, 1, 1, 1}, {9, 1, 1, 2}, {1000, 1, 4, 32}, {1000, 64, 4, 64},
		{1 << 20, 4096, 4, 8 * 4096}, {10, 100, 2, 100}, {math.MaxInt, 1, 2, math.MaxInt/16 + 1}, {math.MaxInt, math.MaxInt, 2, math.MaxInt},
	} {
		if got := chunkOf(c.n, c.grain, c.width); got != c.want {
			t.Errorf("n %d, grain %d, %d workers: chunks of %d, want %d", c.n, c.grain, c.width, got, c.want)
		}
	}
}

// Whoever takes part after the machine has shrunk, each index is in a block of
// just one of them.
func TestShrunkTeam(t *testing.T) {
	for _, left := range [][]int32{{0}, {0, 3}, {0, 2, 5}, {0, 1, 2, 3, 4, 5}} {
		for _, schedule := range []Schedule{Static, Steal} {
			c := hybrid(t, "node:2 core:3", schedule)
			c.inOrder = append(make([]int32, 0, 6), left...)
			width := 6 // as chosen before
			ran := make([]int, 100)
			c.lock.Store(busy)
			c.upkeep.launches = 1
			c.region(Launch{Schedule: schedule}, len(ran), 1, width, job{body: func(lo, hi int) {
				for i := lo; i < hi; i++ {
					ran[i]++
				}
			}})
			if i := slices.IndexFunc(ran, func(n int) bool { return n != 1 }); i >= 0 {
				t.Errorf("%v of 6 workers left: index %d was run %d times", left, i, ran[i])
			}
		}
	}
}
