package f32

func blurRowGo(dst, below, src, above, middle []float32) {
	src = src[:len(dst)+2]
	below, above, middle = below[:len(dst)], above[:len(dst)], middle[:len(dst)]
	for i := range dst {
		b := (src[i] + src[i+1] + src[i+2]) / 3
		below[i] = b
		dst[i] = (above[i] + middle[i] + b) / 3
	}
}
