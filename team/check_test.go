//go:build teamcheck

package team

import (
	"flag"
	"testing"
	"time"
)

// A config is a team and what it is made to do.
type config struct {
	name  string
	width int
	kinds []kind
	skew  [3]int64 // ticks that a participant's clock is ahead

	park      bool // workers may go to sleep
	nap       bool // and they take a nap first
	spurious  bool // and they may wake up for no reason
	deadline  bool // the startup deadline can pass
	joinSleep bool // the caller may go to sleep in its join
	close     bool // the caller may close the team
	big       bool
}

// A kind is a kind of launch.
type kind struct {
	schedule Schedule
	n        int
	serial   int64 // ns that one CPU is thought to take for it; 0: unknown
	panics   bool  // the body does at index 0
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

var configs = []config{
	{name: "static2", width: 2, kinds: []kind{{Static, 2, 0, false}}},
	{name: "steal2", width: 2, kinds: []kind{{Steal, 3, 0, false}}},
	{name: "both2", width: 2, kinds: []kind{{Static, 2, 0, false}, {Steal, 3, 0, false}}, park: true, joinSleep: true},
	{name: "static3", width: 3, kinds: []kind{{Static, 3, 0, false}}},
	{name: "steal3", width: 3, kinds: []kind{{Steal, 3, 0, false}}},
}

var big = flag.Bool("check.big", false, "check the large configurations too")

func TestCheck(t *testing.T) {
	for i := range configs {
		cfg := &configs[i]
		t.Run(cfg.name, func(t *testing.T) {
			if cfg.big && !*big {
				t.Skip("large: -check.big")
			}
			start := time.Now()
			s, path, err := explore(cfg, 8_000_000)
			if err == nil {
				path, err = s.judge()
			}
			t.Logf("%d states, %d steps, %v", len(s.states), len(s.edges), time.Since(start).Round(time.Millisecond))
			if err != nil {
				t.Errorf("%v\n%s", err, tell(cfg, path))
			}
		})
	}
}
