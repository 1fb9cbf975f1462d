//go:build teamcheck

package team

import (
	"fmt"
	"iter"
	"runtime/debug"
	"strings"
	"unsafe"

	"github.com/numateam/numateam/topology"
)

// A machine runs one team, one step at a time. Each participant is a coroutine
// that runs the protocol's own code; before each step that others can notice it
// stops, and whoever drives the machine decides which participant goes on.
type machine struct {
	rules
	cfg  *config
	core *core
	team *Team
	ps   []*participant // by slot; 0 is the caller
	cur  *participant   // who runs
	now  int64

	// choose picks the next step once all participants have come to one. No step
	// is picked once the run is over.
	choose   func() (s step, ok bool)
	starting bool
	over     bool
	trace    func(format string, args ...any) // nil: nobody wants to know
}

// A step is what a participant does next: who it is, and which of several outcomes
// its operation has.
type step struct{ who, outcome uint8 }

// A participant is what the machine knows of one of them.
type participant struct {
	id      int
	resume  func() (struct{}, bool)
	stop    func()
	yield   func(struct{}) bool
	next    operation // what it is about to do
	outcome uint8     // of next, as the driver picked

	// Where it stands: the head of the loop that it passed last, its local state
	// there, and a hash of all that it was told since.
	loop  loop
	slot  int32
	n     int
	epoch int64
	a, b  bool
	heard uint64
	steps int // since then

	clock   int64 // what it last read there; 0: nothing
	waking  bool  // it has taken on a wake
	elapsed bool  // a launching caller's own time has passed the wake latency
	timed   bool  // it sleeps with a timeout
	called  bool  // it sleeps, but has been woken

	visit
}

// loop says where a participant is.
type loop uint8

const (
	starting  loop = iota
	between        // the caller, about to launch or to close
	launching      // the caller, up to its first pass of rescue
	serving
	awaiting // from here on into takePart
	parking  // from here on too
	scavenging
	rescuing
	dismissing
)

// waits reports whether a worker has gone to wait for a command.
func (l loop) waits() bool { return l == awaiting || l == parking }

func loopNamed(s string) loop {
	switch s {
	case "serve":
		return serving
	case "await":
		return awaiting
	case "park":
		return parking
	case "scavenge":
		return scavenging
	case "rescue":
		return rescuing
	case "dismiss":
		return dismissing
	}
	panic(s)
}

// An operation is one step's.
type operation struct {
	kind operationKind
	access
	name word
}

type operationKind uint8

const (
	gone    operationKind = iota // the participant has returned
	launch                       // outcomes: the kinds of launch, then Close
	touch                        // an access
	look                         // at the clock; outcomes: how many ticks have gone by
	elapse                       // outcomes: how long the caller's own block took
	lieDown                      // FUTEX_WAIT
	asleep                       // outcomes: 0 it was woken, 1 it wakes up without
	callUp                       // FUTEX_WAKE
)

// word names a shared word.
type word struct {
	field
	slot int
}

type field uint8

const (
	private field = iota // no part of the protocol: counters, what is learned
	cmd
	rng
	seen
	began
	sleepers
	wokenCount
	stop
	skipped
	joiner
)

var fieldNames = [...]string{"private", "cmd", "rng", "seen", "began", "sleepers", "woken", "stop", "skipped", "joiner"}

func (w word) String() string {
	if w.field >= cmd && w.field <= seen {
		return fmt.Sprintf("%s[%d]", fieldNames[w.field], w.slot)
	}
	return fieldNames[w.field]
}

// word returns the name of the word at p.
func (m *machine) word(p unsafe.Pointer) word {
	c := m.core
	if off := uintptr(p) - uintptr(unsafe.Pointer(&c.slots[0])); off < slotSize*uintptr(len(c.slots)) {
		w := word{slot: int(off / slotSize)}
		switch off % slotSize {
		case unsafe.Offsetof(slot{}.cmd):
			w.field = cmd
		case unsafe.Offsetof(slot{}.rng):
			w.field = rng
		case unsafe.Offsetof(slot{}.seen):
			w.field = seen
		}
		return w
	}
	switch p {
	case unsafe.Pointer(&c.reg.began):
		return word{field: began}
	case unsafe.Pointer(&c.reg.sleepers):
		return word{field: sleepers}
	case unsafe.Pointer(&c.reg.woken):
		return word{field: wokenCount}
	case unsafe.Pointer(&c.reg.stop):
		return word{field: stop}
	case unsafe.Pointer(&c.reg.skipped):
		return word{field: skipped}
	case unsafe.Pointer(&c.joiner):
		return word{field: joiner}
	}
	return word{}
}

