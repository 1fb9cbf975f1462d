//go:build !linux

package examples

import (
	"testing"

	"github.com/numateam/numateam/topology"
)

func withCPUs(t *testing.T, _ *topology.Machine, _ int, _ func()) {
	t.Skip("no affinity masks")
}
