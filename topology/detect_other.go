//go:build !linux && !darwin && !windows

package topology

import "runtime"

func detect() (*Machine, error) {
	m := flat(firstIDs(runtime.NumCPU()))
	m.Arch, m.Live = runtime.GOARCH, true
	return m, nil
}
