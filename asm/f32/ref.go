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

func dotGo(r *results, x, y []float32) {
	for i := 0; len(x) > 0; i++ {
		var l lanes
		n := min(len(x), blockLen)
		for k := 0; k < n; k += len(l) {
			x, y := x[k:min(k+len(l), n)], y[k:]
			for j, v := range x {
				l[j] += float32(v * y[j])
			}
		}
		r[i] = l.fold()
		x, y = x[n:], y[n:]
	}
}

func sumGo(r *results, x []float32) {
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

func asumGo(r *results, x []float32) {
	for i := 0; len(x) > 0; i++ {
		var l lanes
		n := min(len(x), blockLen)
		for k := 0; k < n; k += len(l) {
			for j, v := range x[k:min(k+len(l), n)] {
				l[j] += float32(math.Abs(float64(v)))
			}
		}
		r[i] = l.fold()
		x = x[n:]
	}
}
