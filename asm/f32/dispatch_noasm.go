//go:build noasm || !(amd64 || arm64)

package f32

// What the exported functions call, once for each block: here always the plain loops.

func scale(dst []float32, a float32, src []float32)        { scaleGo(dst, a, src) }
func add(dst, a, b []float32)                              { addGo(dst, a, b) }
func triad(dst, a []float32, s float32, b []float32)       { triadGo(dst, a, s, b) }
func axpy(a float32, x, y []float32)                       { axpyGo(a, x, y) }
func scaleStream(dst []float32, a float32, src []float32)  { scaleGo(dst, a, src) }
func addStream(dst, a, b []float32)                        { addGo(dst, a, b) }
func triadStream(dst, a []float32, s float32, b []float32) { triadGo(dst, a, s, b) }
func dot(r *results, x, y []float32)                       { dotGo(r, x, y) }
func sum(r *results, x []float32)                          { sumGo(r, x) }
func asum(r *results, x []float32)                         { asumGo(r, x) }
