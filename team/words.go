//go:build !teamcheck

package team

import (
	"sync/atomic"
	"time"

	"github.com/numateam/numateam/asm"
)

// The words that participants share are of these types, and time and pauses
// come from these functions, so that the checker (build tag teamcheck) can put
// its own in their place and drive the protocol's code itself, step by step.
type (
	word32 = atomic.Uint32
	word64 = atomic.Uint64
	stamp  = atomic.Int64
)

var started = time.Now()

// nanotime returns nanoseconds since the program started, always positive.
func nanotime() int64 { return int64(time.Since(started)) + 1 }

// Loops that count go round this often.
const (
	clockSpins = 32 // looks at a word between two at the clock
	grace      = 16 // passes in which the caller doesn't ask who is late
	scanPasses = 4  // passes with nothing but blocks for others, then a thief leaves
)

// at is where a participant tells the checker, and nobody else, that it is at the
// head of a loop of the protocol, and what of its local state matters there.
func at(loop string, slot int32, n int, epoch int64, a, b bool) {}

// pause rests for n hints of a spin loop. It can be preempted.
func pause(n int) { asm.Pause(n) }
