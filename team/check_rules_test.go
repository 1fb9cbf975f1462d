//go:build teamcheck

package team

import "fmt"

// rules watches over a run: whatever the protocol must never do, step by step. What
// it must always be able to do is for the graph of all states to show (search).
type rules struct {
	body   func(lo, hi int)
	open   bool   // a launch is in progress
	kind   int    // of launch
	ran    uint64 // the indices that the body was called for
	raised bool   // the launch has panicked
	kindOf []int  // by epoch
	broken error  // the first rule that was broken
}

func (r *rules) reset() { *r = rules{body: r.body, kindOf: append(r.kindOf[:0], 0)} }

// A broken is a rule that doesn't hold, and how.
type broken struct{ rule, how string }

func (b *broken) Error() string { return b.rule + ": " + b.how }

// The rules that single steps can break.
const (
	onceEach     = "each index exactly once"
	monotone     = "lo never falls, hi never rises"
	permitted    = "a thief takes only what steal_allowed permits"
	oneStamp     = "seen is written once per region"
	noSecondWait = "a wait is never paid twice"
	nothingThere = "nobody waits for an empty block"
	nobodyEnters = "nobody takes a chunk outside of a region"
	nobodyInside = "when the launch returns nobody is inside"
	wakesKept    = "no wake is lost"
	stopped      = "after the first panic no new chunk starts"
	straggler    = "no block is written under its owner"
)

func (m *machine) violate(rule, how string, args ...any) {
	if m.broken == nil && !m.over {
		m.broken = &broken{rule, fmt.Sprintf(how, args...)}
	}
}

// A visit is a participant's look at another's block, from the head of its loop
// over the victims to the next.
type visit struct {
	empty   bool   // it has seen the block empty
	saw     uint32 // the owner's command when it looked last
	due     bool   // when it looked at the clock, all spoke for a yes
	ripe    bool   // the block's clock had run out when it read it
	overdue bool   // so had the region's
	took    bool   // it has gone on to take from it
	inside  bool   // it is inside the region: no part of the visit
}

func (m *machine) visits(p *participant) { p.visit = visit{inside: p.inside} }

// visited is called at the end of a visit.
func (m *machine) visited(p *participant) {
	if p.due && !p.took && m.claimable(p) && (p.id == 0 || m.core.slots[p.id].cmd.v == scanning) {
		m.violate(noSecondWait, "participant %d saw the clock of block %d run out and left it alone", p.id, p.slot)
	}
}

// claimable reports whether the clock alone stands between p and the block that it
// looks at.
func (m *machine) claimable(p *participant) bool {
	c := m.core
	v := &c.slots[p.slot]
	r := chunks(v.rng.v)
	return m.open && p.epoch == c.reg.epoch && p.slot > 0 && !r.empty() && !r.started() && c.reg.stop.v == 0 &&
		(v.cmd.v == pending || v.cmd.v == posted && !c.reg.protect)
}

// looked is called when p has looked at the clock for its visit.
func (m *machine) looked(p *participant) {
	if p.empty {
		m.violate(nothingThere, "participant %d looks at the clock for block %d", p.id, p.slot)
	}
	seen := m.core.slots[p.slot].seen.v
	p.due = m.claimable(p) && seen > 0 && p.clock-seen >= patience
}

// observe is called after each operation on a word.
func (m *machine) observe(p *participant, w word, a *access, before, result uint64) {
	c := m.core
	after := a.value()
	if w.field != sleepers {
		p.waking = w.field == wokenCount && a.kind == cas && result == 1
	}
	visiting := (p.loop == scavenging || p.loop == rescuing) && w.slot == int(p.slot)
	switch {
	case w.field == cmd && a.kind == load && visiting:
		p.saw = uint32(result)
	case w.field == cmd && w.slot == p.id && before != after:
		p.inside = after == uint64(running)
		p.took = true
	case w.field == rng && a.kind == load && visiting:
		p.empty = chunks(result).empty()
	case w.field == rng && a.kind == store:
		if owner := c.slots[w.slot].cmd.v; w.slot > 0 && (owner == running || owner == scanning) {
			m.violate(straggler, "block %d", w.slot)
		}
	case w.field == rng && a.kind != load:
		p.took = true
		if before != after {
			m.claimed(p, w.slot, chunks(before), chunks(after))
		}
	case w.field == seen && a.kind != load && before != after:
		switch old, now := int64(before), int64(after); {
		case now > 0 && old != -p.epoch: // a straggler may still mark what is to be posted anew
			m.violate(oneStamp, "participant %d writes the clock of block %d again", p.id, w.slot)
		case now <= 0 && m.open && (p.id > 0 || p.loop != launching):
			m.violate(oneStamp, "participant %d resets the clock of block %d", p.id, w.slot)
		}
	}
}

