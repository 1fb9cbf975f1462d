//go:build teamcheck

package team

import (
	"fmt"
	"slices"
)

// A search visits every state that a configuration can get into, breadth first, so
// that what it finds broken it tells by the shortest path there. A state can't be
// copied, since part of it is on the participants' stacks: to get back to one, the
// search runs the team again from the beginning.
type search struct {
	*machine
	ids    map[uint64]int32 // by fingerprint
	states []state
	steps  []step // of all states, one after the other
	edges  []edge
	limit  int

	from    int32  // the state that the run is to reach
	path    []step // from the beginning to one step beyond it
	at      int    // how much of the path is done
	further int    // how many steps it may go beyond the path
}

// A state is how it was found, and the graph's knowledge of it.
type state struct {
	parent int32
	by     step  // from the parent
	steps  int32 // where its own begin
	begun  bool  // the first of them is done
	flags  flags
}

// flags are properties of a state.
type flags uint16

const (
	isBetween   flags = 1 << iota // the launch has returned
	isClosed                      // everybody has left
	isAlone                       // nobody but the caller is inside
	isSheltered                   // some sleeper's wake is due, and nobody has taken it on
	isCalled                      // that is no longer so
	isForced                      // the next step goes unnoticed
	inside1                       // worker 1 is inside; 2 follows
)

// An edge is one step from a state to another.
type edge struct {
	from, to int32
	who      uint8
}

// The rules that the whole graph must keep.
const (
	canReturn   = "every launch can come to its end"
	canClose    = "the team can be closed"
	canReach    = "every worker is reached by a later launch"
	aloneToEnd  = "with all workers frozen the caller finishes alone"
	wakesOthers = "a frozen waker holds up nobody else's wake"
)

// explore visits all states. It returns the first rule that doesn't hold and the
// path to where it doesn't.
func explore(cfg *config, limit int) (s *search, path []step, err error) {
	s = &search{machine: newMachine(cfg), ids: map[uint64]int32{}, limit: limit}
	s.choose = s.follow
	defer s.close()
	s.from = -1
	s.drive()
	for id := int32(0); int(id) < len(s.states) && s.broken == nil; id++ {
		todo := &s.states[id]
		k, last := todo.steps, int32(len(s.steps))
		if int(id)+1 < len(s.states) {
			last = s.states[id+1].steps
		}
		if todo.begun {
			k++
		}
		base := len(s.pathTo(id))
		for ; k < last && s.broken == nil; k++ {
			s.from, s.at = id, 0
			s.path = append(s.path[:base], s.steps[k])
			s.further = 16
			s.drive()
		}
	}
	if s.broken != nil {
		return s, s.path, s.broken
	}
	return s, nil, nil
}

// pathTo returns the steps from the beginning to a state.
func (s *search) pathTo(id int32) []step {
	s.path = s.path[:0]
	for ; id > 0; id = s.states[id].parent {
		s.path = append(s.path, s.states[id].by)
	}
	slices.Reverse(s.path)
	return s.path
}

// follow follows the path, and takes down where it leads.
func (s *search) follow() (next step, ok bool) {
	if s.broken != nil {
		return step{}, false
	}
	if s.at < len(s.path) {
		s.at++
		return s.path[s.at-1], true
	}
	print := s.fingerprint()
	id, known := s.ids[print]
	if !known {
		id = int32(len(s.states))
		if len(s.states) == s.limit {
			s.violate("the search ends", "more than %d states", s.limit)
			return step{}, false
		}
		s.ids[print] = id
		n := state{parent: s.from, steps: int32(len(s.steps)), flags: s.properties()}
		if s.from >= 0 {
			n.by = s.path[len(s.path)-1]
		}
		s.states = append(s.states, n)
		if s.offer() {
			s.states[id].flags |= isForced
		}
	}
	if s.from >= 0 {
		s.edges = append(s.edges, edge{s.from, id, s.path[len(s.path)-1].who})
	}
	if known || int(s.states[id].steps) == len(s.steps) || s.further == 0 {
		return step{}, false
	}
	// Since we are here, go on for a bit: it saves the way back.
	s.further--
	s.states[id].begun = true
	next = s.steps[s.states[id].steps]
	s.path = append(s.path, next)
	s.from, s.at = id, len(s.path)
	return next, true
}

