package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"

	"vm/internal/wire"
)

// What an emulator reads and writes are its descriptors from 3 up. Its inputs
// are files that have no name any more, so that nothing is left behind
// whatever happens.
const (
	fdConsole = "/proc/self/fd/3"
	fdPort    = "/proc/self/fd/4"
	fdImage   = "/proc/self/fd/5" // the initramfs, or Bochs's disc
	fdExtra   = "/proc/self/fd/6" // the devicetree, or Bochs's configuration
	fdScript  = "/proc/self/fd/7" // Bochs's commands
)

func boot(o *options, t *topology, m *machine) (int, error) {
	begin := time.Now()
	cfg, err := config(o, t)
	if err != nil {
		return 0, err
	}
	initrd, err := initramfs(o, m, cfg)
	if err != nil {
		return 0, err
	}
	console, consoleW, err := os.Pipe()
	if err != nil {
		return 0, err
	}
	port, portW, err := os.Pipe()
	if err != nil {
		return 0, err
	}
	emulate := qemu
	if t.bochs != "" {
		emulate = bochs
	}
	cmd, files, err := emulate(o, t, m, initrd)
	if err != nil {
		return 0, err
	}
	stderr := &ring{max: 16 << 10}
	cmd.ExtraFiles = append([]*os.File{consoleW, portW}, files...)
	cmd.Stderr = stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if o.verbose {
		note("%s", cmd)
	}
	sigs := make(chan os.Signal, 1)
	signal.Notify(sigs, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	for _, f := range cmd.ExtraFiles {
		f.Close()
	}

	log := &ring{max: 64 << 10}
	logTo := []io.Writer{log}
	if o.verbose {
		logTo = append(logTo, os.Stderr)
	}
	if o.console != "" {
		f, err := os.Create(o.console)
		if err != nil {
			cmd.Process.Kill()
			cmd.Wait()
			return 0, err
		}
		defer f.Close()
		logTo = append(logTo, f)
	}
	var wg sync.WaitGroup
	wg.Go(func() { io.Copy(io.MultiWriter(logTo...), console) })
	res := make(chan result, 1)
	started := make(chan uint32, len(cfg.Programs))
	wg.Go(func() { res <- receive(wire.NewReader(port), cfg, started) })

	// Every wait below ends by itself: the emulator is killed when a limit passes,
	// which ends the frames, and with them the loop.
	limit := time.NewTimer(o.boot)
	booted := false
	var r result
	var why error
	for done := false; !done; {
		select {
		case ms := <-started:
			if o.verbose && !booted {
				note("%d ms to the program by the guest's clock", ms)
			}
			booted = true
			limit.Reset(cfg.Timeout + 30*time.Second)
		case r = <-res:
			done = true
		case <-limit.C:
			if !booted {
				why = fmt.Errorf("the guest did not boot in %v", o.boot)
			} else {
				why = fmt.Errorf("the guest hung: no end %v after the program's time was up", 30*time.Second)
			}
			cmd.Process.Kill()
		case s := <-sigs:
			why = fmt.Errorf("%v", s)
			cmd.Process.Kill()
		}
	}
	kill := time.AfterFunc(15*time.Second, func() { cmd.Process.Kill() })
	werr := cmd.Wait()
	kill.Stop()
	wg.Wait()
	if why == nil {
		why = r.err
	}
	if why != nil {
		msg := fmt.Sprintf("%v (topology %s, emulator: %v)", why, t.name, werr)
		if s := stderr.tail(20); s != "" {
			msg += "\n" + s
		}
		if tail := log.tail(40); tail != "" && !o.verbose {
			msg += "\nthe end of the console:\n" + tail
		}
		return 0, errors.New(msg)
	}
	code := 0
	for i, st := range r.statuses {
		name := filepath.Base(o.programs[i].path)
		if o.verbose {
			note("%s took %d ms", name, st.Millis)
		}
		c := int(st.Code)
		switch {
		case st.TimedOut:
			note("%s was stopped after %v", name, cfg.Timeout)
			c = exitTimeout
		case st.Signal != 0:
			note("%s was killed: %v", name, syscall.Signal(st.Signal))
			c = 128 + int(st.Signal)
		}
		if code == 0 {
			code = c
		}
	}
	if o.verbose {
		note("all took %d ms; %d MiB", time.Since(begin).Milliseconds(), cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss>>10)
	}
	return code, nil
}

type result struct {
	statuses []wire.Status // of each program
	err      error
}

// receive handles the guest's frames until the last.
func receive(r *wire.Reader, cfg *wire.Config, started chan<- uint32) (res result) {
	seen := map[string]bool{}
	for {
		k, p, err := r.Frame()
		if err == io.EOF {
			err = errors.New("the guest ended before its programs did")
		}
		if err != nil {
			res.err = err
			return res
		}
		switch k {
		case wire.Hello:
		case wire.Start:
			started <- binary.BigEndian.Uint32(p)
		case wire.Stdout:
			os.Stdout.Write(p)
		case wire.Stderr:
			os.Stderr.Write(p)
		case wire.File:
			name, data, _ := bytes.Cut(p, []byte{0})
			if err := store(string(name), data, cfg.Outputs, seen); err != nil {
				res.err = err
				return res
			}
		case wire.Error:
			res.err = fmt.Errorf("in the guest: %s", p)
			return res
		case wire.Exit:
			var st wire.Status
			res.err = binary.Read(bytes.NewReader(p), binary.BigEndian, &st)
			res.statuses = append(res.statuses, st)
			if res.err != nil || len(res.statuses) == len(cfg.Programs) {
				return res
			}
		}
	}
}

// store writes a piece of an output file, and refuses what was not asked for.
func store(name string, data []byte, outputs []string, seen map[string]bool) error {
	ok := false
	for _, p := range outputs {
		ok = ok || name == p || strings.HasPrefix(name, p+"/") && filepath.Clean(name) == name
	}
	if !ok {
		return fmt.Errorf("the guest sent %q unasked", name)
	}
	mode := os.O_CREATE | os.O_WRONLY | os.O_APPEND
	if !seen[name] {
		seen[name] = true
		mode |= os.O_TRUNC
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(name, mode, 0o644)
	if err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

var (
	fileFlag    = regexp.MustCompile(`^--?test\.(coverprofile|cpuprofile|memprofile|blockprofile|mutexprofile|trace|gocoverdir)=(.+)$`)
	logFlag     = regexp.MustCompile(`^--?test\.testlogfile=`)
	outdirFlag  = regexp.MustCompile(`^--?test\.outputdir=(.*)$`)
	timeoutFlag = regexp.MustCompile(`^--?test\.timeout=(.*)$`)
)

// config turns the command line into init's configuration.
func config(o *options, t *topology) (*wire.Config, error) {
	cfg := &wire.Config{
		Port: "/dev/ttyS1", UID: t.uid, Now: time.Now(), Timeout: o.timeout,
		Offline: t.offline, Cpus: t.cpus, Mems: t.mems, MemoryMax: t.memoryMax,
	}
	if o.arch == "arm64" {
		cfg.Port = "/dev/ttyS0" // the console is ttyAMA0
	}
	if o.uid >= 0 {
		cfg.UID = o.uid
	}
	limit := 10 * time.Minute
	for i, p := range o.programs {
		dir := "."
		if o.ownDir {
			dir = filepath.Dir(p.path)
		}
		dir, err := filepath.Abs(dir)
		if err != nil {
			return nil, err
		}
		args, timeout := arguments(cfg, p.args, dir)
		if timeout > 0 {
			limit = timeout + 30*time.Second // it stops itself first
		}
		cfg.Programs = append(cfg.Programs, wire.Program{
			Path: fmt.Sprintf("/vm/%d/%s", i, filepath.Base(p.path)), Args: args, Dir: dir,
		})
		cfg.Folders = append(cfg.Folders, dir)
	}
	if cfg.Timeout <= 0 {
		cfg.Timeout = limit
	}
	cfg.Env = []string{"PATH=/bin", "HOME=/tmp", "TMPDIR=/tmp", "USER=root", "VM_TOPOLOGY=" + t.name}
	for _, k := range []string{"GODEBUG", "GOGC", "GOMAXPROCS", "GOMEMLIMIT", "GOTRACEBACK"} {
		if v, ok := os.LookupEnv(k); ok {
			cfg.Env = append(cfg.Env, k+"="+v)
		}
	}
	for _, e := range append(t.env[:len(t.env):len(t.env)], o.env...) {
		if !strings.Contains(e, "=") {
			v, ok := os.LookupEnv(e)
			if !ok {
				continue
			}
			e += "=" + v
		}
		cfg.Env = append(cfg.Env, e)
	}
	return cfg, nil
}

// arguments returns the arguments of a program that runs in dir as they are to be
// in the guest, and its -test.timeout. It adds the files that they name to cfg.
func arguments(cfg *wire.Config, args []string, dir string) (out []string, timeout time.Duration) {
	outdir := dir
	for _, a := range args {
		if m := outdirFlag.FindStringSubmatch(a); m != nil && m[1] != "" {
			outdir = m[1]
		}
	}
	for _, a := range args {
		if logFlag.MatchString(a) {
			// The go command would take the log as leave to cache the result,
			// which is not the host's.
			continue
		}
		if m := fileFlag.FindStringSubmatch(a); m != nil {
			p := m[2]
			if !filepath.IsAbs(p) {
				p = filepath.Join(outdir, p)
			}
			cfg.Outputs = append(cfg.Outputs, p)
			if m[1] != "gocoverdir" {
				cfg.Folders = append(cfg.Folders, filepath.Dir(p))
			} else {
				cfg.Folders = append(cfg.Folders, p)
			}
			a = "-test." + m[1] + "=" + p
		}
		if m := timeoutFlag.FindStringSubmatch(a); m != nil {
			timeout, _ = time.ParseDuration(m[1])
		}
		out = append(out, a)
	}
	return out, timeout
}

// initramfs returns the guest's files, as a nameless file.
func initramfs(o *options, m *machine, cfg *wire.Config) (*os.File, error) {
	conf, err := json.Marshal(cfg)
	if err != nil {
		return nil, err
	}
	return nameless(func(w io.Writer) error {
		a := newArchive(w)
		a.device("/dev/console", 5, 1)
		a.device("/dev/null", 1, 3) // Go programs need it from the start
		a.file("/init", m.init)
		a.bytes(wire.ConfigPath, 0o644, conf)
		for i, p := range cfg.Programs {
			a.file(p.Path, o.programs[i].path)
			if td := filepath.Join(p.Dir, "testdata"); exists(td) {
				if err := a.tree(td); err != nil {
					return err
				}
			}
		}
		for _, p := range o.add {
			p, err := filepath.Abs(p)
			if err != nil {
				return err
			}
			if err := a.tree(p); err != nil {
				return err
			}
		}
		if a.n > 128<<20 {
			return fmt.Errorf("%d MiB of files for the guest: too many", a.n>>20)
		}
		return a.close()
	})
}

func nameless(write func(io.Writer) error) (*os.File, error) {
	f, err := os.CreateTemp("", "vm-")
	if err != nil {
		return nil, err
	}
	os.Remove(f.Name())
	if err := write(f); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// ring keeps the end of what is written to it.
type ring struct {
	b   []byte
	max int
}

func (r *ring) Write(p []byte) (int, error) {
	r.b = append(r.b, p...)
	if len(r.b) > 2*r.max {
		r.b = append([]byte(nil), r.b[len(r.b)-r.max:]...)
	}
	return len(p), nil
}

func (r *ring) tail(lines int) string {
	l := strings.Split(strings.TrimSpace(string(r.b)), "\n")
	return strings.Join(l[max(0, len(l)-lines):], "\n")
}
