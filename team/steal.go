package team

// verdict is what allowed says of a block.
type verdict uint8

const (
	no      verdict = iota // leave it to its owner
	soon                   // look again
	nothing                // it is empty
	yes                    // take from it
	overdue                // take from it: the region's startup deadline is over
)

// patience (A) is how long a block's owner may leave its command unanswered,
// from the first time that anybody sees it so, before others may take from the
// block. 2 us is what the shared rescue clock was published with.
const patience = 2000

// allowed tells whether a participant other than its owner may take chunks from
// v's block. It never waits, and it writes one thing: the block's rescue clock.
func (c *core) allowed(in *view, v *slot) verdict {
	r := chunks(v.rng.Load())
	if r.empty() {
		return nothing // and so nothing to protect, unless it is about to be filled
	}
	if r.started() {
		if in.steal {
			return yes
		}
		return no
	}
	now := nanotime()
	if c.late(in, now) {
		return overdue
	}
	if v == &c.slots[0] {
		return no // the caller is on its way
	}
	switch v.cmd.Load() {
	case pending:
	case posted:
		if in.protect {
			return no // asleep: its clock doesn't run
		}
	default:
		return no // claimed: the owner is between its claim and its first chunk
	}
	seen := v.seen.Load()
	if seen == -in.epoch && v.seen.CompareAndSwap(seen, now) {
		return soon
	}
	if seen < 0 || now-seen < patience { // signed: a stamp may lie in the future
		return soon
	}
	if cmd := v.cmd.Load(); cmd == pending || cmd == posted {
		return yes
	}
	return no
}

// late reports whether the region's startup deadline is over. Its time starts
// when a participant first has to wait.
func (c *core) late(in *view, now int64) bool {
	began := c.reg.began.Load()
	if began == -in.epoch && c.reg.began.CompareAndSwap(began, now) {
		return false
	}
	return began > 0 && now-began > in.limit
}

// scavenge looks for chunks to steal until there are none, or only such as are
// left to their owners. The worker is running on entry; on return it may be
// anything but that.
func (c *core) scavenge(w *Worker, s *slot, in view) {
	c.leaveRunning(s, scanning)
	for patient := scanPasses; patient > 0; {
		waiting, found := false, false
		for _, i := range w.victims {
			at("scavenge", i, patient, in.epoch, waiting, found)
			v := &c.slots[i]
			verdict := c.allowed(&in, v)
			if verdict == soon {
				waiting = true
			}
			if verdict < yes || !c.joins(w) {
				continue
			}
			// From here on the caller waits for us. If it has sent us away
			// before, what we saw may be another region's.
			if !s.cmd.CompareAndSwap(scanning, running) {
				return
			}
			if verdict == overdue {
				c.stats.deadlines.Add(1)
			}
			for c.joins(w) {
				k, ok := v.back()
				if !ok {
					break
				}
				found = true
				s.count.stolen.Add(1)
				c.reg.block(w, v, k)
			}
			c.leaveRunning(s, scanning)
		}
		if !waiting && !found {
			patient--
		}
		pause(scanPause)
	}
	s.cmd.CompareAndSwap(scanning, idle)
}

// leaveRunning moves s on to another state and tells the caller if it waits for that.
func (c *core) leaveRunning(s *slot, state uint32) {
	s.cmd.Swap(state) // not Store, nor in sleepUntilLeft: see the join's sleep in README.md
	c.notifyJoin()
}

// scanPause is how many pauses there are between two passes over the blocks.
const scanPause = 4

// joins tells whether a worker should claim another chunk: always, unless it is
// slow and the fast ones will be done with what is left before it would be.
func (c *core) joins(w *Worker) bool {
	cost := c.cost(w)
	if cost < nearlyFast {
		return true
	}
	left, fast := 0, 0
	for i := range c.slots {
		left += chunks(c.slots[i].rng.Load()).len()
		if c.cost(&c.workers[i]) < nearlyFast {
			fast++
		}
	}
	return worthwhile(left, fast, cost)
}

// nearlyFast is the cost of a chunk, beside a fast core's, from which a core
// counts as slow: capacities and times are not exact.
const nearlyFast = 1.1

// cost returns how many times longer a chunk of this region takes on a worker's
// core than on a fast one, as far as is known.
func (c *core) cost(w *Worker) float64 { return float64(c.costs[w.class].Load()) / costUnit }

// setCosts sets the costs for a region: those that were timed in earlier ones
// like it, which depend on what the body waits for, else those that follow from
// the cores' capacities.
func (c *core) setCosts(h *habit) {
	for k := range c.costs {
		cost, ok := h.cost(k)
		if !ok {
			cost = c.classCosts[k]
		}
		c.costs[k].Store(uint32(min(cost, 1000) * costUnit))
	}
}
