//go:build linux && !teamcheck

package team

import (
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	futexWaitPrivate = 0 | 128 // FUTEX_WAIT | FUTEX_PRIVATE_FLAG, linux/futex.h
	futexWakePrivate = 1 | 128
)

// sleeper is what a thread sleeps on beside its word; on Linux the word does.
type sleeper struct{}

// newSleeper returns a sleeper nobody sleeps on.
func newSleeper() sleeper { return sleeper{} }

// sleep returns when w doesn't hold val, when it was woken, after d if d > 0, or
// for no reason at all. The thread's P is given back meanwhile.
func (sleeper) sleep(w *word32, val uint32, d time.Duration) {
	var ts *unix.Timespec
	if d > 0 {
		t := unix.NsecToTimespec(int64(d))
		ts = &t
	}
	unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(w)), futexWaitPrivate, uintptr(val), uintptr(unsafe.Pointer(ts)), 0, 0)
}

// wake wakes the thread that sleeps on w. It doesn't block, so the collector
// needn't know of the call.
func (sleeper) wake(w *word32) {
	unix.RawSyscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(w)), futexWakePrivate, 1, 0, 0, 0)
}
