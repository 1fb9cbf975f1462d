package numa

import (
	"fmt"
	"strings"
	"sync"

	"github.com/numateam/numateam/topology"
)

// Capabilities is what the system lets the process do with its memory.
type Capabilities struct {
	Place error // nil: policies can be set; otherwise why not
	Query error // nil: pages can be found and moved; otherwise why not

	Nodes       topology.Set // nodes with memory that the process may use
	Page        int          // bytes of a base page
	Transparent string       // transparent huge pages: "always", "madvise", "never" or, where unknown, ""
	HugePage    int          // bytes of a transparent huge page; 0: there are none
	Explicit    int          // bytes of an explicit huge page; 0: there are none
	Reserved    int          // explicit huge pages that are free
	Balancing   bool         // the kernel moves pages by itself to where they're used
	Process     string       // memory policy that the process was started with, such as "interleave:0-1"; "" for the default
}

// support asks the system once and remembers.
var support = sync.OnceValue(probe)

// Support returns what the system lets the process do, and why not more. It asks
// at the first call and remembers. Nothing else of this package fails where
// something is missing: arrays are first-touch ones then.
func Support() Capabilities { return support() }

// String returns a report of a few lines.
func (c Capabilities) String() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	can := func(what string, err error) {
		if err == nil {
			line("%s: yes", what)
		} else if why := hint(err); why != "" {
			line("%s: no: %v (%s)", what, err, why)
		} else {
			line("%s: no: %v", what, err)
		}
	}
	line("nodes with memory for this process: %v", c.Nodes)
	can("placing pages (mbind)", c.Place)
	can("finding and moving pages (move_pages)", c.Query)
	switch {
	case c.HugePage == 0:
		line("transparent huge pages: none")
	case c.Transparent == "never":
		line("transparent huge pages: off (/sys/kernel/mm/transparent_hugepage/enabled says never)")
	default:
		line("transparent huge pages: %s, %d KiB", c.Transparent, c.HugePage>>10)
	}
	if c.Explicit > 0 {
		line("explicit huge pages: %d free of %d KiB", c.Reserved, c.Explicit>>10)
	}
	if c.Balancing {
		line("automatic NUMA balancing: on; it may move pages away from where they were placed (kernel.numa_balancing)")
	}
	if c.Process != "" {
		line("memory policy of the process: %s; first touch follows it", c.Process)
	}
	return b.String()
}
