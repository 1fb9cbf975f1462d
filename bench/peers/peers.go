// Package peers builds and drives the programs that numateam is measured beside: small
// C and C++ sources of our own over libgomp, libomp, oneTBB, OpenBLAS, Halide and
// OpenCV. Nothing here links them: each peer is a process of its own, so ours and
// theirs can take turns within one run, and a machine without any of them loses nothing
// but the comparison.
//
// # Protocol
//
// A peer prints "ready NAME", then answers each request line on its standard input with
// one line on its standard output:
//
//	request:  WORD ARGUMENT...             for instance "saxpy 67108864 5"
//	reply:    SECONDS SECONDS ...          one figure per measurement
//	     or:  error TEXT
//
// It verifies what it computed, and answers an error where that is wrong. It answers
// only once its idle threads have stopped spinning. It ends when its input does. peer.h
// is the peer's end of this.
package peers

import (
	"bufio"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

//go:embed *.h */*.h */*.c */*.cpp
var sources embed.FS

// A Program is a peer that may be built on this machine.
type Program struct {
	Name     string   // what it measures: a library's name
	Source   string   // file below this package's directory
	Compiler []string // compilers to try, in order
	Flags    []string // before the source
	Libs     []string // after the source
	Debian   string   // the packages that hold what it needs on Debian 12
}

var native = []string{"-O3", "-march=native"}

// Programs returns every peer, in the order of the tables.
func Programs() []Program {
	openmp := append([]string{"-fopenmp"}, native...)
	clang := []string{"clang", "clang-14", "clang-15", "clang-16", "clang-17", "clang-18", "clang-19"}
	cxx := []string{"g++", "clang++", "clang++-14"}
	return []Program{
		{Name: "libgomp", Source: "openmp/openmp.c", Compiler: []string{"gcc"}, Flags: openmp, Debian: "gcc"},
		{Name: "libomp", Source: "openmp/openmp.c", Compiler: clang, Flags: append([]string{"-DSTREAMING"}, openmp...), Debian: "clang-14 libomp-14-dev"},
		{Name: "oneTBB", Source: "tbb/tbb.cpp", Compiler: cxx, Flags: append([]string{"-std=c++17"}, native...), Libs: []string{"-ltbb"}, Debian: "g++ libtbb-dev"},
		{Name: "OpenBLAS", Source: "gemm/gemm.c", Compiler: []string{"gcc", "clang"}, Flags: []string{"-O2"}, Libs: []string{"-lopenblas", "-lm"},
			Debian: "gcc libopenblas-pthread-dev"},
		{Name: "Halide", Source: "blur/halide.cpp", Compiler: cxx, Flags: []string{"-O2", "-std=c++17", "-fno-rtti"}, Libs: []string{"-lHalide14"},
			Debian: "g++ libhalide14-0-dev"},
		{Name: "OpenCV", Source: "blur/opencv.cpp", Compiler: cxx, Flags: []string{"-O2", "-std=c++17", "-I/usr/include/opencv4"},
			Libs: []string{"-lopencv_imgproc", "-lopencv_core"}, Debian: "g++ libopencv-core-dev libopencv-imgproc-dev"},
	}
}

// Find returns the program of that name.
func Find(name string) (Program, bool) {
	for _, p := range Programs() {
		if p.Name == name {
			return p, true
		}
	}
	return Program{}, false
}

// Build compiles p into dir and returns the executable's path. The error says what is
// missing and how to get it; it wraps [exec.ErrNotFound] where there is no compiler.
func (p Program) Build(ctx context.Context, dir string) (string, error) {
	if err := unpack(dir); err != nil {
		return "", err
	}
	compiler, err := firstInPath(p.Compiler)
	if err != nil {
		return "", fmt.Errorf("%s: no compiler (%s): apt-get install %s: %w", p.Name, strings.Join(p.Compiler, ", "), p.Debian, err)
	}
	exe := filepath.Join(dir, p.Name)
	args := append([]string{}, p.Flags...)
	args = append(args, "-o", exe, filepath.Join(dir, filepath.FromSlash(p.Source)))
	args = append(args, p.Libs...)
	var stderr strings.Builder
	cmd := exec.CommandContext(ctx, compiler, args...)
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", fmt.Errorf("%s: apt-get install %s: %w: %s", p.Name, p.Debian, err, firstError(stderr.String()))
	}
	return exe, nil
}

func firstInPath(names []string) (string, error) {
	err := error(exec.ErrNotFound)
	for _, name := range names {
		var path string
		if path, err = exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", err
}

// firstError returns the line of a compiler's output that names the fault.
func firstError(output string) string {
	lines := strings.Split(strings.TrimSpace(output), "\n")
	for _, line := range lines {
		if strings.Contains(line, "error") || strings.Contains(line, "cannot find") {
			return line
		}
	}
	return lines[0]
}

func unpack(dir string) error {
	return fs.WalkDir(sources, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := filepath.Join(dir, filepath.FromSlash(path))
		if d.IsDir() {
			return os.MkdirAll(target, 0o777)
		}
		data, err := sources.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(target, data, 0o666)
	})
}

// A Peer is a running program. It isn't safe for concurrent use.
type Peer struct {
	Name    string // as the program says
	cmd     *exec.Cmd
	in      io.WriteCloser
	replies *bufio.Reader
}

// Start runs a peer's executable with env added to this process's environment, until
// Close or the end of ctx. Variables that make OpenBLAS choose another kernel than the
// machine's are left out: each peer runs with what the machine has.
func Start(ctx context.Context, exe string, env ...string) (*Peer, error) {
	cmd := exec.CommandContext(ctx, exe)
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "OPENBLAS_CORETYPE=") || strings.HasPrefix(v, "OPENBLAS_L2_SIZE=")
	})
	cmd.Env = append(cmd.Env, env...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &Peer{cmd: cmd, in: in, replies: bufio.NewReaderSize(out, 1<<16)}
	line, err := p.replies.ReadString('\n')
	name, ok := strings.CutPrefix(strings.TrimSpace(line), "ready ")
	if !ok {
		return nil, errors.Join(fmt.Errorf("peer %s: not ready: %q: %w", filepath.Base(exe), line, err), p.Close())
	}
	p.Name = name
	return p, nil
}

// Run sends one request and returns the seconds of each measurement.
func (p *Peer) Run(request string) ([]float64, error) {
	if _, err := io.WriteString(p.in, request+"\n"); err != nil {
		return nil, fmt.Errorf("peer %s no longer runs: %w", p.Name, err)
	}
	line, err := p.replies.ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("peer %s: no reply to %q: %w", p.Name, request, err)
	}
	if _, text, found := strings.Cut(line, "error "); found {
		return nil, fmt.Errorf("peer %s: %s: %s", p.Name, request, strings.TrimSpace(text))
	}
	var seconds []float64
	for _, word := range strings.Fields(line) {
		s, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return nil, fmt.Errorf("peer %s: reply to %q: %w", p.Name, request, err)
		}
		seconds = append(seconds, s)
	}
	if len(seconds) == 0 {
		return nil, fmt.Errorf("peer %s: empty reply to %q", p.Name, request)
	}
	return seconds, nil
}

// Close ends the program and waits for it.
func (p *Peer) Close() error {
	p.in.Close()
	return p.cmd.Wait()
}