// offer lists what can be done in the state that the machine is in. If some
// participant is about to do what nobody else can notice, or keep it from, that
// comes first, and the rest after it: other orders lead to the same states.
func (s *search) offer() (forced bool) {
	ps := s.ps
	for i, p := range ps {
		if s.unnoticed(p) {
			ps, forced = ps[i:i+1], true
			break
		}
	}
	for _, p := range ps {
		outcomes := func(first, n int) {
			for k := first; k < n; k++ {
				s.steps = append(s.steps, step{uint8(p.id), uint8(k)})
			}
		}
		switch o := &p.next; o.kind {
		case gone:
		case launch:
			n := len(s.cfg.kinds)
			if s.cfg.close {
				n++
			}
			if s.cfg.once && len(s.kindOf) > 1 {
				n = 0
			}
			outcomes(0, n)
		case look:
			outcomes(0, 1+s.ticks())
		case elapse:
			if p.elapsed {
				outcomes(0, 1)
			} else {
				outcomes(0, 2)
			}
		case asleep:
			if p.called {
				outcomes(0, 1)
			} else if p.timed || s.cfg.spurious {
				outcomes(1, 2)
			}
		case touch:
			// Whoever spins on a word may as well not be run until it changes.
			spins := o.name.field == cmd && o.access.kind == load &&
				(p.loop == awaiting && !s.cfg.park && o.access.value() <= uint64(parked) ||
					p.loop == dismissing && !s.cfg.joinSleep && o.access.value() == uint64(running))
			if !spins {
				outcomes(0, 1)
			}
		default:
			outcomes(0, 1)
		}
	}
	return forced
}

// unnoticed reports whether p's next operation changes nothing for the others,
// whatever they do before it, and they nothing for it.
func (m *machine) unnoticed(p *participant) bool {
	switch p.next.kind {
	case look: // any tick before it could as well be its own
		return true
	case elapse: // its own time
		return true
	case lieDown:
		return m.cfg.drowsy && p.id > 0
	case touch:
		if m.cfg.drowsy && p.loop.waits() && p.next.name == (word{cmd, p.id}) && m.core.slots[p.id].cmd.v <= parked {
			return true // not so, but that is what the configuration asks for
		}
		// While no worker looks for work, or can come to it before the caller's next
		// command, clocks are the caller's alone, and while none has a command
		// all words are but those that have the command.
		f := p.next.name.field
		if p.id > 0 || f == cmd || f == joiner {
			return false
		}
		clocks := f == seen || f == began
		static := !m.open || m.cfg.kinds[m.kind].schedule == Static
		for _, q := range m.ps[1:] {
			if q.loop == scavenging || !(clocks && static) && (q.inside || !q.loop.waits() || q.next.kind == touch && q.next.name.field != cmd || m.core.slots[q.id].cmd.v > parked) {
				return false
			}
		}
		return true
	}
	return false
}

// ticks returns how many ticks of the clock can make a difference.
func (m *machine) ticks() int {
	youngest := int64(2)
	if b := m.core.reg.began.v; m.cfg.deadline && b > 0 {
		youngest = min(youngest, clamp((m.now-b)/tick))
	}
	for i := range m.core.slots {
		if v := m.core.slots[i].seen.v; v > 0 && (m.now-v)/tick < 1 {
			youngest = min(youngest, clamp((m.now-v)/tick)+1)
		}
	}
	for _, p := range m.ps {
		if p.clock > 0 {
			youngest = min(youngest, clamp((m.now-p.clock)/tick))
		}
	}
	if !m.cfg.deadline {
		return min(int(2-youngest), 1)
	}
	return min(int(2-youngest), 2)
}

// fingerprint hashes all that decides about the run's future. Two states with the
// same hash are taken for one: among 4 million states the odds of an error are one
// in two million.
func (m *machine) fingerprint() uint64 {
	c := m.core
	r := &c.reg
	h := uint64(0)
	put := func(v uint64) { h = mix(h, v) }
	bit := func(b ...bool) {
		bits := uint64(1)
		for _, b := range b {
			bits <<= 1
			if b {
				bits |= 1
			}
		}
		put(bits)
	}
	epochs := func(epoch int64) uint64 { return uint64(min(r.epoch-epoch, 3)) } // how many regions ago
	since := func(v, cap int64) {
		switch {
		case v > 0:
			put(uint64(10 + min(clamp((m.now-v)/tick), cap)))
		case v < 0:
			put(epochs(-v))
		default:
			put(9)
		}
	}
	for i := range c.slots {
		s := &c.slots[i]
		put(s.rng.v)
		put(uint64(s.cmd.v))
		since(s.seen.v, 1)
	}
	if m.cfg.deadline {
		since(r.began.v, 2)
	}
	put(uint64(r.sleepers.v)<<48 | uint64(r.woken.v)<<32 | uint64(r.stop.v)<<16 | uint64(r.skipped.v)<<8 | uint64(c.joiner.v))
	put(m.ran)
	bit(m.open, m.raised)
	if m.open {
		put(uint64(m.kind))
		for _, i := range c.sleepers[:c.asleep] {
			put(uint64(i))
		}
		put(100)
		for _, i := range c.aside {
			put(uint64(i))
		}
	}
	for _, p := range m.ps {
		put(uint64(p.loop)<<32 | uint64(p.next.kind)<<24 | uint64(p.slot)<<8 | uint64(p.n))
		put(p.heard)
		bit(p.a, p.b, p.inside, p.elapsed, p.timed, p.called)
		if p.loop == scavenging {
			put(epochs(p.epoch)<<8 | uint64(m.kindOf[p.epoch]))
		}
		if p.clock > 0 {
			put(uint64(10 + clamp((m.now-p.clock)/tick)))
		}
	}
	return h
}

