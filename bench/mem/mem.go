// Package mem tells how much memory a program can fill without harm, so that
// measurements and examples choose sizes that fit, and writes sizes.
package mem

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"strconv"
	"strings"
)

// Text writes a size in the largest binary unit that keeps it at 1 or more, with at
// most four digits: "48 KiB", "1.5 GiB".
func Text(bytes int64) string {
	units := [...]string{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	size, unit := float64(bytes), 0
	for size >= 1024 {
		size /= 1024
		unit++
	}
	return fmt.Sprintf("%.4g %s", size, units[unit])
}

// Unknown is what Available answers where the system doesn't tell: little
// enough for any machine that the library is of use on.
const Unknown = 1 << 30

// Available returns the bytes that can be filled: the kernel's estimate
// MemAvailable or the limit of the process's cgroup, whichever is less.
func Available() uint64 { return Read(os.DirFS("/")) }

// Read is Available from a recorded file tree.
func Read(root fs.FS) uint64 {
	available, limit := memAvailable(root), cgroupLimit(root)
	if available == math.MaxUint64 && limit == math.MaxUint64 {
		return Unknown
	}
	return min(available, limit)
}

func memAvailable(root fs.FS) uint64 {
	data, _ := fs.ReadFile(root, "proc/meminfo")
	for line := range strings.Lines(string(data)) {
		if f := strings.Fields(line); len(f) >= 2 && f[0] == "MemAvailable:" {
			if kib, err := strconv.ParseUint(f[1], 10, 54); err == nil {
				return kib << 10
			}
		}
	}
	return math.MaxUint64
}

// cgroupLimit returns the least limit of the process's cgroup and those above
// it. In a container the path that the kernel tells may be the host's; then only
// the limit at the mount's top is there to read.
func cgroupLimit(root fs.FS) uint64 {
	limit := uint64(math.MaxUint64)
	data, _ := fs.ReadFile(root, "proc/self/cgroup")
	for line := range strings.Lines(string(data)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		mount, file := "sys/fs/cgroup", "memory.max"
		switch {
		case parts[1] == "memory":
			mount, file = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
		case parts[0] != "0":
			continue
		}
		for dir := path.Join("/", parts[2]); ; dir = path.Dir(dir) {
			text, _ := fs.ReadFile(root, path.Join(mount, dir, file))
			if bytes, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64); err == nil {
				limit = min(limit, bytes)
			}
			if dir == "/" {
				break
			}
		}
	}
	return limit
}
