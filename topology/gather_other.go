//go:build !linux

package topology

import (
	"errors"
	"fmt"
)

func runningSystem() (source, Set, string, error) {
	return nil, Set{}, "", fmt.Errorf("topology: gathering: %w", errors.ErrUnsupported)
}
