// Command init is the guest's only program besides those under test. It runs as
// process 1 from an initramfs, sets the machine up as its configuration asks,
// runs the programs, reports on the data port, and turns the machine off. Whatever goes wrong, it turns the machine off: if it dies,
// the kernel panics, and the kernel's command line makes that a reset, which
// ends QEMU.
package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"vm/internal/wire"
)

func main() {
	if os.Getpid() != 1 {
		fmt.Fprintln(os.Stderr, "init: runs as process 1 of a guest only")
		os.Exit(2)
	}
	if err := guest(); err != nil {
		fmt.Fprintln(os.Stderr, "init:", err) // the console
	}
	syscall.Sync()
	err := syscall.Reboot(syscall.LINUX_REBOOT_CMD_POWER_OFF)
	fmt.Fprintln(os.Stderr, "init: power off:", err)
	os.Exit(1) // panics the kernel
}

func guest() error {
	if err := mounts(); err != nil {
		return err
	}
	b, err := os.ReadFile(wire.ConfigPath)
	if err != nil {
		return err
	}
	var cfg wire.Config
	if err := json.Unmarshal(b, &cfg); err != nil {
		return err
	}
	port, err := openPort(cfg.Port)
	if err != nil {
		return err
	}
	w := wire.NewWriter(port)
	w.Frame(wire.Hello, uptime())
	if err := all(&cfg, w); err != nil {
		w.Frame(wire.Error, []byte(err.Error()))
	}
	return drain(port)
}

func mounts() error {
	for _, m := range []struct{ dev, dir, typ, opt string }{
		{"proc", "/proc", "proc", ""},
		{"sysfs", "/sys", "sysfs", ""},
		{"devtmpfs", "/dev", "devtmpfs", ""},
		{"tmpfs", "/dev/shm", "tmpfs", "mode=1777"},
		{"cgroup2", "/sys/fs/cgroup", "cgroup2", ""},
	} {
		if err := os.MkdirAll(m.dir, 0o755); err != nil {
			return err
		}
		if err := syscall.Mount(m.dev, m.dir, m.typ, 0, m.opt); err != nil {
			return fmt.Errorf("mount %s: %w", m.dir, err)
		}
	}
	// Not a mount: the initramfs may have files in it.
	if err := os.MkdirAll("/tmp", 0o777); err != nil {
		return err
	}
	return os.Chmod("/tmp", 0o777|fs.ModeSticky)
}

// openPort opens the data port and takes the terminal out of it.
func openPort(dev string) (*os.File, error) {
	fd, err := syscall.Open(dev, syscall.O_RDWR|syscall.O_NOCTTY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", dev, err)
	}
	var t syscall.Termios
	if err := ioctl(fd, syscall.TCGETS, uintptr(unsafe.Pointer(&t))); err != nil {
		return nil, fmt.Errorf("%s: %w", dev, err)
	}
	t.Iflag, t.Oflag, t.Lflag = 0, 0, 0
	t.Cflag = syscall.CS8 | syscall.CREAD | syscall.CLOCAL | syscall.B115200
	if err := ioctl(fd, syscall.TCSETS, uintptr(unsafe.Pointer(&t))); err != nil {
		return nil, fmt.Errorf("%s: %w", dev, err)
	}
	return os.NewFile(uintptr(fd), dev), nil
}

// drain waits until the port has sent all that was written to it.
func drain(f *os.File) error {
	const tcsbrk = 0x5409
	return ioctl(int(f.Fd()), tcsbrk, 1)
}

func ioctl(fd int, req, arg uintptr) error {
	for {
		_, _, e := syscall.Syscall(syscall.SYS_IOCTL, uintptr(fd), req, arg)
		if e == 0 {
			return nil
		}
		if e != syscall.EINTR {
			return e
		}
	}
}

func uptime() []byte {
	var ts syscall.Timespec
	const boottime = 7
	syscall.Syscall(syscall.SYS_CLOCK_GETTIME, boottime, uintptr(unsafe.Pointer(&ts)), 0)
	return binary.BigEndian.AppendUint32(nil, uint32(ts.Nano()/1e6))
}

