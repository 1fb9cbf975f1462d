// Command cgo has threads of C use a team, all at once, and checks that each index
// was run once and that no thread's affinity was changed.
package main

// void callBack(int threads);
import "C"

import (
	"errors"
	"fmt"
	"os"
	"sync/atomic"

	"github.com/numateam/numateam/kernels"
	"github.com/numateam/numateam/team"
	"golang.org/x/sys/unix"
)

var (
	t     *team.Team
	calls atomic.Int64
	boom  = errors.New("boom")
)

//export callback
func callback(thread C.long) {
	calls.Add(1)
	var before, after unix.CPUSet
	unix.SchedGetaffinity(0, &before)

	v := t.With(team.Launch{Grain: 1, Wait: thread%2 == 0})
	var n, sum atomic.Int64
	body := func(lo, hi int) {
		n.Add(int64(hi - lo))
		for i := lo; i < hi; i++ {
			sum.Add(int64(i))
		}
	}
	v.For(1000, body)
	v.Bind(func() { v.For(1000, body) })
	if n.Load() != 2000 || sum.Load() != 999*1000 {
		fail("%d indices, whose sum is %d", n.Load(), sum.Load())
	}
	if p, ok := recovered(func() { v.For(1000, func(lo, hi int) { panic(boom) }) }).(*team.Panic); !ok || p.Value != boom {
		fail("recovered %v", p)
	}
	x := make([]float32, 100_000)
	kernels.Fill(t, x, 1)
	if s := kernels.Sum(t, x); s != 100_000 {
		fail("sum %v", s)
	}

	if unix.SchedGetaffinity(0, &after); after != before {
		fail("thread %d was bound to %v and is to %v", thread, before, after)
	}
}

func recovered(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

func fail(format string, args ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", args...)
	os.Exit(1)
}

func main() {
	var err error
	if t, err = team.New(&team.Options{Workers: 3}); err != nil {
		fail("%v", err)
	}
	C.callBack(4)
	t.Close()
	fmt.Println(calls.Load(), "calls")
}
