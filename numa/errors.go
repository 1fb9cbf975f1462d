package numa

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/numateam/numateam/topology"
)

var (
	// ErrNoMemory says that memory doesn't suffice: the machine's, a node's, or
	// the address space.
	ErrNoMemory = errors.New("not enough memory")
	// ErrNode says that a node isn't there, has no memory, or is closed to this
	// process.
	ErrNode = errors.New("node has no memory for this process")
	// ErrNotLive says that placing was refused because Options.Machine doesn't
	// describe the running machine.
	ErrNotLive = fmt.Errorf("%w: the topology is not this machine's", errors.ErrUnsupported)
)

// An Error says why memory isn't as it was asked to be. Its cause is a system
// call's error, which errors.Is compares with [errors.ErrUnsupported] and
// [fs.ErrPermission] among others, or one of this package's.
type Error struct {
	Call    string       // what failed: "mmap", "mbind", "move_pages" and so on, or a check before the call
	Policy  Policy       // the policy it was for; first touch where it isn't about one
	Nodes   topology.Set // the nodes it was for, where it was for some
	Err     error        // the cause
	Hint    string       // why that usually happens, if there's something to say
	Instead string       // what was done in its place; empty: nothing
}

// Error returns all of that in one line.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "numa: %s", e.Call)
	if e.Policy.kind != firstTouch {
		fmt.Fprintf(&b, " for %v", e.Policy)
	}
	if !e.Nodes.IsEmpty() && !e.Nodes.Equal(e.Policy.nodes) {
		fmt.Fprintf(&b, " on node %v", e.Nodes)
	}
	fmt.Fprintf(&b, ": %v", e.Err)
	if e.Hint != "" {
		fmt.Fprintf(&b, " (%s)", e.Hint)
	}
	if e.Instead != "" {
		fmt.Fprintf(&b, "; instead, %s", e.Instead)
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// noMemory is ErrNoMemory by the system's own error, which mostly says the same.
type noMemory struct{ error }

func (e noMemory) Unwrap() []error { return []error{ErrNoMemory, e.error} }

// hint says why the system usually refuses a placement call with err.
func hint(err error) string {
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		return "the kernel is built without NUMA, or an emulator stands in for it"
	case errors.Is(err, fs.ErrPermission):
		return "containers deny the call unless they are given CAP_SYS_NICE"
	}
	return ""
}

// instead joins errors, which say all that this was done instead.
func instead(what string, errs ...error) error {
	for _, err := range errs {
		if e := (*Error)(nil); errors.As(err, &e) {
			e.Instead = what
		}
	}
	return errors.Join(errs...)
}
