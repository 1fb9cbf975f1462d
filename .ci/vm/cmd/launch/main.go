// Command launch runs static linux binaries in a QEMU guest whose NUMA nodes,
// CPUs and caches a topology file describes, passes their output through, and
// exits with their status. The script run builds and starts it.
package main

import (
	"debug/elf"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// exitRig is the exit status for what is not the program's doing, and
// exitTimeout that for a program that ran too long.
const (
	exitTimeout = 124
	exitRig     = 125
)

type options struct {
	vm       string // the folder of run
	cache    string
	stamp    string // names this version of the sources
	arch     string
	topology string
	cpu      string
	timeout  time.Duration
	boot     time.Duration
	uid      int
	env      listFlag
	add      listFlag
	console  string
	verbose  bool
	parallel bool
	prepare  bool
	list     bool
	ownDir   bool
	programs []program
}

// program is a program of the host, with its arguments.
type program struct {
	path string
	args []string
}

type listFlag []string

func (l *listFlag) String() string     { return strings.Join(*l, " ") }
func (l *listFlag) Set(s string) error { *l = append(*l, s); return nil }

func main() {
	// QEMU is told to die with the thread that started it.
	runtime.LockOSThread()
	o, err := parse(os.Args[1:])
	if err == nil {
		var code int
		if code, err = run(o); err == nil {
			os.Exit(code)
		}
	}
	if !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "vm:", err)
	}
	os.Exit(exitRig)
}

func parse(args []string) (*options, error) {
	o := &options{vm: os.Getenv("VM_HOME"), cache: os.Getenv("VM_CACHE"), stamp: os.Getenv("VM_STAMP")}
	if o.vm == "" || o.cache == "" || o.stamp == "" {
		return nil, errors.New("start this with run")
	}
	fs := flag.NewFlagSet("run", flag.ContinueOnError)
	fs.Usage = func() {
		fmt.Fprintln(fs.Output(), "usage: run [flags] PROGRAM [ARG...] [-- PROGRAM [ARG...]]...")
		fs.PrintDefaults()
	}
	fs.StringVar(&o.arch, "arch", "", "amd64 or arm64 (default: the program's)")
	fs.StringVar(&o.topology, "topology", "numa2", "a `name` that --list shows, or a topology file")
	fs.StringVar(&o.cpu, "cpu", "", "CPU `model` of QEMU or Bochs (default: the topology's, or max)")
	fs.DurationVar(&o.timeout, "timeout", 0, "stop the program after this long (default: 30s past its -test.timeout, or 10m)")
	fs.DurationVar(&o.boot, "boot-timeout", 3*time.Minute, "give up on a guest that has not booted by then")
	fs.IntVar(&o.uid, "uid", -1, "run the program as this user `id`; -1 for the topology's, or 0")
	fs.Var(&o.env, "env", "`NAME` or NAME=VALUE to set for the program; repeatable")
	fs.Var(&o.add, "add", "host `path`, file or folder, to copy to the same place in the guest; repeatable")
	fs.StringVar(&o.console, "console", "", "save the guest's console to this `file`")
	fs.BoolVar(&o.parallel, "parallel", false, "give each of the guest's CPUs a host thread, instead of one thread to all in turn")
	fs.BoolVar(&o.ownDir, "own-dir", false, "run each program in the folder that it lies in, not in the current one")
	fs.BoolVar(&o.verbose, "v", false, "show the guest's console, QEMU's command and timings on standard error")
	fs.BoolVar(&o.prepare, "prepare", false, "only fetch and build what a run with this --arch and --topology needs")
	fs.BoolVar(&o.list, "list", false, "list the named topologies")
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	if o.list {
		return o, nil
	}
	if o.prepare {
		if o.arch == "" {
			o.arch = runtime.GOARCH
		}
		return o, nil
	}
	if fs.NArg() == 0 {
		fs.Usage()
		return nil, flag.ErrHelp
	}
	for rest := fs.Args(); len(rest) > 0; {
		words := rest
		if rest = nil; slices.Contains(words, "--") {
			i := slices.Index(words, "--")
			words, rest = words[:i], words[i+1:]
		}
		if len(words) == 0 {
			return nil, errors.New("-- without a program before it")
		}
		arch, err := binaryArch(words[0])
		if err != nil {
			return nil, err
		}
		if o.arch != "" && o.arch != arch {
			return nil, fmt.Errorf("%s is for %s, not %s", words[0], arch, o.arch)
		}
		o.arch = arch
		o.programs = append(o.programs, program{words[0], words[1:]})
	}
	return o, nil
}

// binaryArch returns the architecture of a static linux binary.
func binaryArch(path string) (string, error) {
	f, err := elf.Open(path)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			return "", fmt.Errorf("%s is not static: build it with CGO_ENABLED=0", path)
		}
	}
	switch f.Machine {
	case elf.EM_X86_64:
		return "amd64", nil
	case elf.EM_AARCH64:
		return "arm64", nil
	}
	return "", fmt.Errorf("%s: no guest for %v", path, f.Machine)
}

func run(o *options) (int, error) {
	if o.list {
		l, err := filepath.Glob(filepath.Join(o.vm, "topologies", "*.topo"))
		for _, f := range l {
			fmt.Println(strings.TrimSuffix(filepath.Base(f), ".topo"))
		}
		return 0, err
	}
	name, file := o.topology, filepath.Join(o.vm, "topologies", o.topology+".topo")
	if strings.ContainsRune(name, '/') || strings.HasSuffix(name, ".topo") {
		name, file = strings.TrimSuffix(filepath.Base(name), ".topo"), name
	}
	t, err := readTopology(name, file)
	if err != nil {
		return 0, err
	}
	if t.arch != "" && t.arch != o.arch {
		return 0, fmt.Errorf("topology %s is for %s, not %s", name, t.arch, o.arch)
	}
	m, err := prepare(o, t)
	if err != nil || o.prepare {
		return 0, err
	}
	return boot(o, t, m)
}
