package team

import (
	"fmt"
	"log/slog"
	"runtime"
	"strings"
)

// Stats counts what a team has done since it was made.
type Stats struct {
	Launches  uint64 // launches that were shared out; serial ones are not counted
	Posted    uint64 // commands given to workers
	Woken     uint64 // wakes issued to sleeping workers
	Stolen    uint64 // chunks that a worker took from another's block
	Rescued   uint64 // chunks, or under Static blocks, that the caller took from another's
	Parks     uint64 // times that a worker went to sleep
	Deadlines uint64 // times that a block was taken since the startup deadline was over
}

// Stats returns the counts. They are read one by one, while launches go on.
func (t *Team) Stats() Stats {
	if t == nil {
		return Stats{}
	}
	c := t.core
	s := Stats{
		Launches:  c.stats.launches.Load(),
		Posted:    c.stats.posted.Load(),
		Rescued:   c.stats.rescued.Load(),
		Deadlines: c.stats.deadlines.Load(),
	}
	for i := range c.slots {
		n := &c.slots[i].count
		s.Woken += n.woken.Load()
		s.Stolen += n.stolen.Load()
		s.Parks += n.parks.Load()
	}
	return s
}

// Report says in a few lines who sits where and why, and what the system refused.
func (t *Team) Report() string {
	if t == nil {
		return "team: none; loops run serially on the caller\n"
	}
	c := t.core
	var b strings.Builder
	fmt.Fprintf(&b, "team of %d, placement %v, schedule %v\n", len(c.workers), c.placement, t.launch.Schedule)
	for i := range c.workers {
		w := &c.workers[i]
		fmt.Fprintf(&b, "  worker %d: %s", i, c.where(w))
		switch {
		case i == 0:
			b.WriteString(" (the caller; bound only within Bind)")
		case w.pinErr != nil:
			fmt.Fprintf(&b, "; not bound: %v", w.pinErr)
		case w.evicted():
			b.WriteString("; not there now: the CPU is offline or no longer allowed")
		case w.mask.IsEmpty() && c.placement != Unpinned:
			b.WriteString("; not bound: the topology isn't this machine's")
		}
		b.WriteByte('\n')
	}
	if n := int(c.active.Load()); n < len(c.workers) {
		fmt.Fprintf(&b, "  only %d take part: GOMAXPROCS or the allowed CPUs have become fewer\n", n)
	}
	if c.crowded.Load() {
		b.WriteString("  more workers than CPUs to run them: nobody spins, Hot is ignored\n")
	}
	if n := c.turnedAway.Load(); n > 0 {
		fmt.Fprintf(&b, "  Bind ran unbound %d times, while another goroutine was in it\n", n)
	}
	return b.String()
}

func (c *core) where(w *Worker) string {
	var b strings.Builder
	switch {
	case w.cpu >= 0:
		fmt.Fprintf(&b, "CPU %d", w.cpu)
	case !w.mask.IsEmpty():
		fmt.Fprintf(&b, "CPUs %v", w.mask)
	default:
		b.WriteString("any CPU")
	}
	if w.node >= 0 {
		fmt.Fprintf(&b, ", node %d", w.node)
	}
	if len(c.classCosts) > 1 && w.cpu >= 0 {
		fmt.Fprintf(&b, ", capacity %d", c.machine.Capacity(w.cpu))
	}
	return b.String()
}

// warnRefused tells the logger which workers couldn't be bound.
func (c *core) warnRefused() {
	if c.logger == nil {
		return
	}
	for i := range c.workers {
		if w := &c.workers[i]; w.pinErr != nil {
			c.logger.Warn("team: worker runs unbound", slog.Int("worker", w.id), slog.Int("cpu", w.cpu), slog.Any("error", w.pinErr))
		}
	}
}

// upkeep is when the team last looked at how many CPUs there are for it.
type upkeep struct {
	launches uint32
	at       int64
}

// maintain reviews the team now and then: every 256 launches, not more often
// than every tenth of a second.
func (c *core) maintain() {
	if c.upkeep.launches++; c.upkeep.launches%256 > 0 {
		return
	}
	if now := nanotime(); now-c.upkeep.at > 100_000_000 {
		c.upkeep.at = now
		c.review()
	}
}

// review adapts the number of participants to the CPUs that are left to them, up
// to what the team was made with, and notes whether it is crowded. A team that
// was asked to be larger than GOMAXPROCS isn't shrunk to it.
func (c *core) review() {
	procs := runtime.GOMAXPROCS(0)
	keep := make([]int32, 0, len(c.all))
	for _, i := range c.all {
		if i == 0 || c.workers[i].holds() {
			keep = append(keep, i)
		}
	}
	if len(c.all) <= c.procs {
		keep = keep[:min(len(keep), procs)]
	}
	if len(keep) != len(c.inOrder) && c.logger != nil {
		c.logger.Info("team: number of participants changed", slog.Int("from", len(c.inOrder)), slog.Int("to", len(keep)))
	}
	c.inOrder = keep
	c.active.Store(int32(len(keep)))
	c.crowded.Store(len(keep) > min(procs, c.cpus))
}

// holds reports whether a worker may still run where it belongs. A CPU that was
// taken from the process, by a cpuset or by hand, is gone from the thread's mask;
// after an offline CPU the mask is a wide one, and is narrowed again once the CPU
// is back.
func (w *Worker) holds() bool {
	tid, m, ok := w.bound()
	switch {
	case !ok:
		return true
	case !m.has(w.cpu):
		return false
	case m.len() == 1:
		return true
	}
	return setAffinity(tid, w.mask) == nil
}

// evicted reports whether the one CPU that a worker is bound to was taken from it.
func (w *Worker) evicted() bool {
	_, m, ok := w.bound()
	return ok && !m.has(w.cpu)
}

// bound returns the thread of a worker that is bound to one CPU, and the mask that
// it has now.
func (w *Worker) bound() (tid int, m mask, ok bool) {
	tid = int(w.tid.Load())
	if tid == 0 || w.cpu < 0 {
		return 0, m, false
	}
	m, err := m.get(tid)
	return tid, m, err == nil
}
