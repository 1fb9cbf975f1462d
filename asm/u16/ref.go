package u16

func blurRowGo(dst, above, middle, src []uint16) {
	src = src[:len(dst)+2]
	above, middle = above[:len(dst)], middle[:len(dst)]
	for i := range dst {
		below := third(src[i], src[i+1], src[i+2])
		dst[i], above[i] = third(above[i], middle[i], below), below
	}
}

func third(a, b, c uint16) uint16 { return uint16((uint32(a) + uint32(b) + uint32(c)) / 3) }
