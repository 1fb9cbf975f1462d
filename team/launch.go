package team

import (
	"math"
	"runtime"

	"github.com/numateam/numateam/numa"
)

// The states of a team's lock.
const (
	free uint32 = iota
	busy
	closed
)

// run runs a launch of n > 0 indices, and reports whether all of them were run.
func (t *Team) run(l Launch, n int, j job) (whole bool) {
	if t == nil {
		return j.serial(n, max(l.Grain, 1))
	}
	c := t.core
	l = l.or(t.launch)
	if l.Schedule > Auto {
		panic("team: unknown schedule " + l.Schedule.String())
	}
	grain := max(l.Grain, 1)
	width := c.participants(l.MaxWorkers, n, grain)
	switch {
	case width == 1:
		c.mustBeOpen()
		whole = j.serial(n, grain)
	case !c.acquire(l.Wait):
		whole = c.runOutside(j, n, grain)
	default:
		var f failure
		whole, f = c.region(l, n, grain, width, j)
		f.raise()
	}
	runtime.KeepAlive(t.root) // a team in use isn't a dropped one
	return whole
}

// or returns l with what it leaves open taken from def.
func (l Launch) or(def Launch) Launch {
	if l.Grain == 0 {
		l.Grain = def.Grain
	}
	if l.MaxWorkers == 0 {
		l.MaxWorkers = def.MaxWorkers
	}
	if l.Schedule == inherit {
		l.Schedule = def.Schedule
	}
	if l.Over == (Span{}) {
		l.Over = def.Over
	}
	l.Wait = l.Wait || def.Wait
	return l
}

// participants returns how many of the team a launch is worth.
func (c *core) participants(limit, n, grain int) int {
	w := int(c.active.Load())
	if limit > 0 {
		w = min(w, limit)
	}
	if n/grain < w {
		w = ceilDiv(n, grain)
	}
	return w
}

// acquire takes the team for one launch. It reports false if the team is busy and
// wait isn't set, and panics if it is closed.
func (c *core) acquire(wait bool) bool {
	for !c.lock.CompareAndSwap(free, busy) {
		c.mustBeOpen()
		if !wait || insideBody() { // which would wait for itself
			return false
		}
		c.queue.wait(&c.lock)
	}
	return true
}

// runOutside runs a launch that found the team busy.
func (c *core) runOutside(j job, n, grain int) (whole bool) {
	c.mustBeOpen()
	c.outside.Add(1)
	defer c.outside.Add(-1)
	return j.serial(n, grain)
}

// contended tells whether there is a caller for each CPU of the process: those outside, and
// this one. A worker would have to share a CPU with one of them.
func (c *core) contended() bool {
	outside := int(c.outside.Load())
	return outside > 0 && outside+1 >= min(c.procs, runtime.NumCPU())
}

func (c *core) mustBeOpen() {
	if c.lock.Load() == closed {
		panic("team: launch on a closed team")
	}
}

func (c *core) release(state uint32) {
	c.lock.Swap(state) // not Store: see the join's sleep in README.md
	c.queue.notify()
}

// A plan is what the caller alone knows of its region.
type plan struct {
	blocks
	habit  *habit
	memory numa.Region // what the launch walks through, if that is placed
	covers bool        // all of memory
	wake   bool        // sleepers are worth waking
	alone  bool        // everybody is left aside: there is a caller for each CPU
	tasks  int         // chunks of all blocks
	ran    int         // chunks that the caller ran of its own block
	t0     int64       // when the caller began with its own block; 0 if it isn't timed
	own    int64       // ns for those chunks
}

// region runs a launch on the team, which the caller has acquired, and releases
// it. When it returns, or a Goexit in the body unwinds it, nobody is inside the
// body or can enter it.
func (c *core) region(l Launch, n, grain, width int, j job) (whole bool, f failure) {
	c.maintain()
	width = min(width, len(c.inOrder)) // fewer since it was chosen
	p := plan{habit: c.habits.of(j, n, grain)}
	c.prepare(&p, l, n, grain, width, j)
	switch {
	case c.reg.atStake:
		defer c.pinCaller()() // for the first touch to be the owner's
	case !p.alone && p.habit.serial.best() > longLaunch && c.inTheWay():
		c.moveCaller()
	}
	unwinding := true
	defer func() {
		whole, f = c.finish(&p)
		if unwinding && f.panic != nil { // a Goexit of the caller's doesn't hide it
			f.raise()
		}
	}()
	c.post(&p)
	c.runOwn(&p)
	c.runAside(&p)
	c.rescue()
	unwinding = false
	return
}

