package topology

import (
	"errors"
	"math/bits"
	"syscall"
	"testing"
)

func TestAffinityBufferGrows(t *testing.T) {
	const possible = 4096 // CPUs that the kernel is built for
	calls := 0
	s, err := growAffinity(1, func(mask []uintptr) syscall.Errno {
		calls++
		if len(mask)*bits.UintSize < possible {
			return syscall.EINVAL
		}
		mask[4000/bits.UintSize] |= 1 << (4000 % bits.UintSize)
		return 0
	})
	if err != nil || s.String() != "4000" || calls < 2 {
		t.Errorf("%v, %v after %d calls", s, err, calls)
	}
	_, err = growAffinity(1, func([]uintptr) syscall.Errno { return syscall.EINVAL })
	if !errors.Is(err, syscall.EINVAL) {
		t.Errorf("a kernel that always refuses: %v", err)
	}
	_, err = growAffinity(1, func([]uintptr) syscall.Errno { return syscall.EPERM })
	if !errors.Is(err, syscall.EPERM) {
		t.Errorf("a sandbox that refuses: %v", err)
	}
}
