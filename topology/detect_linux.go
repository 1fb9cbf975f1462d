package topology

import (
	"math/bits"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

func detect() (*Machine, error) {
	src, affinity, arch, err := runningSystem()
	if err != nil {
		return nil, err
	}
	defer src.close()
	m, err := read(src, ReadOptions{affinity, arch}, liveCPUID(affinity))
	if err != nil {
		return nil, err
	}
	m.Live = true
	return m, nil
}

// runningSystem returns the files and the affinity mask of the running system.
func runningSystem() (src source, affinity Set, arch string, err error) {
	affinity, err = threadAffinity()
	if err != nil { // refused by a sandbox; what the runtime counted is all we know
		affinity = firstIDs(runtime.NumCPU())
	}
	src, err = openSystem()
	return src, affinity, runtime.GOARCH, err
}

// threadAffinity returns the affinity mask of the calling thread.
func threadAffinity() (Set, error) {
	return growAffinity(1024/bits.UintSize, func(mask []uintptr) syscall.Errno {
		_, _, errno := unix.RawSyscall(unix.SYS_SCHED_GETAFFINITY, 0, bits.UintSize/8*uintptr(len(mask)), uintptr(unsafe.Pointer(&mask[0])))
		return errno
	})
}

// growAffinity calls get with a mask of the given number of words, and with larger ones
// while it answers EINVAL: the kernel wants room for every CPU that it was built for.
func growAffinity(words int, get func(mask []uintptr) syscall.Errno) (Set, error) {
	for {
		mask := make([]uintptr, words)
		errno := get(mask)
		if errno == unix.EINVAL && words*bits.UintSize <= maxID {
			words *= 2
			continue
		}
		if errno != 0 {
			return Set{}, errno
		}
		var s Set
		for i, w := range mask {
			for ; w != 0; w &= w - 1 {
				s.add(i*bits.UintSize + bits.TrailingZeros64(uint64(w)))
			}
		}
		return s, nil
	}
}

// setAffinity sets the affinity mask of the calling thread.
func setAffinity(cpus Set) error {
	mask := make([]uintptr, cpus.Max()/bits.UintSize+1)
	for id := range cpus.All() {
		mask[id/bits.UintSize] |= 1 << (id % bits.UintSize)
	}
	_, _, errno := unix.RawSyscall(unix.SYS_SCHED_SETAFFINITY, 0, bits.UintSize/8*uintptr(len(mask)), uintptr(unsafe.Pointer(&mask[0])))
	if errno != 0 {
		return errno
	}
	return nil
}
