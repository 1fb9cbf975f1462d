//go:build !unix

package main

import "errors"

// shared is memory that another process can map, for which this system has no form here.
type shared struct {
	bytes []byte
	file  string
}

func newShared(int) (*shared, error) { return nil, errors.ErrUnsupported }

func (s *shared) close() error { return nil }
