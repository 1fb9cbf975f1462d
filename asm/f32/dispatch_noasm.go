//go:build noasm || !(amd64 || arm64)

package f32

// What the exported functions call: here always the plain loops.

func scale(dst []float32, a float32, src []float32)        { scaleGo(dst, a, src) }
func add(dst, a, b []float32)                              { addGo(dst, a, b) }
func triad(dst, a []float32, s float32, b []float32)       { triadGo(dst, a, s, b) }
func axpy(a float32, x, y []float32)                       { axpyGo(a, x, y) }
func axpyStream(a float32, x, y []float32)                 { axpyGo(a, x, y) }
func scaleInPlace(x []float32, a float32)                  { scaleGo(x, a, x) }
func scaleStream(dst []float32, a float32, src []float32)  { scaleGo(dst, a, src) }
func addStream(dst, a, b []float32)                        { addGo(dst, a, b) }
func triadStream(dst, a []float32, s float32, b []float32) { triadGo(dst, a, s, b) }

func dot(x, y []float32) float32 {
	if len(x) > blockLen {
		return dotHalves(x, y)
	}
	return dotGo(x, y)
}

func sum(x []float32) float32 {
	if len(x) > blockLen {
		return sumHalves(x)
	}
	return sumGo(x)
}

func asum(x []float32) float32 {
	if len(x) > blockLen {
		return asumHalves(x)
	}
	return asumGo(x)
}
