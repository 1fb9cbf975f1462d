// Package numa allocates arrays whose pages lie on chosen NUMA nodes, and finds
// out where the pages of any slice are.
//
//	x, err := numa.Alloc[float64](n, &numa.Options{Policy: numa.Bind(topology.SetOf(1))})
//	defer x.Close()
//	where, err := x.Residency() // pages per node
//
// An array is memory of its own outside the Go heap, zeroed, in huge pages where
// they fit. Its policy is set before any page is touched. This is what a policy
// is on Linux, what it becomes when a node is full, and when it names nodes that
// can't be used: absent, without memory, or outside the process's cpuset.
//
//	policy        best effort            strict                 node full               unusable nodes
//	FirstTouch    -                      -                      the next nearest        -
//	Preferred     MPOL_PREFERRED         MPOL_PREFERRED         the next nearest        the nearest usable / error
//	Bind          MPOL_PREFERRED(_MANY)  MPOL_BIND              next nearest / kill(*)  left out, or the nearest / error
//	Interleave    MPOL_INTERLEAVE        MPOL_INTERLEAVE        the others              left out / error
//	ByParts       MPOL_PREFERRED each    MPOL_BIND each         next nearest / kill(*)  the nearest usable / error
//
// Where two are given, they are for best effort / strict. (*) The kernel ends a
// process that touches more memory than a strict binding allows, without an
// error first. So Alloc fails if the nodes haven't enough free memory at that
// moment; that others take it between then and the first touch can't be ruled
// out, which is why best effort, the default, doesn't bind so hard.
//
// Everything works as first touch where the system refuses: in containers that
// deny the calls, on kernels without NUMA, on other systems than Linux. What
// came of an array's options is its [Outcome], and what the system lets a
// process do is [Support].
//
// Memory is freed by Close alone, after which no slice of it is good. There's no
// finalizer: a slice may outlive the *Array that it's from, unclosed.
package numa
