package f64

// The plain loops for matrices: what the assembly has to equal, and what runs
// without it.

// The tile of the plain loop: the sums of one row stay in registers.
const goRows, goCols = 4, 8

func gemmTilesGo(tiles, k int, a []float64, ars, acs int, b []float64, bp, ldb int, beta float64, c []float64, ldc int) {
	for t := range tiles * goRows {
		tile, i := t/goRows, t%goRows
		row := (*[goCols]float64)(c[i*ldc+tile*goCols:])
		var s [goCols]float64
		if beta != 0 {
			for j, v := range row {
				s[j] = beta * v
			}
		}
		s0, s1, s2, s3, s4, s5, s6, s7 := s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]
		a, b := a[i*ars:], b[tile*bp:]
		for l := range k {
			v := a[l*acs]
			u := (*[goCols]float64)(b[l*ldb:])
			s0 += float64(v * u[0])
			s1 += float64(v * u[1])
			s2 += float64(v * u[2])
			s3 += float64(v * u[3])
			s4 += float64(v * u[4])
			s5 += float64(v * u[5])
			s6 += float64(v * u[6])
			s7 += float64(v * u[7])
		}
		*row = [goCols]float64{s0, s1, s2, s3, s4, s5, s6, s7}
	}
}

func gemmPackRowsGo(dst []float64, w int, alpha float64, src []float64, ld, k int) {
	for i := range GemmLanes {
		for l, v := range src[i*ld:][:k] {
			dst[l*w+i] = alpha * v
		}
	}
}

func gemmPackColsGo(dst []float64, w int, alpha float64, src []float64, ld, k int) {
	for l := range k {
		row := dst[l*w:][:w]
		for j, v := range src[l*ld:][:w] {
			row[j] = alpha * v
		}
	}
}

func gemmRowsGo(m, n, k int, alpha float64, a []float64, ars, acs int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	for i := range m {
		row := c[i*ldc:][:n]
		if beta == 0 {
			clear(row)
		} else {
			scaleGo(row, beta, row)
		}
		for l := range k {
			v := alpha * a[i*ars+l*acs]
			for j, u := range b[l*ldb:][:n] {
				row[j] += float64(v * u)
			}
		}
	}
}
