package team_test

import (
	"testing"
	"time"

	"github.com/numateam/numateam/team"
	"golang.org/x/sys/unix"
)

// On 4 fast cores and 4 slow ones, made slow by sleeping, a launch of equal tasks
// takes no longer than the best there is: 8 tasks leave the slow ones out.
func TestSlowWorkers(t *testing.T) {
	const task = 20 * time.Millisecond
	for _, c := range []struct {
		slower, tasks int
		best          time.Duration // least T with 4*floor(T) + 4*floor(T/slower) >= tasks
	}{
		{4, 4, task}, {4, 8, 2 * task}, {4, 16, 4 * task}, {4, 20, 4 * task}, {2, 8, 2 * task}, {2, 12, 2 * task}, {2, 24, 4 * task},
	} {
		m := machine(t, map[int]string{2: "core:4:1024 + core:4:512", 4: "core:4:1024 + core:4:256"}[c.slower])
		for _, schedule := range []team.Schedule{team.Static, team.Steal} {
			tm := newTeam(t, &team.Options{Topology: m, Workers: 8, Schedule: schedule})
			body := func(w *team.Worker, lo, hi int) {
				d := task * time.Duration(hi-lo)
				if w.ID() >= 4 {
					d *= time.Duration(c.slower)
				}
				ts := unix.NsecToTimespec(int64(d))
				unix.Nanosleep(&ts, nil)
			}
			least := time.Hour
			for range 12 { // the best of them: the machine may be busy
				start := time.Now()
				tm.ForWorker(c.tasks, body)
				if least = min(least, time.Since(start)); least <= c.best+c.best/20 {
					break
				}
			}
			t.Logf("%d tasks, slow cores %d times slower, %v: %v, the best is %v", c.tasks, c.slower, schedule, least, c.best)
			if least > c.best+c.best/20 {
				t.Errorf("%d tasks, slow cores %d times slower, %v: %v, more than 5 %% above %v", c.tasks, c.slower, schedule, least, c.best)
			}
			tm.Close()
		}
	}
}
