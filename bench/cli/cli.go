// Package cli is what the repository's commands have in common: exit codes, flag
// errors in one line, whole numbers as 1e8, a clean end on an interrupt, no lost output.
package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
)

// Exit codes of every command.
const (
	Failed      = 1 // a bad file or a failed run
	BadUsage    = 2
	Interrupted = 130 // as a shell reports a program that SIGINT ended
)

// A UsageError is a mistake in the arguments.
type UsageError struct{ Err error }

func (e UsageError) Error() string { return e.Err.Error() }
func (e UsageError) Unwrap() error { return e.Err }

// Usagef makes a UsageError.
func Usagef(format string, args ...any) error { return UsageError{fmt.Errorf(format, args...)} }

// IO is where a command writes: results to Out, remarks to Err.
type IO struct{ Out, Err io.Writer }

// Main runs a command with the process's arguments and ends the process. The
// context that run gets ends with the first SIGINT or SIGTERM; a second one ends
// the process at once.
func Main(name string, run func(ctx context.Context, args []string, o IO) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	out := &output{w: os.Stdout}
	err := run(ctx, os.Args[1:], IO{out, os.Stderr})
	if out.err != nil && (err == nil || errors.Is(err, flag.ErrHelp)) {
		err = out.err
	}
	os.Exit(Exit(name, err, os.Stderr))
}

// An output remembers the first error of its writer: who prints a line mostly
// doesn't look.
type output struct {
	w   io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// Exit writes err in one line, if it's one, and returns the exit code.
func Exit(name string, err error, w io.Writer) int {
	var usage UsageError
	switch {
	case err == nil || errors.Is(err, flag.ErrHelp):
		return 0
	case errors.Is(err, context.Canceled):
		fmt.Fprintf(w, "%s: interrupted\n", name)
		return Interrupted
	case errors.As(err, &usage):
		fmt.Fprintf(w, "%s: %v (-h explains)\n", name, err)
		return BadUsage
	}
	fmt.Fprintf(w, "%s: %v\n", name, err)
	return Failed
}

// Parse parses flags, and refuses other arguments. Flags for whole numbers take 1e8
// for 100000000. Help goes to o.Out, and returns flag.ErrHelp.
func Parse(f *flag.FlagSet, args []string, o IO, about string) error {
	rest, err := ParseArgs(f, args, o, about)
	if err == nil && len(rest) > 0 {
		return Usagef("unexpected argument %q", rest[0])
	}
	return err
}

// ParseArgs is Parse for a command that takes arguments after its flags.
func ParseArgs(f *flag.FlagSet, args []string, o IO, about string) ([]string, error) {
	f.SetOutput(io.Discard)
	f.Usage = func() {}
	err := parse(f, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprintf(o.Out, "%s\n\n", about)
		f.SetOutput(o.Out)
		f.PrintDefaults()
		return nil, err
	case err != nil:
		return nil, UsageError{err}
	}
	return f.Args(), nil
}

// parse parses flags, with those for whole numbers in a wrapper meanwhile.
func parse(f *flag.FlagSet, args []string) error {
	f.VisitAll(func(one *flag.Flag) {
		if g, ok := one.Value.(flag.Getter); ok {
			if _, ok := g.Get().(int); ok {
				one.Value = whole{one.Value}
			}
		}
	})
	defer f.VisitAll(func(one *flag.Flag) {
		if w, ok := one.Value.(whole); ok {
			one.Value = w.Value // whose type PrintDefaults knows
		}
	})
	return f.Parse(args)
}

// whole is the value of a flag for whole numbers, which may be written as floats.
type whole struct{ flag.Value }

func (w whole) Set(text string) error {
	// Beyond 2^53 floats leave out whole numbers.
	if v, err := strconv.ParseFloat(text, 64); err == nil && v == math.Trunc(v) && math.Abs(v) < 1<<53 && strings.ContainsAny(text, "eE.") {
		text = strconv.FormatFloat(v, 'f', 0, 64)
	}
	return w.Value.Set(text)
}

// WriteFile creates a file and has write fill it. If that fails, what there is of the file
// is removed, unless it is a link or, for root, a device.
func WriteFile(name string, write func(w io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := errors.Join(write(f), f.Close()); err != nil {
		if info, e := os.Lstat(name); e == nil && info.Mode().IsRegular() {
			os.Remove(name)
		}
		return err
	}
	return nil
}