// shared reports whether the order of accesses to a word matters. Of those that a
// configuration leaves constant it doesn't.
func (m *machine) shared(w word) bool {
	switch w.field {
	case cmd:
		return w.slot > 0 // the caller's is always running
	case rng, seen:
		return true
	case began:
		return m.cfg.deadline
	case sleepers, wokenCount:
		return m.cfg.park
	case stop:
		return m.cfg.panics()
	case joiner:
		return m.cfg.joinSleep
	}
	return false
}

// tick is the unit of the machine's time.
const tick = patience

// newMachine makes a team of workers without threads.
func newMachine(cfg *config) *machine {
	seats := make([]seat, cfg.width)
	for i := range seats {
		seats[i] = seat{cpu: -1, node: -1, capacity: 1024}
	}
	synthetic, err := topology.Parse(fmt.Sprintf("core:%d", cfg.width))
	if err != nil {
		panic(err)
	}
	m := &machine{cfg: cfg, core: newCore(synthetic, seats, &Options{}, cfg.width)}
	m.core.active.Store(int32(cfg.width))
	m.team = &Team{core: m.core, launch: Launch{Schedule: Static}}
	m.team.root = m.team
	for i := range seats {
		p := &participant{id: i}
		p.resume, p.stop = iter.Pull(m.live(p))
		m.ps = append(m.ps, p)
	}
	m.body = m.run
	return m
}

// reset brings the team back to how newMachine made it, and starts its participants.
func (m *machine) reset() {
	c := m.core
	for i := range c.slots {
		c.slots[i] = slot{}
	}
	c.slots[0].cmd.v = running
	r := &c.reg
	r.view, r.job, r.panic = view{}, job{}, nil
	r.began.v, r.sleepers.v, r.woken.v, r.stop.v, r.skipped.v = 0, 0, 0, 0, 0
	c.joiner.v, c.asleep, c.aside = 0, 0, c.aside[:0]
	c.lock.Store(free)
	if m.cfg.deadline {
		c.wakeLatency.Store(tick * 3 / 2 / deadline) // a deadline of one tick and a half
	} else {
		c.wakeLatency.Store(1 << 30)
	}
	grace, scanPasses = m.cfg.passes, m.cfg.passes+1
	m.now = 1000 * tick
	m.over, m.starting = false, true
	m.rules.reset()
	for _, p := range m.ps {
		*p = participant{id: p.id, resume: p.resume, stop: p.stop, yield: p.yield}
		m.cur = p
		p.resume() // up to its first step
	}
	m.starting = false
}

// live is a participant's coroutine: one life for each run.
func (m *machine) live(p *participant) iter.Seq[struct{}] {
	return func(yield func(struct{}) bool) {
		p.yield = yield
		for {
			m.liveOnce(p)
			p.next = operation{kind: gone}
			if !yield(struct{}{}) {
				return
			}
		}
	}
}

func (m *machine) liveOnce(p *participant) {
	defer func() {
		if v := recover(); v != nil && v != any(killed) {
			m.violate("no crash", "participant %d: %v\n%s", p.id, v, debug.Stack())
		}
	}()
	if p.id == 0 {
		m.launches(p)
	} else {
		m.core.serve(&m.core.workers[p.id], &m.core.slots[p.id])
	}
}

const killed = "the run is over"

// drive runs the team from its beginning, until choose has had enough.
func (m *machine) drive() {
	hooks.access, hooks.clock, hooks.sleep, hooks.wake, hooks.at = m.access, m.clock, m.sleep, m.wake, m.at
	m.reset()
	for m.advance(); !m.over; {
		if m.cur.resume(); m.cur.next.kind == gone {
			m.advance()
		}
	}
	m.drain()
	hooks.access, hooks.clock, hooks.sleep, hooks.wake, hooks.at = nil, nil, nil, nil, nil
}

// drain brings every participant to its end, whatever that breaks. To throw away
// the coroutines and to make new ones would take far longer.
func (m *machine) drain() {
	for _, s := range []bool{true, false} {
		for i := range m.core.slots {
			m.core.slots[i].rng.v = 0
			if i > 0 {
				m.core.slots[i].cmd.v = idle
			}
		}
		for _, p := range m.ps {
			if s == (p.id > 0) && p.next.kind != gone {
				p.steps = 0
				m.cur = p
				p.resume()
			}
		}
	}
}

