//go:build noasm || !(amd64 || arm64)

package mem

func fill(dst []byte, p Pattern)       { fillGo(dst, p) }
func fillStream(dst []byte, p Pattern) { fillGo(dst, p) }
func copyStream(dst, src []byte)       { copy(dst, src) }
