package team_test

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/numateam/numateam/numa"
	"github.com/numateam/numateam/team"
)

// settles waits until f is true, for at most 10 s.
func settles(f func() bool) bool {
	for range 1000 {
		if f() {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}

func TestCloseLeavesNoGoroutine(t *testing.T) {
	before := runtime.NumGoroutine()
	for range rounds(50, 3*time.Second) {
		tm := newTeam(t, &team.Options{Workers: 5})
		c := newCounter(100)
		tm.For(100, c.body)
		tm.Close()
		tm.Close()
	}
	if !settles(func() bool { return runtime.NumGoroutine() <= before }) {
		t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
	}
}

// Close waits for a launch in progress; launches that come after it panic.
func TestCloseDuringLaunches(t *testing.T) {
	for range rounds(1000, 3*time.Second) {
		tm, err := team.New(&team.Options{Workers: 3, Schedule: schedules[rand.N(3)]})
		if err != nil {
			t.Fatal(err)
		}
		v := tm.With(team.Launch{Wait: rand.N(2) == 0})
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				for {
					c := newCounter(100)
					switch p := recovered(func() { v.For(100, c.body) }); p {
					case nil:
						c.check(t, 1)
						continue
					case "team: launch on a closed team":
						c.check(t, 0)
					default:
						t.Errorf("panic %v", p)
					}
					return
				}
			})
		}
		for range 2 {
			wg.Go(func() {
				time.Sleep(rand.N(200 * time.Microsecond))
				tm.Close()
			})
		}
		wg.Wait()
	}
}

// The launches of goroutines that wait for their turn end by a panic when the
// team is closed before it comes.
func TestCloseWhileOthersWait(t *testing.T) {
	tm := newTeam(t, &team.Options{Workers: 2})
	v := tm.With(team.Launch{Wait: true})
	inside, leave := make(chan bool), make(chan bool)
	var wg sync.WaitGroup
	wg.Go(func() {
		var once sync.Once
		v.For(2, func(lo, hi int) {
			once.Do(func() {
				close(inside)
				<-leave
			})
		})
	})
	<-inside
	for range 4 {
		wg.Go(func() {
			c := newCounter(10)
			if p := recovered(func() { v.For(10, c.body) }); p == nil {
				c.check(t, 1)
			} else if p != "team: launch on a closed team" {
				t.Errorf("panic %v", p)
			}
		})
	}
	for range 2 {
		wg.Go(func() { tm.Close() })
	}
	time.Sleep(5 * time.Millisecond)
	close(leave)
	within(t, 10*time.Second, wg.Wait)
}

// drop makes a team, uses it and forgets it.
func drop(t *testing.T) *numa.Array[int32] {
	tm, err := team.New(&team.Options{Workers: 4})
	if err != nil {
		t.Fatal(err)
	}
	v := tm.With(team.Launch{Grain: 2})
	a, err := team.Make[int32](tm, 1000)
	if err != nil {
		t.Fatal(err)
	}
	x := a.Slice()
	v.For(len(x), func(lo, hi int) { // refers to the team
		for i := lo; i < hi; i++ {
			x[i] = int32(v.Size())
		}
	})
	return a
}

// The workers of a team that nobody refers to any more end once it is collected,
// though it ran a body that refers to it. Its arrays live on.
func TestDroppedTeam(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 10 {
		x := drop(t).Slice()
		runtime.GC()
		for i := range x {
			if x[i] != 4 {
				t.Fatalf("x[%d] is %d", i, x[i])
			}
		}
	}
	if !settles(func() bool { runtime.GC(); return runtime.NumGoroutine() <= before+1 }) { // the cleanups' own
		t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
	}
}

// A team whose only reference is the method call in progress isn't collected, nor
// is one of which there is a view.
func TestTeamInUseIsntCollected(t *testing.T) {
	tm, err := team.New(&team.Options{Workers: 3})
	if err != nil {
		t.Fatal(err)
	}
	v := tm.With(team.Launch{Grain: 1})
	tm = nil
	for range 10 {
		runtime.GC()
		c := newCounter(30)
		v.For(30, c.body)
		c.check(t, 1)
	}
	c := newCounter(6)
	v.For(6, func(lo, hi int) {
		for range 3 {
			runtime.GC()
		}
		c.body(lo, hi)
	})
	c.check(t, 1)
}

// Many short lives at once.
func TestManyTeams(t *testing.T) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range rounds(50, 2*time.Second) {
				tm, err := team.New(&team.Options{Workers: 1 + rand.N(4)})
				if err != nil {
					t.Error(err)
					return
				}
				c := newCounter(100)
				for range 3 {
					tm.For(100, c.body)
				}
				c.check(t, 3)
				tm.Close()
			}
		})
	}
	wg.Wait()
}
