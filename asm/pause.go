package asm

// maxPause bounds one call of pause: PAUSE takes up to 140 cycles, so that's
// less than 50 microseconds in which the goroutine can't be preempted.
const maxPause = 1 << 10

// Pause tells the CPU n times that it runs a spin loop, which frees resources for
// the other hardware thread of its core and saves power. A hint takes 10 to 140
// cycles, depending on the CPU; without assembly, one or two. n is bounded at 1024. A
// spin loop around Pause can be preempted.
//
//go:noinline
func Pause(n int) {
	if n > 0 {
		pause(min(n, maxPause))
	}
}
