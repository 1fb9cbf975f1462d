package bench

import "fmt"

// Traffic is what one element of a loop costs: streams of its arrays read and written, and floating-point operations. Stores of the
// cached kind also read each line first (write-allocate); that isn't counted, see the package comment.
type Traffic struct {
	Loads  int `json:"loads"`
	Stores int `json:"stores"`
	Flops  int `json:"flops"`
}

// TrafficOf returns the traffic of a kernel by its STREAM or BLAS name.
func TrafficOf(kernel string) (Traffic, bool) {
	t, ok := map[string]Traffic{
		"fill":  {0, 1, 0},
		"copy":  {1, 1, 0},
		"scale": {1, 1, 1},
		"add":   {2, 1, 1},
		"triad": {2, 1, 2},
		"axpy":  {2, 1, 2},
		"dot":   {2, 0, 2},
		"sum":   {1, 0, 1},
	}[kernel]
	return t, ok
}

// Bytes returns the bytes moved for n elements of the given size.
func (t Traffic) Bytes(n int64, elemBytes int) int64 {
	return n * int64(elemBytes) * int64(t.Loads+t.Stores)
}

func (t Traffic) String() string {
	switch {
	case t.Loads == 0:
		return fmt.Sprintf("%d store", t.Stores)
	case t.Stores == 0:
		return fmt.Sprintf("%d loads", t.Loads)
	}
	return fmt.Sprintf("%d loads, %d store", t.Loads, t.Stores)
}

// GBps returns 10^9 bytes per second.
func GBps(bytes int64, seconds float64) float64 { return float64(bytes) / seconds / 1e9 }

// FormatGBps writes a bandwidth as it stands in every table: three decimals below 100.
func FormatGBps(gbps float64) string {
	if gbps >= 100 {
		return fmt.Sprintf("%.1f GB/s", gbps)
	}
	return fmt.Sprintf("%.3f GB/s", gbps)
}

// FormatBytes writes a size in the largest binary unit that keeps it at 1 or more: "48 KiB", "1.5 GiB".
func FormatBytes(bytes int64) string {
	size, unit := float64(bytes), 0
	for size >= 1024 && unit < 4 {
		size /= 1024
		unit++
	}
	return fmt.Sprintf("%.4g %s", size, [...]string{"B", "KiB", "MiB", "GiB", "TiB"}[unit])
}

// DefaultArrayBytes is the size of each array where the caches aren't known: 256 MiB.
const DefaultArrayBytes = 256 << 20

// ArrayBytes returns the least size of each array of a measurement of memory: four times the sum of the last-level caches of the CPUs
// in use, the rule of STREAM (https://www.cs.virginia.edu/stream/ref.html), or [DefaultArrayBytes] where no cache is known.
func ArrayBytes(lastLevelCaches []int64) int64 {
	var sum int64
	for _, bytes := range lastLevelCaches {
		sum += bytes
	}
	if sum == 0 {
		return DefaultArrayBytes
	}
	return 4 * sum
}
