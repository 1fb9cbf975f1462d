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

// pause rests for n hints of a spin loop. It can be preempted.
func pause(n int) { asm.Pause(n) }