// prepare sets up the region and decides how it is to be run.
func (c *core) prepare(p *plan, l Launch, n, grain, width int, j job) {
	r := &c.reg
	r.epoch++
	r.job = j
	r.began.Store(-r.epoch)

	if l.Schedule == Auto {
		l.Schedule = p.habit.schedule()
	}
	r.steal = l.Schedule == Steal
	r.chunk, r.step = math.MaxInt64, math.MaxInt64 // static: a block is one chunk
	if chunk := int64(chunkOf(n, grain, width)); r.steal {
		r.chunk = chunk
	} else if j.cancel != nil {
		r.step = chunk
	}

	c.split(p, l, n, grain, width)
	r.atStake = p.memory.AtStake()
	p.alone = !r.atStake && c.contended()

	serial, wakeup := p.habit.serial.best(), c.wakeLatency.Load()
	r.limit = deadline * wakeup
	r.protect = r.atStake || serial > 4*wakeup
	p.wake = serial == 0 || serial > 2*wakeup || r.protect || c.regret.wakes() || c.keepSpinning()
	if r.paced = r.steal && len(c.costs) > 1; r.paced {
		c.setCosts(p.habit)
	}
}

// regret adds up the time that launches lose since sleepers were left aside. One
// such launch isn't worth a wake; many are, since the sleepers, once awake, spin
// through the gaps between them, or learn their rhythm.
type regret struct {
	lost  int64 // ns
	eager int   // launches that wake everybody, whatever they are worth
}

func (g *regret) wakes() bool { return g.eager > 0 }

// add takes note of a launch: of the sleepers that it left aside, if any, and of
// what it would have taken one CPU.
func (g *regret) add(aside, width int, serial, wakeLatency int64) {
	switch {
	case g.eager > 0:
		g.eager--
	case aside > 0 && serial > wakeLatency/16: // else it isn't worth an awake worker's spinning either
		if g.lost += serial / int64(width) * int64(aside); g.lost > 8*wakeLatency {
			*g = regret{eager: 2 * len(gaps{}.ns)}
		}
	}
}

// post writes the participants' blocks, gives their owners the command and wakes
// the first who sleeps. Sleepers who aren't worth waking are left aside.
func (c *core) post(p *plan) {
	r := &c.reg
	posted := 0
	for i := range c.order {
		s := &c.slots[c.order[i]]
		lo, hi := p.block(i)
		todo := span(0, int(ceilDiv(hi-lo, r.chunk)))
		if todo.empty() {
			continue
		}
		p.tasks += todo.len()
		aside := i > 0 && (p.alone || !p.wake && s.cmd.Load() == parked)
		if aside && r.steal {
			todo = todo.start() // its owner isn't coming
		}
		s.base, s.end = lo, hi
		s.seen.Store(-r.epoch)
		s.rng.Store(uint64(todo))
		switch {
		case aside:
			c.aside = append(c.aside, c.order[i])
		case i > 0:
			c.command(c.order[i])
			posted++
		}
	}
	c.stats.posted.Add(uint64(posted))
	c.callSleepers()
}

// command gives a worker its command. The worker is idle or parked; it may park
// meanwhile, or wake up from a nap.
func (c *core) command(i int32) {
	s := &c.slots[i]
	for {
		if s.cmd.CompareAndSwap(idle, pending) {
			return
		}
		if s.cmd.CompareAndSwap(parked, posted) {
			c.sleepers[c.asleep] = i
			c.asleep++
			return
		}
	}
}

// callSleepers starts the wake tree: it publishes the list of posted sleepers,
// whose entries aren't changed after that, and wakes the first.
func (c *core) callSleepers() {
	if c.asleep > 0 {
		c.reg.sleepers.Store(uint32(c.asleep))
		c.wakeNext()
	}
}

// wakeNext wakes the next sleeper of the region that nobody has taken on.
// Everybody inside the region may call it. Two subtle points: the wake is issued
// before the word says so, so that a waker that is held up between the two costs
// a wake too many, never one too few; and a waker is inside the region, so that
// the word can't belong to a later one.
func (c *core) wakeNext() {
	r := &c.reg
	k := r.woken.Load()
	for ; ; k = r.woken.Load() {
		if k >= r.sleepers.Load() {
			return
		}
		if r.woken.CompareAndSwap(k, k+1) {
			break
		}
	}
	i := c.sleepers[k]
	s := &c.slots[i]
	s.woken.Store(nanotime())
	c.workers[i].bed.wake(&s.cmd)
	s.cmd.CompareAndSwap(posted, pending)
	s.count.woken.Add(1)
}

// runOwn runs the caller's own block.
func (c *core) runOwn(p *plan) {
	if p.habit.timed() || len(c.aside) > 0 {
		p.t0 = nanotime()
	}
	s := &c.slots[0]
	for k, ok := s.front(); ok; k, ok = s.front() {
		p.ran++
		c.reg.block(&c.workers[0], s, k)
	}
	if p.t0 > 0 {
		p.own = nanotime() - p.t0
	}
}

// runAside runs the blocks of those who were left aside. They are called after all once
// that has taken longer than waking them would have and there are CPUs for them.
func (c *core) runAside(p *plan) {
	for k, i := range c.aside {
		if nanotime()-p.t0 > c.wakeLatency.Load() && !c.contended() {
			for _, i := range c.aside[k:] {
				c.command(i)
			}
			c.stats.posted.Add(uint64(len(c.aside) - k))
			c.callSleepers()
			break
		}
		s := &c.slots[i]
		for k, ok := s.front(); ok; k, ok = s.front() {
			c.reg.block(&c.workers[0], s, k)
		}
	}
}

