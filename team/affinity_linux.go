package team

import (
	"fmt"
	"math/bits"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/numateam/numateam/topology"
)

// thread returns the calling thread's id.
func thread() int { return unix.Gettid() }

// onMainThread reports whether the calling thread is the process's first, which
// never ends.
func onMainThread() bool { return unix.Gettid() == os.Getpid() }

// A mask is an affinity mask as the kernel writes it.
type mask []uint64

// get returns the affinity mask of a thread; 0 is the calling one. It is written into
// m as far as that has room.
func (m mask) get(tid int) (mask, error) {
	for words := max(len(m), 16); ; words *= 2 { // EINVAL: the kernel has room for more CPUs
		if words > len(m) {
			m = make(mask, words)
		}
		_, _, errno := unix.RawSyscall(unix.SYS_SCHED_GETAFFINITY, uintptr(tid), uintptr(8*len(m)), uintptr(unsafe.Pointer(&m[0])))
		switch {
		case errno == 0:
			return m, nil
		case errno != unix.EINVAL || words > 1<<14:
			return m, fmt.Errorf("team: sched_getaffinity: %w", errno)
		}
	}
}

// set makes m the affinity mask of a thread; 0 is the calling one.
func (m mask) set(tid int) error {
	_, _, errno := unix.RawSyscall(unix.SYS_SCHED_SETAFFINITY, uintptr(tid), uintptr(8*len(m)), uintptr(unsafe.Pointer(&m[0])))
	if errno != 0 {
		return fmt.Errorf("team: sched_setaffinity: %w", errno)
	}
	return nil
}

// has reports whether m has a CPU in it.
func (m mask) has(cpu int) bool { return cpu/64 < len(m) && m[cpu/64]>>(cpu%64)&1 != 0 }

// len returns how many CPUs m has in it.
func (m mask) len() int {
	n := 0
	for _, word := range m {
		n += bits.OnesCount64(word)
	}
	return n
}

// setAffinity binds a thread to CPUs; 0 is the calling one.
func setAffinity(tid int, cpus topology.Set) error { return maskOf(cpus).set(tid) }

func maskOf(cpus topology.Set) mask { return cpus.Words() }

// shortTimerSlack lets the calling thread's timed sleeps end on time.
func shortTimerSlack() { unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0) }
