//go:build noasm || !amd64

package f64

func swap(x, y []float64) { swapGo(x, y) }

func rot(x, y []float64, c, s float64) { rotGo(x, y, c, s) }

func amax(x []float64) float64 { return amaxGo(x) }

func iamax(x []float64) int { return iamaxGo(x) }