// rescue takes over what others leave lying, until every chunk has been claimed.
// Under Static those are the blocks of owners who are late; under Steal the
// caller is one of the thieves.
func (c *core) rescue() {
	r, w := &c.reg, &c.workers[0]
	for pass := 0; r.stop.Load() == 0; pass++ {
		left := false
		for _, i := range w.victims {
			at("rescue", i, min(pass, grace), r.epoch, left, false)
			v := &c.slots[i]
			todo := chunks(v.rng.Load())
			if todo.empty() || todo.started() && !r.steal {
				continue
			}
			left = true
			if pass < grace && v.cmd.Load() == pending {
				continue // spare the clock: it is probably just coming
			}
			verdict := c.allowed(&r.view, v)
			if verdict < yes {
				continue
			}
			if verdict == overdue {
				c.stats.deadlines.Add(1)
			}
			if !todo.started() && c.sharesCPU(i) {
				c.moveCaller()
			}
			for k, ok := v.back(); ok; k, ok = v.back() {
				c.stats.rescued.Add(1)
				r.block(w, v, k)
			}
		}
		if !left {
			return
		}
		if r.protect {
			c.wakeNext() // a waker that is held up must not hold up the others
		}
		pause(scanPause)
	}
}

// join takes every command back that wasn't claimed, sends everybody away who
// looks for work, and waits for those who are inside a body. After it nobody can
// enter the region.
func (c *core) join() {
	for _, i := range c.order {
		if i > 0 {
			c.dismiss(i)
		}
	}
}

// dismiss gets worker i out of the region.
func (c *core) dismiss(i int32) {
	s := &c.slots[i]
	var since int64
	for spins := 1; ; spins++ {
		at("dismiss", i, 0, 0, since > 0, false)
		switch cmd := s.cmd.Load(); cmd {
		case pending, scanning:
			if s.cmd.CompareAndSwap(cmd, idle) {
				return
			}
		case posted: // no wake was issued: the next launch must issue one
			if s.cmd.CompareAndSwap(posted, parked) {
				return
			}
		case running:
			pause(spinPause)
			if spins%clockSpins > 0 {
				continue
			}
			switch now := nanotime(); {
			case since == 0:
				since = now
			case now-since > c.joinSpin():
				c.sleepUntilLeft(s)
			}
		default:
			return
		}
	}
}

// joinSpin returns for how many ns the caller spins for a body that runs.
func (c *core) joinSpin() int64 {
	if c.crowded.Load() {
		return crowdedSpin
	}
	return joinSpin
}

// sleepUntilLeft sleeps while s is running, or wakes up early. It announces that
// it sleeps before it looks at s again, and a worker leaves running before it
// looks for the announcement, so one of the two sees the other.
func (c *core) sleepUntilLeft(s *slot) {
	c.joiner.Swap(1)
	if s.cmd.Load() == running {
		c.workers[0].bed.sleep(&c.joiner, 1, 0)
	}
	c.joiner.Store(0)
}

// notifyJoin is called by a worker that has just left running.
func (c *core) notifyJoin() {
	if c.joiner.Load() == 1 && c.joiner.CompareAndSwap(1, 0) {
		c.workers[0].bed.wake(&c.joiner)
	}
}

// finish ends the region: it joins, learns from it and releases the team.
func (c *core) finish(p *plan) (whole bool, f failure) {
	r := &c.reg
	c.join()
	if r.stop.Load() != 0 { // outside of a region every block is empty
		for _, i := range c.order {
			s := &c.slots[i]
			if !chunks(s.rng.Load()).empty() {
				r.skipped.Store(1)
				s.rng.Store(0)
			}
		}
		r.stop.Store(0)
	}
	whole, f = r.skipped.Swap(0) == 0, r.failure()
	if p.covers && whole && f == (failure{}) {
		p.memory.MarkTouched()
	}
	if p.t0 > 0 && p.ran > 0 && whole {
		p.habit.serial.add(p.own * int64(p.tasks) / int64(p.ran))
		if !r.atStake && !p.alone {
			k := 0
			if r.steal {
				k = 1
			}
			p.habit.took[k].add(nanotime() - p.t0)
		}
	}
	if r.paced {
		for k := range r.pace {
			if ns := r.pace[k].Swap(0); ns > 0 {
				p.habit.pace[k].add(int64(ns))
			}
		}
	}
	p.habit.count++
	if !p.alone {
		c.regret.add(len(c.aside), len(c.order), p.habit.serial.best(), c.wakeLatency.Load())
	}
	r.job = job{} // keep nothing alive
	if f != (failure{}) {
		r.panic = nil
		r.panicking.Store(0)
		r.goexit.Store(0)
	}
	if c.asleep > 0 {
		r.sleepers.Store(0)
		r.woken.Store(0)
		c.asleep = 0
	}
	c.aside = c.aside[:0]
	c.stats.launches.Add(1)
	c.release(free)
	return whole, f
}
