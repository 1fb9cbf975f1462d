package f64

import "math"

// The plain loops: what the assembly has to equal. The conversions
// around the products keep the compiler from fusing them with the additions.

func scaleGo(dst []float64, a float64, src []float64) {
	for i, v := range src[:len(dst)] {
		dst[i] = a * v
	}
}

func addGo(dst, a, b []float64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] + b[i]
	}
}

func triadGo(dst, a []float64, s float64, b []float64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] + float64(s*b[i])
	}
}

func axpyGo(a float64, x, y []float64) {
	y = y[:len(x)]
	for i, v := range x {
		y[i] += float64(a * v)
	}
}

func dotGo(x, y []float64) float64 {
	var l lanes
	for len(x) > 0 {
		n := min(len(l), len(x))
		for j, v := range x[:n] {
			l[j] += float64(v * y[j])
		}
		x, y = x[n:], y[n:]
	}
	return l.fold()
}

func sumGo(x []float64) float64 {
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

func asumGo(x []float64) float64 {
	var l lanes
	for len(x) > 0 {
		n := min(len(l), len(x))
		for j, v := range x[:n] {
			l[j] += float64(math.Abs(float64(v)))
		}
		x = x[n:]
	}
	return l.fold()
}
