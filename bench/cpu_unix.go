//go:build unix

package bench

import (
	"golang.org/x/sys/unix"
)

// cpuSeconds returns the CPU time that the process has used, on all its threads.
func cpuSeconds() float64 {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