// drained is access while that is going on.
func (m *machine) drained(a access) uint64 {
	p := m.cur
	if p.steps++; p.steps > 1000 {
		panic(killed)
	}
	if w := m.word(a.word); w.field == cmd && w.slot == p.id && a.kind == load && p.loop.waits() {
		return uint64(leave)
	}
	return a.make()
}

// close ends the coroutines.
func (m *machine) close() {
	for _, p := range m.ps {
		p.stop()
	}
}

// advance makes the participant whose step is next the current one.
func (m *machine) advance() bool {
	s, ok := m.choose()
	if !ok {
		m.over = true
		return false
	}
	m.cur = m.ps[s.who]
	m.cur.outcome = s.outcome
	return true
}

// before stops the current participant before a step until it may make it, and
// returns which of its outcomes the step has.
func (m *machine) before(o operation) (outcome uint8) {
	p := m.cur
	if m.over {
		return 0
	}
	p.next = o
	if p.steps++; p.steps > 300 {
		m.violate("no loop without an end", "participant %d in loop %v", p.id, p.loop)
	}
	if m.starting || !m.advance() || m.cur != p {
		p.yield(struct{}{})
	}
	return p.outcome
}

func (m *machine) heard(v uint64) { m.cur.heard = mix(m.cur.heard, v) }

// access carries out an operation on a shared word.
func (m *machine) access(a access) uint64 {
	if m.over {
		return m.drained(a)
	}
	w := m.word(a.word)
	if w.field == private {
		if a.kind == load {
			return 0 // nothing is learned
		}
		return a.make()
	}
	p := m.cur
	if m.shared(w) {
		if m.before(operation{touch, a, w}); m.over {
			return m.drained(a)
		}
	}
	before := a.value()
	result := a.make()
	if m.trace != nil && m.shared(w) {
		m.trace("%s %v: %s", accessNames[a.kind], w, m.show(w, a, before, result))
	}
	m.observe(p, w, &a, before, result)
	if a.kind == load && (w.field == seen || w.field == began) {
		m.heard(m.aged(p, w, int64(result)))
		return result
	}
	if w.field == seen {
		p.clock = 0 // it has been stamped, or not
	}
	if a.kind == store || a.kind == or {
		m.heard(0) // they tell nothing, but that it is done
	} else {
		m.heard(result)
	}
	return result
}

var accessNames = [...]string{"load", "store", "swap", "cas", "add", "or"}

func (m *machine) show(w word, a access, before, result uint64) string {
	value := func(v uint64) string {
		switch w.field {
		case cmd:
			return [...]string{"idle", "parked", "pending", "posted", "running", "scanning", "leave"}[v]
		case rng:
			r := chunks(v)
			return fmt.Sprintf("%d-%d started=%v", r.lo(), r.hi(), r.started())
		case seen, began:
			if int64(v) > 0 {
				return fmt.Sprintf("tick %d", int64(v)/tick-1000)
			}
		}
		return fmt.Sprint(int64(v))
	}
	switch a.kind {
	case load:
		return value(before)
	case cas:
		if result == 0 {
			return fmt.Sprintf("%s, not %s: fails", value(before), value(a.old))
		}
	}
	return fmt.Sprintf("%s -> %s", value(before), value(a.value()))
}

// clock is a participant's look at the time. How far time has gone on since the
// last look is the driver's choice. What times the protocol uses only to decide
// how long to spin is decided at once: to spin on is the same as not to be run.
func (m *machine) clock() int64 {
	const short, long = 1, 1 << 40
	p := m.cur
	if m.over {
		m.now += long
		return m.now
	}
	switch p.loop {
	case launching: // is there time left before those who were left aside are called?
		if len(m.core.aside) == 0 {
			return short
		}
		if m.before(operation{kind: elapse}) == 1 {
			p.elapsed = true
			m.core.outside.Store(0) // by then those outside are done
		}
		if m.trace != nil {
			m.trace("elapsed: %v", p.elapsed)
		}
		if p.elapsed {
			m.heard(1)
			return long
		}
		m.heard(0)
		return short
	case awaiting, parking:
		return long
	case dismissing:
		if p.a {
			return long
		}
		return short
	case scavenging, rescuing:
		if p.waking { // for the wake latency, which isn't learned
			return short
		}
		m.now += int64(m.before(operation{kind: look})) * tick
		if m.over {
			return m.now
		}
		p.clock = m.now + m.cfg.skew[p.id]*tick
		if m.trace != nil {
			m.trace("clock: tick %d", p.clock/tick-1000)
		}
		m.heard(0)
		m.looked(p)
		return p.clock
	}
	return short
}

