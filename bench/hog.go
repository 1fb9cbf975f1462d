package bench

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"

	"github.com/numateam/numateam/topology"
)

// hogVariable makes a program that calls HogMain one busy process: its value is
// the CPU to sit on.
const hogVariable = "NUMATEAM_BENCH_HOG"

// HogMain must be the first call of a program that starts Hogs, its tests' main
// included: in a child that was started as a hog, it keeps one CPU busy until the
// parent ends or kills it, and doesn't return.
func HogMain() {
	cpu, err := strconv.Atoi(os.Getenv(hogVariable))
	if err != nil {
		return
	}
	go func() {
		io.Copy(io.Discard, os.Stdin) // ends with the parent
		os.Exit(0)
	}()
	pinThread(cpu)
	for spin := uint64(1); spin != 0; spin += 2 {
	}
}

// Hogs are busy processes, one on each CPU: a loaded machine.
type Hogs struct {
	processes []*exec.Cmd
	pipes     []io.Closer
}

// StartHogs starts a copy of this program as a hog on each of the CPUs.
func StartHogs(cpus topology.Set) (*Hogs, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	h := &Hogs{}
	for cpu := range cpus.All() {
		cmd := exec.Command(exe)
		cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", hogVariable, cpu), "GOMAXPROCS=2")
		in, err := cmd.StdinPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			h.Stop()
			return nil, err
		}
		h.processes, h.pipes = append(h.processes, cmd), append(h.pipes, in)
	}
	return h, nil
}

// Stop ends the hogs and waits until they're gone.
func (h *Hogs) Stop() {
	for i, cmd := range h.processes {
		h.pipes[i].Close()
		cmd.Process.Kill()
		cmd.Wait()
	}
}
