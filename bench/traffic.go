package bench

import (
	"strconv"
	"strings"
)

// Traffic is what one element of a loop costs: streams of its arrays read and written,
// and floating-point operations. Stores of the cached kind also read each line first
// (write-allocate); that isn't counted, see the package comment.
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

// String returns the loads and stores, as in "2 loads, 1 store"; "" if there are none.
func (t Traffic) String() string {
	var parts []string
	for _, p := range []struct {
		n    int
		what string
	}{{t.Loads, "load"}, {t.Stores, "store"}} {
		if p.n > 0 {
			parts = append(parts, count(p.n, p.what))
		}
	}
	return strings.Join(parts, ", ")
}

// GBps returns 10^9 bytes per second.
func GBps(bytes int64, seconds float64) float64 { return float64(bytes) / seconds / 1e9 }

// FormatGBps writes a bandwidth as it stands in every table, with four digits: "1.074",
// "46.91", "101.2".
func FormatGBps(gbps float64) string { return digits(gbps, 4) }

// times writes a ratio: two decimals below 10, three digits above.
func times(v float64) string {
	if v < 1 {
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
	return digits(v, 3)
}

// digits writes a number with so many significant digits, but never with an exponent,
// with no more than n+2 decimals, and with whole numbers in full.
func digits(v float64, n int) string {
	_, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', n-1, 64), "e")
	e, _ := strconv.Atoi(exponent)
	return strconv.FormatFloat(v, 'f', min(max(n-1-e, 0), n+2), 64)
}

// DefaultArrayBytes is the size of each array where the caches aren't known: 256 MiB.
const DefaultArrayBytes = 256 << 20

// ArrayBytes returns the least size of each array of a measurement of memory: four
// times the sum of the last-level caches of the CPUs in use, the rule of STREAM
// (https://www.cs.virginia.edu/stream/ref.html), or [DefaultArrayBytes] where no cache
// is known.
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
