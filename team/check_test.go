//go:build teamcheck

// The checker: it runs the protocol's code, through every order in which its
// participants' steps can follow one another.
//
//	go test -tags teamcheck -run Check ./team              every configuration, some seconds each
//	go test -tags teamcheck -run Check ./team -check.big   large ones too, minutes each
//	go test -tags teamcheck -run Mutants ./team            does it find mistakes?
//
// What runs is Team.Launch and serve as they are, over words, a clock and a futex
// that belong to the checker (words_check.go). Each participant is a coroutine, and
// a step is one access to a word, one look at the clock or one futex call. Launch
// follows launch for ever, of any of a configuration's kinds, until a state has
// been seen before: so every launch also meets what any earlier one has left
// behind. The files: check_machine_test.go runs steps, check_rules_test.go watches
// each of them, check_search_test.go finds all states and judges what can be
// reached from which.
//
// The state of the whole is that of the shared words, the futex and the clocks'
// ages, and each participant's own: which loop it is in, what its local variables
// were at the head of it (at), and a hash of what it has read since. Times are
// counted in ticks of patience (A) and no age matters beyond the deadline. Any
// participant may stand still at any step for as long as it likes: to be frozen is
// not to be run any more, and what must be possible without somebody is judged on
// the graph without his steps.
//
// What is left out: weak memory order, since Go's atomics are sequentially
// consistent; words that aren't atomic, which the race detector looks after; what is
// learned from times (wake latency, gaps, habits), which a configuration sets; how
// often loops that count go round; nested and concurrent launches, Goexit, classes of
// cores and placed arrays, which add no step to the protocol.
package team

import (
	"flag"
	"testing"
	"time"
)

// A config is a team and what it is made to do.
type config struct {
	name   string
	width  int
	kinds  []kind
	skew   [3]int64 // ticks that a participant's clock is ahead
	passes int      // for nothing, over others' blocks

	park      bool // workers may go to sleep
	drowsy    bool // they do so before anything else
	nap       bool // and they take a nap first
	spurious  bool // and they may wake up for no reason
	deadline  bool // the startup deadline can pass
	joinSleep bool // the caller may go to sleep in its join
	close     bool // the caller may close the team
	once      bool // there is one launch only
	big       bool
}

// A kind is a kind of launch.
type kind struct {
	schedule Schedule
	n        int
	serial   int64 // ns that one CPU is thought to take for it; 0: unknown
	panics   bool  // the body does at index 0
	crowd    bool  // launches outside take every other CPU when it begins
}

func (c *config) panics() bool {
	for i := range c.kinds {
		if c.kinds[i].panics {
			return true
		}
	}
	return false
}

// gaps is what a worker knows of earlier gaps between launches.
func (c *config) gaps() gaps {
	if c.nap {
		return gaps{ns: [4]int64{1e6, 1e6, 1e6, 1e6}, n: 4}
	}
	return gaps{}
}

// The deadline is a tick and a half, and a wake takes a 64th of that.
const (
	aside     = tick * 3 / 2 / deadline     // ns of serial time: sleepers aren't worth a wake
	protected = tick * 3 / 2 / deadline * 5 // ns of serial time: sleepers are protected
)

var (
	static    = kind{schedule: Static, n: 2}
	steal     = kind{schedule: Steal, n: 3}
	static3   = kind{schedule: Static, n: 3}
	protect   = kind{schedule: Static, n: 2, serial: protected}
	protect3  = kind{schedule: Static, n: 3, serial: protected}
	protectSt = kind{schedule: Steal, n: 3, serial: protected}
)

var configs = []config{
	{name: "static2", width: 2, passes: 1, kinds: []kind{static}},
	{name: "steal2", width: 2, passes: 1, kinds: []kind{steal}, close: true},
	{name: "sleep2", width: 2, kinds: []kind{static, steal}, park: true, spurious: true, joinSleep: true, close: true},
	{name: "protect2", width: 2, kinds: []kind{protect, protectSt}, park: true, nap: true, deadline: true},
	{name: "aside2", width: 2, kinds: []kind{{Static, 2, aside, false, false}, {Steal, 3, aside, false, false}}, park: true},
	{name: "crowd2", width: 2, kinds: []kind{steal, {Static, 2, 0, false, true}, {Steal, 3, 0, true, true}}, park: true},
	{name: "skew2", width: 2, kinds: []kind{steal, protectSt}, skew: [3]int64{0, 1}, deadline: true},
	{name: "panic2", width: 2, kinds: []kind{{Static, 2, 0, true, false}, {Steal, 3, 0, true, false}}},
	{name: "static3", width: 3, kinds: []kind{static3}, joinSleep: true},
	{name: "steal3", width: 3, kinds: []kind{steal}},
	{name: "tree3", width: 3, kinds: []kind{static3}, park: true, drowsy: true},
	{name: "crowd3", width: 3, kinds: []kind{{Static, 3, 1 << 40, false, true}}, park: true, drowsy: true, once: true},
	{name: "crowdsteal3", width: 3, kinds: []kind{{Steal, 3, 0, false, true}}, park: true, drowsy: true},
	{name: "wake3", width: 3, kinds: []kind{{Static, 3, 1 << 40, false, false}}, park: true, drowsy: true, once: true}, // no deadline comes to the rescue
	{name: "protect3", width: 3, kinds: []kind{protect3}, park: true, drowsy: true, deadline: true, once: true},        // the caller takes on wakes
	{name: "skew3", width: 3, kinds: []kind{steal}, skew: [3]int64{0, 1, 0}, big: true},
	{name: "four3", width: 3, kinds: []kind{{Steal, 4, 0, false, false}}, big: true},
	{name: "again3", width: 3, kinds: []kind{protect3}, park: true, drowsy: true, deadline: true, big: true},
	{name: "aside3", width: 3, kinds: []kind{{Static, 3, aside, false, false}}, park: true, big: true},
	{name: "sleep3", width: 3, kinds: []kind{static3, steal}, park: true, big: true},
	{name: "wakesteal3", width: 3, kinds: []kind{protectSt}, park: true, deadline: true, big: true},
}

// sleep3 has 13,553,683 states; wakesteal3 has more than 20 million, and has never come to its end.
var limit = flag.Int("check.states", 15_000_000, "how many states at most")

var big = flag.Bool("check.big", false, "check the large configurations too")

func TestCheck(t *testing.T) {
	for i := range configs {
		cfg := &configs[i]
		t.Run(cfg.name, func(t *testing.T) {
			if cfg.big && !*big {
				t.Skip("large: -check.big")
			}
			start := time.Now()
			s, path, err := explore(cfg, *limit)
			if err == nil {
				path, err = s.judge()
			}
			t.Logf("%d states, %d steps, %v", len(s.states), len(s.edges), time.Since(start).Round(time.Millisecond))
			if err != nil {
				t.Errorf("broken: %v\n%s", err, tell(cfg, path))
			}
		})
	}
}
