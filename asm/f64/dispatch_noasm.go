//go:build noasm || !(amd64 || arm64)

package f64

// What the exported functions call: here always the plain loops.

func scale(dst []float64, a float64, src []float64)        { scaleGo(dst, a, src) }
func add(dst, a, b []float64)                              { addGo(dst, a, b) }
func triad(dst, a []float64, s float64, b []float64)       { triadGo(dst, a, s, b) }
func axpy(a float64, x, y []float64)                       { axpyGo(a, x, y) }
func axpyStream(a float64, x, y []float64)                 { axpyGo(a, x, y) }
func scaleInPlace(x []float64, a float64)                  { scaleGo(x, a, x) }
func scaleStream(dst []float64, a float64, src []float64)  { scaleGo(dst, a, src) }
func addStream(dst, a, b []float64)                        { addGo(dst, a, b) }
func triadStream(dst, a []float64, s float64, b []float64) { triadGo(dst, a, s, b) }

func dot(x, y []float64) float64 {
	if len(x) > blockLen {
		return dotHalves(x, y)
	}
	return dotGo(x, y)
}

func sum(x []float64) float64 {
	if len(x) > blockLen {
		return sumHalves(x)
	}
	return sumGo(x)
}

func asum(x []float64) float64 {
	if len(x) > blockLen {
		return asumHalves(x)
	}
	return asumGo(x)
}
