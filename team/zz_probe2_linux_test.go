package team_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/numateam/numateam/team"
	"golang.org/x/sys/unix"
)

func testProbeShrink(t *testing.T) {
	tm := newTeam(t, &team.Options{Workers: 2, Schedule: team.Static})
	fmt.Println(tm.Report())
	tids := make(chan int, 1)
	for len(tids) == 0 {
		tm.ForWorker(2, func(w *team.Worker, lo, hi int) {
			if w.ID() == 1 {
				select {
				case tids <- unix.Gettid():
				default:
				}
			}
		})
	}
	tid := <-tids
	var old, set unix.CPUSet
	unix.SchedGetaffinity(tid, &old)
	for i := range 2 {
		if !old.IsSet(i) {
			set.Set(i)
		}
	}
	if err := unix.SchedSetaffinity(tid, &set); err != nil {
		t.Fatal(err)
	}
	go func() {
		time.Sleep(10 * time.Second)
		panic("hang")
	}()
	for start := time.Now(); time.Since(start) < 3*time.Second; {
		c := newCounter(10)
		tm.For(10, c.body)
		c.check(t, 1)
	}
	fmt.Println(tm.Report())
}
