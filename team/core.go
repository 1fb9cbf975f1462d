package team

import (
	"log/slog"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/numateam/numateam/numa"
	"github.com/numateam/numateam/topology"
)

// core is a team without its handles: what workers hold on to. It must not lead
// to a [Team], so that a dropped team can be collected and then closed.
type core struct {
	lock atomic.Uint32 // free, busy or closed; who takes it from free to busy owns all that isn't shared with workers
	_    [60]byte

	reg    region
	costs  []word32 // by class: what a chunk of the region costs, times costUnit
	joiner word32   // 1 while the caller sleeps in its join
	_      [60]byte

	// Fixed when the team is made.
	id         uint64
	machine    *topology.Machine
	placement  Placement
	slots      []slot
	workers    []Worker        // of the same index; 0 is the caller
	all        []int32         // every slot, in order
	sleepers   []int32         // slots posted while asleep, in the order in which they are to be woken
	atHome     map[int][]int32 // slots by their worker's home
	near       map[int][]int32 // by node with workers: every slot, 0 first, then those on the node
	classCosts []float64       // by class: time for a task, 1 for the fastest class in the team
	logger     *slog.Logger
	llcShare   int
	own        mask // the caller's CPUs, workers[0].mask
	procs      int  // GOMAXPROCS then
	cpus       int  // how many the team may use
	_          [64]byte

	// Owned by who has acquired the team, who writes some of it in each launch.
	inOrder []int32 // the slots in use: all, or fewer once the machine has shrunk
	order   []int32 // slots of the launch's participants, by block
	asleep  int     // how many of sleepers there are
	aside   []int32 // left asleep: the caller runs their blocks
	habits  habits
	regret  regret
	cuts    []cut
	runs    []run
	groups  []group
	upkeep  upkeep
	wide    mask // what moveCaller found
	stats   struct{ launches, posted, rescued, deadlines atomic.Uint64 }
	_       [64]byte

	active      atomic.Int32  // len(inOrder), for those who don't own it
	crowded     atomic.Bool   // more workers than CPUs for them
	hot         atomic.Int32  // calls of Hot in progress
	outside     atomic.Int32  // launches that found the team busy and run without it
	binder      atomic.Int64  // the thread that is in Bind; 0: none
	turnedAway  atomic.Uint64 // calls of Bind that found another goroutine in it
	wakeLatency atomic.Int64  // ns from a wake to the sleeper being at work
	queue       queue
	done        sync.WaitGroup // workers
}

const costUnit = 1024

// firstWakeLatency is assumed until a wake has been timed: what a virtual machine takes.
const firstWakeLatency = 20_000 // ns

// learnWake takes note of how long a wake took. Of one that took very long, since
// the sleeper's CPU was busy, it believes but a part.
func (c *core) learnWake(ns int64) {
	old := c.wakeLatency.Load()
	c.wakeLatency.Store(max(old+(min(ns, 2*old)-old)/8, 1000))
}

var ids atomic.Uint64

// newCore makes a core whose workers sit on seats; none is started yet.
func newCore(m *topology.Machine, seats []seat, o *Options, procs int) *core {
	n := len(seats)
	c := &core{
		id:        ids.Add(1),
		machine:   m,
		placement: o.Placement,
		slots:     newSlots(n),
		workers:   make([]Worker, n),
		all:       make([]int32, n),
		atHome:    map[int][]int32{},
		near:      map[int][]int32{},
		logger:    o.Logger,
		procs:     procs,
		cpus:      countCPUs(m, o),
		sleepers:  make([]int32, n),
		aside:     make([]int32, 0, n),
		cuts:      make([]cut, n),
		runs:      make([]run, 0, n),
	}
	c.queue.cond.L = &c.queue.mu
	c.wakeLatency.Store(firstWakeLatency)
	c.slots[0].cmd.Store(running)
	class := c.classify(seats)
	homes := map[int]int{} // by node
	for i, s := range seats {
		c.all[i] = int32(i)
		if _, ok := homes[s.node]; !ok {
			homes[s.node] = numa.Home(m, s.node)
		}
		w := &c.workers[i]
		w.id, w.cpu, w.node, w.home, w.class, w.bed = i, s.cpu, s.node, homes[s.node], class[i], newSleeper()
		if m.Live {
			w.mask = s.mask
		}
		c.atHome[w.home] = append(c.atHome[w.home], int32(i))
	}
	for node := range homes {
		c.near[node] = append([]int32{0}, c.localFirst(node, c.all[1:])...)
	}
	c.own = maskOf(c.workers[0].mask)
	c.groups = make([]group, len(c.classCosts))
	c.costs = make([]word32, len(c.classCosts))
	c.setCosts(&habit{})
	for i := range c.workers {
		w := &c.workers[i]
		rotated := append(slices.Clone(c.all[i+1:]), c.all[:i]...)
		w.victims = c.localFirst(w.node, rotated)
	}
	c.inOrder = c.all
	c.llcShare = llcShare(m, seats)
	return c
}

// localFirst returns slots with those on a node before all others.
func (c *core) localFirst(node int, slots []int32) []int32 {
	remote := func(i int32) int {
		if c.workers[i].node == node {
			return 0
		}
		return 1
	}
	slots = slices.Clone(slots)
	slices.SortStableFunc(slots, func(a, b int32) int { return remote(a) - remote(b) })
	return slots
}

// classify numbers the classes of cores that the seats are on, the fastest
// first, and notes what a task costs on each.
func (c *core) classify(seats []seat) (class []int) {
	capacity := func(s seat) int { return max(s.capacity, 1) }
	var capacities []int
	for _, s := range seats {
		capacities = append(capacities, capacity(s))
	}
	slices.Sort(capacities)
	slices.Reverse(capacities)
	capacities = slices.Compact(capacities)
	for _, cap := range capacities {
		c.classCosts = append(c.classCosts, float64(capacities[0])/float64(cap))
	}
	for _, s := range seats {
		class = append(class, slices.Index(capacities, capacity(s)))
	}
	return class
}

// countCPUs returns how many CPUs a team may use.
func countCPUs(m *topology.Machine, o *Options) int {
	switch {
	case !m.Live:
		return runtime.NumCPU()
	case o.CPUs.IsEmpty():
		return m.Allowed.Len()
	}
	return o.CPUs.Len()
}
