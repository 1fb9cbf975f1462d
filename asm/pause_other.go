//go:build noasm || !(amd64 || arm64)

package asm

// pause calls a function n times, n > 0: these targets have no hint that Go could give.
func pause(n int) {
	for range n {
		nothing()
	}
}

//go:noinline
func nothing() {}
