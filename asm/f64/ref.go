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

func dotGo(r *results, x, y []float64) {
	for i := 0; len(x) > 0; i++ {
		var l lanes
		n := min(len(x), blockLen)
		for k := 0; k < n; k += len(l) {
			x, y := x[k:min(k+len(l), n)], y[k:]
			for j, v := range x {
				l[j] += float64(v * y[j])
			}
		}
		r[i] = l.fold()
		x, y = x[n:], y[n:]
	}
}

func sumGo(r *results, x []float64) {
	for i := 0; len(x) > 0; i++ {
		var l lanes
		n := min(len(x), blockLen)
		for k := 0; k < n; k += len(l) {
			for j, v := range x[k:min(k+len(l), n)] {
				l[j] += v
			}
		}
		r[i] = l.fold()
		x = x[n:]
	}
}

func asumGo(r *results, x []float64) {
	for i := 0; len(x) > 0; i++ {
		var l lanes
		n := min(len(x), blockLen)
		for k := 0; k < n; k += len(l) {
			for j, v := range x[k:min(k+len(l), n)] {
				l[j] += float64(math.Abs(float64(v)))
			}
		}
		r[i] = l.fold()
		x = x[n:]
	}
}
