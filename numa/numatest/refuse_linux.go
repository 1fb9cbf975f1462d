//go:build amd64 || arm64

package numatest

import (
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

const load, equal, answer = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, unix.BPF_RET | unix.BPF_K

// Where struct seccomp_data has the call's number, the architecture and, on
// little-endian machines, the lower half of the second argument.
const number, architecture, second = 0, 4, 24

// Refuse has a seccomp filter answer the given system calls with errno, in all
// threads and child processes and for good: a test calls it in a child.
func Refuse(errno unix.Errno, calls ...uint32) error {
	var checks []unix.SockFilter
	for i, call := range calls {
		// To the last instruction, past the calls that follow and a return.
		checks = append(checks, unix.SockFilter{Code: equal, K: call, Jt: uint8(len(calls) - i)})
	}
	return install(errno, checks)
}

// RefuseOperation is Refuse for one call when its second argument is op.
func RefuseOperation(errno unix.Errno, call, op uint32) error {
	return install(errno, []unix.SockFilter{
		{Code: equal, K: call, Jf: 2},
		{Code: load, K: second},
		{Code: equal, K: op, Jt: 1},
	})
}

// install installs a filter of checks that begin with the call's number loaded.
// They go on to the next instruction to allow it, and past that to refuse it.
func install(errno unix.Errno, checks []unix.SockFilter) error {
	arch := uint32(unix.AUDIT_ARCH_X86_64)
	if runtime.GOARCH == "arm64" {
		arch = unix.AUDIT_ARCH_AARCH64
	}
	prog := []unix.SockFilter{
		{Code: load, K: architecture},
		{Code: equal, K: arch, Jt: 1},
		{Code: answer, K: unix.SECCOMP_RET_ALLOW},
		{Code: load, K: number},
	}
	prog = append(prog, checks...)
	prog = append(prog,
		unix.SockFilter{Code: answer, K: unix.SECCOMP_RET_ALLOW},
		unix.SockFilter{Code: answer, K: unix.SECCOMP_RET_ERRNO | uint32(errno)})
	f := unix.SockFprog{Len: uint16(len(prog)), Filter: &prog[0]}
	runtime.LockOSThread() // for both calls
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	_, _, e := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&f)))
	if e != 0 {
		return e
	}
	return nil
}