// all sets the guest up, runs the programs, and sends what they put out.
func all(cfg *wire.Config, w *wire.Writer) error {
	// Some guests have no driver for their clock, and start in 1970.
	tv := syscall.NsecToTimeval(cfg.Now.UnixNano())
	if err := syscall.Settimeofday(&tv); err != nil {
		return fmt.Errorf("settimeofday: %w", err)
	}
	if err := loopback(); err != nil {
		return fmt.Errorf("loopback: %w", err)
	}
	for _, n := range cfg.Offline {
		f := fmt.Sprintf("/sys/devices/system/cpu/cpu%d/online", n)
		if err := write(f, "0"); err != nil {
			return err
		}
	}
	attr := &syscall.SysProcAttr{Setpgid: true}
	if cfg.UID != 0 {
		id := uint32(cfg.UID)
		attr.Credential = &syscall.Credential{Uid: id, Gid: id}
	}
	if cfg.Cpus != "" || cfg.Mems != "" || cfg.MemoryMax != "" {
		g, err := cgroup(cfg)
		if err != nil {
			return err
		}
		defer g.Close()
		attr.UseCgroupFD, attr.CgroupFD = true, int(g.Fd())
	}
	syscall.Umask(0)
	for _, p := range cfg.Folders {
		if err := os.MkdirAll(p, 0o777); err != nil {
			return err
		}
	}
	// The kernel is silent from here on, but for what is fatal.
	write("/proc/sys/kernel/printk", "1")
	for i, p := range cfg.Programs {
		st, err := run(cfg, p, attr, w)
		if err != nil {
			return err
		}
		// The host takes the last status for the end of all.
		if i == len(cfg.Programs)-1 {
			if err := outputs(cfg, w); err != nil {
				return err
			}
		}
		var buf bytes.Buffer
		binary.Write(&buf, binary.BigEndian, st)
		if err := w.Frame(wire.Exit, buf.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// run runs one program.
func run(cfg *wire.Config, p wire.Program, attr *syscall.SysProcAttr, w *wire.Writer) (st wire.Status, err error) {
	cmd := exec.Command(p.Path, p.Args...)
	cmd.Env, cmd.Dir, cmd.SysProcAttr = cfg.Env, p.Dir, attr
	cmd.Stdout, cmd.Stderr = w.Stream(wire.Stdout), w.Stream(wire.Stderr)
	cmd.WaitDelay = 2 * time.Second // a grandchild may keep the pipes open
	w.Frame(wire.Start, uptime())
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return st, err
	}
	var timedOut atomic.Bool
	timer := time.AfterFunc(cfg.Timeout, func() {
		timedOut.Store(true)
		syscall.Kill(-cmd.Process.Pid, syscall.SIGQUIT)
		time.Sleep(5 * time.Second)
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	})
	err = cmd.Wait()
	timer.Stop()
	st.TimedOut = timedOut.Load()
	st.Millis = uint32(time.Since(begin) / time.Millisecond)
	if cmd.ProcessState == nil {
		return st, err
	}
	ws := cmd.ProcessState.Sys().(syscall.WaitStatus)
	st.Code = int32(ws.ExitStatus())
	if ws.Signaled() {
		st.Signal = int32(ws.Signal())
	}
	return st, nil
}

// outputs sends the files that the host wants back.
func outputs(cfg *wire.Config, w *wire.Writer) error {
	for _, p := range cfg.Outputs {
		err := filepath.WalkDir(p, func(p string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			return w.SendFile(p)
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// cgroup makes the programs' cgroup and returns its folder, opened.
func cgroup(cfg *wire.Config) (*os.File, error) {
	const root = "/sys/fs/cgroup"
	dir := root + "/test"
	var on []string
	if cfg.Cpus != "" || cfg.Mems != "" {
		on = append(on, "+cpuset")
	}
	if cfg.MemoryMax != "" {
		on = append(on, "+memory")
	}
	if err := write(root+"/cgroup.subtree_control", strings.Join(on, " ")); err != nil {
		return nil, err
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, err
	}
	for _, s := range [][2]string{
		{"cpuset.cpus", cfg.Cpus}, {"cpuset.mems", cfg.Mems}, {"memory.max", cfg.MemoryMax},
	} {
		if s[1] == "" {
			continue
		}
		if err := write(dir+"/"+s[0], s[1]); err != nil {
			return nil, err
		}
	}
	return os.Open(dir)
}

// loopback brings lo up.
func loopback() error {
	s, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_DGRAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer syscall.Close(s)
	var req struct {
		name  [syscall.IFNAMSIZ]byte
		flags uint16
		_     [22]byte
	}
	copy(req.name[:], "lo")
	req.flags = syscall.IFF_UP | syscall.IFF_RUNNING
	return ioctl(s, syscall.SIOCSIFFLAGS, uintptr(unsafe.Pointer(&req)))
}

func write(path, s string) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.WriteString(s); err != nil {
		return fmt.Errorf("write %q: %w", s, err)
	}
	return nil
}
