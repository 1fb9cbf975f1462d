package numa_test

import (
	"testing"

	"github.com/numateam/numateam/numa"
)

func TestAllocIsZeroedAndUsable(t *testing.T) {
	for _, n := range []int{0, 1, 1023, 1024, 1025, 1 << 19, 1<<19 + 1} {
		a, err := numa.Alloc[float32](n, nil)
		if err != nil {
			t.Fatal(err)
		}
		x := a.Slice()
		if len(x) != n || cap(x) != n || x == nil {
			t.Fatalf("n = %d: a slice of length %d, capacity %d", n, len(x), cap(x))
		}
		for i := range x {
			if x[i] != 0 {
				t.Fatalf("n = %d: x[%d] = %v", n, i, x[i])
			}
			x[i] = float32(i)
		}
		if err := a.Close(); err != nil {
			t.Error(err)
		}
		if a.Slice() != nil {
			t.Error("a slice after Close")
		}
		if err := a.Close(); err != nil {
			t.Error("second Close:", err)
		}
	}
}