// properties returns the flags of the state that the machine is in.
func (m *machine) properties() (f flags) {
	c := m.core
	caller := m.ps[0]
	if caller.next.kind == launch {
		f |= isBetween
	}
	f |= isClosed
	if m.open {
		f |= isAlone
	}
	for _, p := range m.ps {
		if p.next.kind != gone {
			f &^= isClosed
		}
		if p.id == 0 {
			continue
		}
		if p.inside || p.next.name.field == joiner {
			f &^= isAlone
		}
		if p.inside {
			f |= inside1 << (p.id - 1)
		}
	}
	if !m.open || caller.loop != rescuing || !c.reg.protect || c.reg.stop.v != 0 {
		return f
	}
	called := true
	for k, i := range c.sleepers[:c.asleep] {
		p := m.ps[i]
		if p.next.kind != asleep || p.called || int(c.reg.woken.v) > k {
			continue
		}
		called = false
		if c.slots[i].cmd.v == posted && !chunks(c.slots[i].rng.v).empty() && (!m.cfg.deadline || (m.now-c.reg.began.v)/tick < 2) {
			f |= isSheltered
		}
	}
	if called {
		f |= isCalled
	}
	return f
}

// judge checks the rules that concern the graph as a whole.
func (s *search) judge() (path []step, err error) {
	graph := s.reversed()
	all := func(edge) bool { return true }
	callers := func(e edge) bool { return e.who == 0 || s.states[e.from].flags&isForced != 0 }
	any := func(flags) bool { return true }
	has := func(want flags) func(flags) bool {
		return func(f flags) bool { return f&want != 0 }
	}
	type rule struct {
		name   string
		from   func(flags) bool // from each of these states
		target func(flags) bool // one of these can be reached
		by     func(edge) bool
	}
	returned := has(isBetween | isClosed)
	rules := []rule{
		{wakesOthers, has(isSheltered), has(isCalled), callers},
		{canReturn, any, returned, all},
		{aloneToEnd, has(isAlone), returned, callers},
	}
	if s.cfg.close {
		rules = append(rules, rule{canClose, any, has(isClosed), all})
	} else if !s.cfg.once {
		for w := 1; w < s.cfg.width; w++ {
			rules = append(rules, rule{canReach, any, has(inside1 << (w - 1)), all})
		}
	}
	for _, r := range rules {
		if id := graph.stuck(s.states, r.from, r.target, r.by); id >= 0 {
			s.path = nil
			return s.pathTo(id), &broken{r.name, fmt.Sprintf("not from state %d", id)}
		}
	}
	return nil, nil
}

// A reversed graph has the edges that lead to each state.
type reversed struct {
	first []int32 // by state: where its edges begin
	edges []edge
}

func (s *search) reversed() reversed {
	g := reversed{make([]int32, len(s.states)+1), make([]edge, len(s.edges))}
	for _, e := range s.edges {
		g.first[e.to+1]++
	}
	for i := range s.states {
		g.first[i+1] += g.first[i]
	}
	next := slices.Clone(g.first)
	for _, e := range s.edges {
		g.edges[next[e.to]] = e
		next[e.to]++
	}
	return g
}

// stuck returns the first of the states in from, in the order of their distance
// from the beginning, from which no step of those that by lets through leads on to
// a target; -1 if there is none.
func (g reversed) stuck(states []state, from, target func(flags) bool, by func(edge) bool) int32 {
	good := make([]bool, len(states))
	var queue []int32
	for id := range states {
		if target(states[id].flags) {
			good[id] = true
			queue = append(queue, int32(id))
		}
	}
	for len(queue) > 0 {
		id := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, e := range g.edges[g.first[id]:g.first[id+1]] {
			if by(e) && !good[e.from] {
				good[e.from] = true
				queue = append(queue, e.from)
			}
		}
	}
	for id := range states {
		if !good[id] && from(states[id].flags) {
			return int32(id)
		}
	}
	return -1
}
