package team

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"unsafe"

	"github.com/numateam/numateam/numa"
	"github.com/numateam/numateam/topology"
)

// Options says what a team is made of. The zero value, like nil, means: this
// machine, every CPU that the process may use, one worker per core, Auto. A Placement
// or Schedule that isn't one of the constants is an error of New.
type Options struct {
	// Topology is the machine to place workers on; nil detects this one. On a
	// topology that isn't this machine's, workers are placed but not pinned.
	Topology *topology.Machine

	// CPUs restricts the team to these CPUs (OS ids) of those that the process
	// may use. Empty means all of them.
	CPUs topology.Set

	// Workers is the number of participants, the caller among them. 0 means as
	// many as the placement, the cgroup's quota and GOMAXPROCS allow. A larger
	// number than there are CPUs is an oversubscribed team: it works, its
	// workers are bound to their node only, and none of them spins. 8192 is the most.
	Workers int

	// Placement says on which CPUs the workers sit: Cores if it's left out.
	Placement Placement

	// Schedule is for launches that don't name one: Auto if it's left out.
	Schedule Schedule

	// Logger is told what the system refused, once, at Warn. nil means nobody.
	Logger *slog.Logger
}

// A Placement says on which CPUs a team's workers sit.
type Placement uint8

const (
	// Cores takes one CPU per core, cores in order, performance classes first.
	Cores Placement = iota
	// NUMA takes one CPU per core and deals the workers out to the nodes in turn.
	NUMA
	// Threads is Cores with the SMT siblings after the cores.
	Threads
	// Unpinned lets the system choose, and change, where a worker runs.
	Unpinned
)

var placements = [...]string{"cores", "numa", "threads", "unpinned"}

// String returns the placement's name: cores, numa, threads or unpinned.
func (p Placement) String() string {
	if int(p) < len(placements) {
		return placements[p]
	}
	return fmt.Sprintf("Placement(%d)", uint8(p))
}

// MarshalText returns the placement's name. The error is always nil.
func (p Placement) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText takes a name in any case, with or without a colon in front: "numa",
// ":numa".
func (p *Placement) UnmarshalText(text []byte) error {
	i := indexName(placements[:], text)
	if i < 0 {
		return fmt.Errorf("team: unknown placement %q (one of %s)", text, strings.Join(placements[:], ", "))
	}
	*p = Placement(i)
	return nil
}

// A Schedule says who runs which part of a launch.
type Schedule uint8

const (
	inherit Schedule = iota // the team's schedule; Auto for the team itself

	// Static gives each worker one block; the caller alone helps a late owner.
	Static
	// Steal lets every idle participant take chunks from the end of another's
	// block, once its owner has started or has had its chance to.
	Steal
	// Auto takes the one of the two that was faster for this body and size.
	Auto
)

var schedules = [...]string{"inherit", "static", "steal", "auto"}

// String returns the schedule's name: static, steal or auto, and inherit for the zero
// value.
func (s Schedule) String() string {
	if int(s) < len(schedules) {
		return schedules[s]
	}
	return fmt.Sprintf("Schedule(%d)", uint8(s))
}

// MarshalText returns the schedule's name. The error is always nil.
func (s Schedule) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText takes a name in any case, with or without a colon in front.
func (s *Schedule) UnmarshalText(text []byte) error {
	i := indexName(schedules[:], text)
	if i < 0 {
		// What is inherited is for programs to leave open, not for people to ask for.
		return fmt.Errorf("team: unknown schedule %q (one of %s)", text, strings.Join(schedules[Static:], ", "))
	}
	*s = Schedule(i)
	return nil
}

func indexName(names []string, text []byte) int {
	return slices.Index(names, strings.ToLower(strings.TrimPrefix(strings.TrimSpace(string(text)), ":")))
}

// A Launch says how one launch is to be run. Every zero field means the team's
// own choice.
type Launch struct {
	// Grain is the least number of indices worth a chunk: every bound between
	// two calls of the body, the end of the range excepted, is a multiple of
	// it. 0 means 1.
	Grain int

	// MaxWorkers caps how many participants take part, the caller among them.
	// 0 means all.
	MaxWorkers int

	// Schedule says who runs which part. The zero value takes the team's.
	Schedule Schedule

	// Over tells which memory the launch walks through, so that its blocks
	// follow the owners of the pages of a placed array. See the function Over.
	Over Span

	// Wait makes a launch on a busy team wait for its turn. Without it, and from
	// a body, such a launch runs at once, serially, on the goroutine that asks.
	Wait bool
}

// A Span is the memory that a launch walks through: index i stands for the
// Stride bytes at Base + i*Stride. The zero Span is none.
type Span struct {
	Base   unsafe.Pointer
	Stride uintptr // bytes; 0: there is no span
}

// Over returns the span of a launch whose index i works on x[i].
func Over[T numa.Elem](x []T) Span {
	var e T
	return Span{Base: unsafe.Pointer(unsafe.SliceData(x)), Stride: unsafe.Sizeof(e)}
}
