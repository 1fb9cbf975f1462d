package f32

func blurRowGo(dst, above, middle, src []float32) {
	src = src[:len(dst)+2]
	above, middle = above[:len(dst)], middle[:len(dst)]
	for i := range dst {
		below := (src[i] + src[i+1] + src[i+2]) / 3
		dst[i], above[i] = (above[i]+middle[i]+below)/3, below
	}
}
