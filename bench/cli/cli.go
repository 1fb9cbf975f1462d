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
	"time"
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
	// A package of the command's name has said it already.
	fmt.Fprintf(w, "%s: %s\n", name, strings.TrimPrefix(err.Error(), name+": "))
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

// parse parses flags, with those for numbers and times in wrappers meanwhile.
func parse(f *flag.FlagSet, args []string) error {
	f.VisitAll(func(one *flag.Flag) {
		if g, ok := one.Value.(flag.Getter); ok {
			switch g.Get().(type) {
			case int:
				one.Value = whole{one.Value}
			case float64:
				one.Value = told{one.Value, "not a number, such as 0.5 or 1e-3"}
			case time.Duration:
				one.Value = told{one.Value, "not a time with its unit, such as 1.5s or 20ms"}
			}
		}
	})
	defer f.VisitAll(func(one *flag.Flag) {
		switch v := one.Value.(type) { // whose type PrintDefaults knows
		case whole:
			one.Value = v.Value
		case told:
			one.Value = v.Value
		}
	})
	return f.Parse(args)
}

// told is the value of a flag whose error tells what is wrong: package flag's says that
// there is one.
type told struct {
	flag.Value
	wrong string
}

func (v told) Set(text string) error {
	if v.Value.Set(text) != nil {
		return errors.New(v.wrong)
	}
	return nil
}

// whole is the value of a flag for whole numbers, which may be written as floats.
type whole struct{ flag.Value }

func (w whole) Set(text string) error {
	v, err := strconv.ParseFloat(text, 64)
	number := err == nil || errors.Is(err, strconv.ErrRange) // which leaves an infinity
	// Beyond 2^53 floats leave out whole numbers.
	if number && v == math.Trunc(v) && math.Abs(v) < 1<<53 && strings.ContainsAny(text, "eE.") {
		text = strconv.FormatFloat(v, 'f', 0, 64)
	}
	switch err := w.Value.Set(text); {
	case err == nil:
		return nil
	case number && math.Abs(v) >= -math.MinInt:
		return fmt.Errorf("not from %d to %d", math.MinInt, math.MaxInt)
	case number && math.Abs(v) >= 1<<53:
		return errors.New("from 2^53 on only digits will do")
	}
	return errors.New("not a whole number, such as 1000 or 1e3")
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

// Writable tells why [WriteFile] couldn't write a file, as far as that shows before it's
// tried: whoever mistypes a name learns so before the work, not after it. A file that is
// there stays as it is, and none is left that wasn't.
func Writable(name string) error {
	info, err := os.Stat(name)
	there := err == nil
	if there && !info.IsDir() && !info.Mode().IsRegular() {
		return nil // to open a pipe would wait, or end its reader
	}
	if !there {
		if _, err := os.Lstat(name); err == nil {
			return nil // a link to a file that isn't there yet
		}
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil || there {
		return err
	}
	return os.Remove(name)
}