// clamp cuts an age, in ticks, down to what can make a difference.
func clamp(age int64) int64 { return min(max(age, -1), 2) }

// sleep is FUTEX_WAIT.
func (m *machine) sleep(w *word32, val uint32, timed bool) {
	p := m.cur
	name := m.word(unsafe.Pointer(w))
	m.before(operation{kind: lieDown, name: name})
	if m.over || w.v != val {
		if m.trace != nil {
			m.trace("futex wait %v: has changed", name)
		}
		m.heard(0)
		return
	}
	if m.trace != nil {
		m.trace("futex wait %v: asleep", name)
	}
	p.timed, p.called = timed, false
	m.before(operation{kind: asleep, name: name})
	if m.trace != nil {
		m.trace("awake")
	}
	p.called = false
	m.heard(1)
}

// wake is FUTEX_WAKE.
func (m *machine) wake(w *word32) {
	name := m.word(unsafe.Pointer(w))
	m.before(operation{kind: callUp, name: name})
	if m.trace != nil {
		m.trace("futex wake %v", name)
	}
	for _, p := range m.ps {
		if p.next.kind == asleep && p.next.name == name && !p.called {
			p.called = true
			break
		}
	}
	m.cur.waking = false
	m.heard(0)
}

// at notes that the current participant is at the head of a loop.
func (m *machine) at(where string, slot int32, n int, epoch int64, a, b bool) {
	p := m.cur
	if m.over {
		m.stand(p, loopNamed(where))
		return
	}
	m.visited(p)
	m.stand(p, loopNamed(where))
	p.slot, p.n, p.epoch, p.a, p.b = slot, n, epoch, a, b
	if p.loop == serving {
		m.core.workers[p.id].gaps = m.cfg.gaps()
	}
	m.visits(p)
}

func (m *machine) stand(p *participant, l loop) {
	p.loop, p.heard, p.steps, p.clock = l, 0, 0, 0
	p.slot, p.n, p.epoch, p.a, p.b = 0, 0, 0, false, false
}

// launches is the caller: one launch after the other, of any kind, until it closes
// the team.
func (m *machine) launches(p *participant) {
	for {
		m.stand(p, between)
		k := int(m.before(operation{kind: launch}))
		if m.over {
			return
		}
		m.stand(p, launching)
		p.elapsed = false
		if k == len(m.cfg.kinds) {
			if m.trace != nil {
				m.trace("close")
			}
			m.core.close()
			return
		}
		if m.trace != nil {
			m.trace("launch %v", m.cfg.kinds[k])
		}
		m.begin(k)
		m.launch(&m.cfg.kinds[k])
		m.returned()
	}
}

// launch launches, with nothing learned but what its kind says.
func (m *machine) launch(k *kind) {
	defer func() {
		v := recover()
		if p, ok := v.(*Panic); ok && p.Value == any(bang) && k.panics {
			m.raised = true
		} else if v != nil {
			panic(v)
		}
	}()
	c := m.core
	c.regret, c.upkeep = regret{}, upkeep{}
	h := c.habits.of(job{body: m.body}, k.n, 1)
	*h = habit{key: h.key, count: 17}
	if k.serial > 0 {
		h.serial = recent{ns: [4]int64{k.serial, k.serial, k.serial, k.serial}, n: 4}
	}
	c.outside.Store(0)
	if k.crowd {
		c.outside.Store(int32(c.procs))
	}
	m.team.Launch(Launch{Schedule: k.schedule}, k.n, m.body)
}

const bang = "bang"

// run is the body of every launch.
func (m *machine) run(lo, hi int) {
	if m.over {
		return
	}
	m.enter(lo, hi)
	if m.trace != nil {
		m.trace("body %d-%d", lo, hi)
	}
	if k := &m.cfg.kinds[m.kind]; k.panics && lo <= 0 {
		panic(bang)
	}
}

// mix folds v into a hash: the finalizer of splitmix64.
func mix(h, v uint64) uint64 {
	h += v + 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// tell is a run, told step by step.
func tell(cfg *config, path []step) string {
	var b strings.Builder
	m := newMachine(cfg)
	k := 0
	m.trace = func(format string, args ...any) {
		fmt.Fprintf(&b, "%4d  %d: %s\n", k, m.cur.id, fmt.Sprintf(format, args...))
	}
	m.choose = func() (step, bool) {
		if k == len(path) || m.broken != nil {
			return step{}, false
		}
		k++
		return path[k-1], true
	}
	m.drive()
	m.close()
	if m.broken != nil {
		b.WriteString(m.broken.Error())
	}
	return b.String()
}
