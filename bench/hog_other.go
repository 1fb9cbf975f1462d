//go:build !linux

package bench

// pinThread does nothing: where it can't be pinned, a hog takes any CPU.
func pinThread(int) {}
