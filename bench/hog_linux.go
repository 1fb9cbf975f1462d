package bench

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// pinThread keeps the calling goroutine on one CPU for good.
func pinThread(cpu int) {
	runtime.LockOSThread()
	var set unix.CPUSet
	set.Set(cpu)
	unix.SchedSetaffinity(0, &set)
}
