package topologytest

import (
	"os"
	"runtime"
	"strings"
)

// Emulated reports whether an emulator of user mode runs the program, as QEMU does
// for one of arm64 on a kernel for another architecture. Such an emulator has no
// memory policies and no filters of system calls, and can't start the program again.
func Emulated() bool {
	kernel, err := os.ReadFile("/proc/sys/kernel/arch")
	name := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH]
	return err == nil && name != "" && strings.TrimSpace(string(kernel)) != name
}