// aged is called when p has read a stamp. It returns what that can mean to p.
func (m *machine) aged(p *participant, w word, stamp int64) uint64 {
	age := p.clock - stamp
	switch {
	case stamp == -p.epoch:
		return 1 // p may set it to its clock
	case stamp <= 0:
		age = -1
	case w.field == began:
		p.overdue = age > m.core.reg.limit
	default:
		p.ripe = age >= patience
	}
	if w.field == seen {
		p.clock = 0 // of no use any more
		return uint64(3 + min(clamp(age/tick), 1))
	}
	if p.overdue {
		return 3
	}
	return 2
}

// claimed is called when p has changed what is left of a block.
func (m *machine) claimed(p *participant, block int, before, after chunks) {
	c := m.core
	if after.lo() < before.lo() || after.hi() > before.hi() || before.started() && !after.started() {
		m.violate(monotone, "block %d: %d-%d after %d-%d", block, after.lo(), after.hi(), before.lo(), before.hi())
	}
	if before.len() == after.len() {
		return // started, nothing taken
	}
	if !m.open || c.slots[p.id].cmd.v != running {
		m.violate(nobodyEnters, "participant %d takes from block %d", p.id, block)
		return
	}
	if after.hi() < before.hi() && !m.permitted(p, block, before) {
		m.violate(permitted, "participant %d takes from block %d", p.id, block)
	}
}

// permitted is steal_allowed once more, for what p has just taken.
func (m *machine) permitted(p *participant, block int, before chunks) bool {
	c := m.core
	r := &c.reg
	if !r.steal && p.id > 0 || int(p.slot) != block {
		return false
	}
	if before.started() {
		return r.steal
	}
	if p.overdue {
		return true
	}
	if block == 0 || p.saw != pending && (p.saw != posted || r.protect) {
		return false
	}
	return p.ripe
}

// enter is called when the body is.
func (m *machine) enter(lo, hi int) {
	p := m.cur
	switch {
	case !m.open || m.core.slots[p.id].cmd.v != running:
		m.violate(nobodyEnters, "participant %d runs %d-%d", p.id, lo, hi)
	case m.core.reg.stop.v != 0:
		m.violate(stopped, "participant %d runs %d-%d", p.id, lo, hi)
	}
	for i := lo; i < hi; i++ {
		if m.ran>>i&1 != 0 {
			m.violate(onceEach, "participant %d runs %d again", p.id, i)
		}
		m.ran |= 1 << i
	}
}

// begin is called before a launch of the kth kind.
func (m *machine) begin(k int) {
	m.open, m.kind, m.ran, m.raised = true, k, 0, false
	m.kindOf = append(m.kindOf, k)
}

// returned is called after a launch.
func (m *machine) returned() {
	m.open = false
	k := &m.cfg.kinds[m.kind]
	switch all := uint64(1)<<k.n - 1; {
	case m.raised != k.panics:
		m.violate(onceEach, "a panic: %v, where there was one: %v", m.raised, k.panics)
	case m.ran != all && !k.panics:
		m.violate(onceEach, "of %b, the launch ran %b", all, m.ran)
	}
	for _, p := range m.ps[1:] {
		switch state := m.core.slots[p.id].cmd.v; {
		case state != idle && state != parked || p.inside:
			m.violate(nobodyInside, "worker %d: command %d, inside: %v", p.id, state, p.inside)
		case p.next.kind == asleep && !p.called && state != parked:
			m.violate(wakesKept, "worker %d sleeps on a word that isn't parked: nobody will call it", p.id)
		}
	}
	if m.core.joiner.v != 0 {
		m.violate(nobodyInside, "the caller is still announced as asleep")
	}
}
