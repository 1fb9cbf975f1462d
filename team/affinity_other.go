//go:build !linux

package team

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/numateam/numateam/topology"
)

// Threads can't be bound here; these stand for the calls that would.

func thread() int { return 0 }

func onMainThread() bool { return false }

type mask struct{}

func maskOf(topology.Set) mask { return mask{} }

func (mask) get(int) (mask, error) { return mask{}, errUnsupported }
func (mask) set(int) error         { return errUnsupported }
func (mask) has(int) bool          { return true }
func (mask) len() int              { return 0 }

func setAffinity(int, topology.Set) error { return errUnsupported }

func shortTimerSlack() {}

var errUnsupported = fmt.Errorf("team: binding threads on %s: %w", runtime.GOOS, errors.ErrUnsupported)
