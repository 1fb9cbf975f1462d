package f64

// SumSquares returns the sum of x[i]*x[i], which is Dot(x, x): it may overflow or lose
// squares that are too small. Traffic: 1 load per element.
func SumSquares(x []float64) float64 { return Dot(x, x) }
