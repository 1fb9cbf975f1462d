//go:build noasm || !amd64

package f32

func swap(x, y []float32) { swapGo(x, y) }

func rot(x, y []float32, c, s float32) { rotGo(x, y, c, s) }

func amax(x []float32) float32 { return amaxGo(x) }

func iamax(x []float32) int { return iamaxGo(x) }
