//go:build noasm || !(amd64 || arm64)

package f64

// What the exported functions call, once for each block: here always the plain loops.

func scale(dst []float64, a float64, src []float64)        { scaleGo(dst, a, src) }
func add(dst, a, b []float64)                              { addGo(dst, a, b) }
func triad(dst, a []float64, s float64, b []float64)       { triadGo(dst, a, s, b) }
func axpy(a float64, x, y []float64)                       { axpyGo(a, x, y) }
func scaleStream(dst []float64, a float64, src []float64)  { scaleGo(dst, a, src) }
func addStream(dst, a, b []float64)                        { addGo(dst, a, b) }
func triadStream(dst, a []float64, s float64, b []float64) { triadGo(dst, a, s, b) }
func dot(r *results, x, y []float64)                       { dotGo(r, x, y) }
func sum(r *results, x []float64)                          { sumGo(r, x) }
func asum(r *results, x []float64)                         { asumGo(r, x) }
