//go:build !linux

package numa

import (
	"errors"
	"unsafe"

	"github.com/numateam/numateam/topology"
)

// Elsewhere than on Linux nothing is placed, and nobody says where pages are.

func transparentPage() uintptr { return 0 }

func explicitPage() uintptr { return 0 }

func mapExplicit(n, page uintptr) (unsafe.Pointer, error) { return nil, errors.ErrUnsupported }

func advise(unsafe.Pointer, uintptr, HugePages) {}

func setPolicy(unsafe.Pointer, uintptr, mode, topology.Set) error { return errors.ErrUnsupported }

func nodeRoom(node int, page uintptr) uint64 { return 0 }

func query(pages []uintptr, status []int32) error { return errors.ErrUnsupported }

func movePages(pages []uintptr, nodes, status []int32) error { return errors.ErrUnsupported }

func collapse(unsafe.Pointer, uintptr) error { return errors.ErrUnsupported }

func probe() Capabilities {
	return Capabilities{Place: errors.ErrUnsupported, Query: errors.ErrUnsupported, Page: int(basePage)}
}

// Getcpu returns the CPU that the caller runs on and that CPU's node, -1 and -1
// where the system doesn't say.
func Getcpu() (cpu, node int) { return -1, -1 }
