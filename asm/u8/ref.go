package u8

func blurRowGo(dst, below, src, above, middle []uint8) {
	src = src[:len(dst)+2]
	below, above, middle = below[:len(dst)], above[:len(dst)], middle[:len(dst)]
	for i := range dst {
		b := third(src[i], src[i+1], src[i+2])
		below[i] = b
		dst[i] = third(above[i], middle[i], b)
	}
}

func third(a, b, c uint8) uint8 { return uint8((uint32(a) + uint32(b) + uint32(c)) / 3) }
