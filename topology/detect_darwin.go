package topology

import (
	"encoding/binary"
	"runtime"

	"golang.org/x/sys/unix"
)

func detect() (*Machine, error) {
	m := macMachine(func(name string) (int, bool) {
		data, err := unix.SysctlRaw(name)
		switch {
		case err == nil && len(data) == 4:
			return int(int32(binary.NativeEndian.Uint32(data))), true
		case err == nil && len(data) == 8:
			return int(binary.NativeEndian.Uint64(data)), true
		}
		return 0, false
	})
	m.Arch, m.Live = runtime.GOARCH, true
	return m, nil
}
