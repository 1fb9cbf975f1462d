//go:build linux && (amd64 || arm64)

package team_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestChaosFromOutside has a child run TestChaos and does to it what a system does
// to its processes: stops it and lets it go on, sends signals, takes CPUs away and
// gives them back, and changes its quota of CPU time. The child checks its launches.
func TestChaosFromOutside(t *testing.T) {
	cmd := exec.Command(program(t), "-test.run=^TestChaos$", "-test.v",
		"-chaos="+chaosTime.String(), "-test.timeout="+(*chaosTime+3*time.Minute).String())
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	until := time.Now().Add(*chaosTime)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	torment(t, cmd.Process.Pid, until)
	err := cmd.Wait()
	if err != nil || !strings.Contains(out.String(), "--- PASS: TestChaos") {
		t.Errorf("%v\n%s", err, &out)
	}
	for line := range strings.Lines(out.String()) {
		if strings.Contains(line, "launches") {
			t.Log("the child: ", strings.TrimSpace(line))
		}
	}
}

// torment makes life hard for a process until a time comes.
func torment(t *testing.T, pid int, until time.Time) {
	cpus := affinity(t, 0)
	counts := map[string]int{}
	var mu sync.Mutex // of counts
	var wg sync.WaitGroup
	often := func(what string, pause time.Duration, f func()) {
		wg.Go(func() {
			n := 0
			for ; time.Now().Before(until); n++ {
				f()
				time.Sleep(rand.N(pause))
			}
			mu.Lock()
			defer mu.Unlock()
			counts[what] = n
		})
	}
	often("stops", time.Second, func() {
		unix.Kill(pid, unix.SIGSTOP)
		time.Sleep(rand.N([]time.Duration{time.Millisecond, 50 * time.Millisecond, time.Second}[rand.N(3)]))
		unix.Kill(pid, unix.SIGCONT)
	})
	often("signals", 200*time.Microsecond, func() {
		if tids := threadsOf(pid); len(tids) > 0 {
			unix.Tgkill(pid, tids[rand.N(len(tids))], []unix.Signal{unix.SIGURG, unix.SIGWINCH, unix.SIGCHLD}[rand.N(3)])
		}
	})
	often("masks", 200*time.Millisecond, func() {
		var mask unix.CPUSet
		for cpu := range cpus.All() {
			if rand.N(2) == 0 {
				mask.Set(cpu)
			}
		}
		if mask.Count() == 0 {
			mask.Set(cpus.Min())
		}
		for _, tid := range threadsOf(pid) {
			unix.SchedSetaffinity(tid, &mask)
		}
	})
	limit, remove, err := quota(t, pid)
	if err != nil {
		t.Log("no quota of CPU time: ", err)
	} else {
		defer remove()
		defer limit(100 * cpus.Len())
		often("quotas", 300*time.Millisecond, func() {
			if err := limit(20 + rand.N(100*cpus.Len())); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	t.Logf("done to it: %v", counts)
}

// threadsOf returns the ids of a process's threads.
func threadsOf(pid int) (tids []int) {
	tasks, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	for _, task := range tasks {
		if tid, err := strconv.Atoi(task.Name()); err == nil {
			tids = append(tids, tid)
		}
	}
	return tids
}

// quota puts a process into a control group of its own and returns how to limit
// its CPU time, in percent of a CPU, and how to take it out again. The error says
// why the system doesn't allow that.
func quota(t *testing.T, pid int) (limit func(percent int) error, remove func(), err error) {
	root, file, format := "/sys/fs/cgroup/cpu", "cpu.cfs_quota_us", "%d000" // of the period, 100 ms
	if _, err := os.Stat("/sys/fs/cgroup/cgroup.controllers"); err == nil {
		root, file, format = "/sys/fs/cgroup", "cpu.max", "%d000 100000"
		if err := os.WriteFile(root+"/cgroup.subtree_control", []byte("+cpu"), 0); err != nil {
			return nil, nil, err
		}
	}
	dir := filepath.Join(root, fmt.Sprintf("numateam-%d", pid))
	move := func(dir string) error {
		return os.WriteFile(dir+"/cgroup.procs", []byte(strconv.Itoa(pid)), 0)
	}
	limit = func(percent int) error {
		return os.WriteFile(filepath.Join(dir, file), fmt.Appendf(nil, format, percent), 0)
	}
	remove = func() {
		move(root)
		if !settles(func() bool { return os.Remove(dir) == nil }) { // its children must have ended
			t.Errorf("%s can't be removed", dir)
		}
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, nil, err
	}
	for _, err := range []error{limit(100), move(dir)} {
		if err != nil {
			remove()
			return nil, nil, err
		}
	}
	return limit, remove, nil
}
