// Package numatest helps to test code that places memory on systems that refuse
// to place it.
package numatest
