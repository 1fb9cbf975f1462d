// Package f64 holds the inner loops over float64, for one thread.
//
// Its loops, their rules and the shape of its reductions are those of package
// f32, with 16 lanes where that has 32.
package f64
