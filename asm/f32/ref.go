package f32

import "math"

// The plain loops: what the assembly has to equal. The conversions
// around the products keep the compiler from fusing them with the additions.

func scaleGo(dst []float32, a float32, src []float32) {
	for i, v := range src[:len(dst)] {
		dst[i] = a * v
	}
}

func addGo(dst, a, b []float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] + b[i]
	}
}

func triadGo(dst, a []float32, s float32, b []float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] + float32(s*b[i])
	}
}

func axpyGo(a float32, x, y []float32) {
	y = y[:len(x)]
	for i, v := range x {
		y[i] += float32(a * v)
	}
}

func dotGo(x, y []float32) float32 {
	var l lanes
	for len(x) > 0 {
		n := min(len(l), len(x))
		for j, v := range x[:n] {
			l[j] += float32(v * y[j])
		}
		x, y = x[n:], y[n:]
	}
	return l.fold()
}

func sumGo(x []float32) float32 {
	var l lanes
	for len(x) > 0 {
		n := min(len(l), len(x))
		for j, v := range x[:n] {
			l[j] += v
		}
		x = x[n:]
	}
	return l.fold()
}

func asumGo(x []float32) float32 {
	var l lanes
	for len(x) > 0 {
		n := min(len(l), len(x))
		for j, v := range x[:n] {
			l[j] += float32(math.Abs(float64(v)))
		}
		x = x[n:]
	}
	return l.fold()
}
