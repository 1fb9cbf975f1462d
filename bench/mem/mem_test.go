package mem

import (
	"math"
	"testing"
	"testing/fstest"
)

func TestRead(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  uint64
	}{
		"nothing to read": {nil, Unknown},
		"no cgroup":       {map[string]string{"proc/meminfo": "MemTotal: 9 kB\nMemAvailable:    1000 kB\n"}, 1000 << 10},
		"v2, limit above": {map[string]string{
			"proc/meminfo":                 "MemAvailable: 1000 kB\n",
			"proc/self/cgroup":             "0::/a/b\n",
			"sys/fs/cgroup/a/b/memory.max": "max\n",
			"sys/fs/cgroup/a/memory.max":   "4096\n",
		}, 4096},
		"v2, own limit": {map[string]string{
			"proc/self/cgroup":             "0::/a/b\n",
			"sys/fs/cgroup/a/b/memory.max": "2048\n",
			"sys/fs/cgroup/a/memory.max":   "4096\n",
		}, 2048},
		"v1, path of the host": {map[string]string{
			"proc/meminfo":     "MemAvailable: 1000 kB\n",
			"proc/self/cgroup": "12:cpu,cpuacct:/x\n5:memory:/docker/0123\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "8192\n",
		}, 8192},
		"v1, no limit": {map[string]string{
			"proc/meminfo":     "MemAvailable: 1000 kB\n",
			"proc/self/cgroup": "5:memory:/\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
		}, 1000 << 10},
		"broken": {map[string]string{"proc/meminfo": "MemAvailable: many kB\n", "proc/self/cgroup": "0\n::\n"}, Unknown},
	} {
		t.Run(name, func(t *testing.T) {
			root := fstest.MapFS{}
			for path, text := range c.files {
				root[path] = &fstest.MapFile{Data: []byte(text)}
			}
			if got := Read(root); got != c.want {
				t.Errorf("got %d, want %d", got, c.want)
			}
		})
	}
}

func TestText(t *testing.T) {
	for bytes, want := range map[int64]string{0: "0 B", 4: "4 B", 1023: "1023 B", 48 << 10: "48 KiB", 3 << 29: "1.5 GiB", 268435484: "256 MiB", math.MaxInt64: "8 EiB"} {
		if got := Text(bytes); got != want {
			t.Errorf("%d: %s, want %s", bytes, got, want)
		}
	}
}
