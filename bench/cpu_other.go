//go:build !unix

package bench

// cpuSeconds returns 0: CPU time isn't measured here.
func cpuSeconds() float64 { return 0 }
