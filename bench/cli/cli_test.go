package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestExit(t *testing.T) {
	for _, c := range []struct {
		err  error
		code int
		line string
	}{
		{nil, 0, ""},
		{flag.ErrHelp, 0, ""},
		{Usagef("bad -n"), 2, "cmd: bad -n (-h explains)\n"},
		{errors.New("no file"), 1, "cmd: no file\n"},
		{errors.New("cmd: no file"), 1, "cmd: no file\n"}, // of the package of that name
		{fmt.Errorf("run: %w", context.Canceled), 130, "cmd: interrupted\n"},
	} {
		var b strings.Builder
		if code := Exit("cmd", c.err, &b); code != c.code || b.String() != c.line {
			t.Errorf("%v: %d %q, want %d %q", c.err, code, b.String(), c.code, c.line)
		}
	}
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		args string
		want string // part of the error
		help bool
	}{
		{"-n 3", "", false},
		{"-n 1e3", "", false},
		{"-n 0x1e3", "", false},
		{"-n x", `invalid value "x" for flag -n: not a whole number`, false},
		{"-n 1.5", "not a whole number", false},
		{"-n nan", "not a whole number", false},
		{"-n 1e16", "only digits", false},
		{"-n 1e30", fmt.Sprintf("not from %d to %d", math.MinInt, math.MaxInt), false},
		{"-n -1e400", fmt.Sprintf("not from %d to %d", math.MinInt, math.MaxInt), false},
		{"-n 99999999999999999999", "not from", false},
		{"-x 1e400", "not a number", false},
		{"-x one", "not a number", false},
		{"-x 1e-3", "", false},
		{"-d 3", "not a time with its unit", false},
		{"-d 3s", "", false},
		{"-m 3", "not defined", false},
		{"-n 3 more", `unexpected argument "more"`, false},
		{"-h", "help requested", true},
	} {
		f := flag.NewFlagSet("cmd", flag.ContinueOnError)
		f.Int("n", 1, "how many")
		f.Float64("x", 1, "how much")
		f.Duration("d", 0, "how long")
		var out strings.Builder
		err := Parse(f, strings.Fields(c.args), IO{Out: &out}, "About it.")
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.args, err)
		}
		var usage UsageError
		if err != nil && !c.help && (!errors.As(err, &usage) || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%s: %v: want a usage error of one line", c.args, err)
		}
		if c.help != strings.Contains(out.String(), "-n int\n    \thow many") || c.help != strings.Contains(out.String(), "-d duration\n") {
			t.Errorf("%s: help %q", c.args, out.String())
		}
	}
}

func TestWholeNumbers(t *testing.T) {
	for text, want := range map[string]int{"7": 7, "-3": -3, "1e8": 100_000_000, "2.5E3": 2500, "4.": 4, "0x1e3": 0x1e3, "1_000": 1000} {
		f := flag.NewFlagSet("cmd", flag.ContinueOnError)
		n := f.Int("n", 1, "")
		if err := Parse(f, []string{"-n", text}, IO{}, ""); err != nil || *n != want {
			t.Errorf("%s: %d, %v, want %d", text, *n, err, want)
		}
	}
}

// full is a writer with room for so many bytes.
type full int

func (f *full) Write(p []byte) (int, error) {
	if *f -= full(len(p)); *f < 0 {
		return 0, errors.New("no room")
	}
	return len(p), nil
}

func TestOutputRemembersTheFirstError(t *testing.T) {
	room := full(10)
	o := &output{w: &room}
	if fmt.Fprint(o, "ten bytes."); o.err != nil {
		t.Error(o.err)
	}
	if fmt.Fprint(o, "more"); o.err == nil || o.err.Error() != "no room" {
		t.Error(o.err)
	}
}

func TestWritable(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(in("there"), []byte("kept"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("nothing", in("link")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"new": true, "there": true, "link": true, "": false, "there/new": false, "missing/new": false} {
		if err := Writable(in(name)); (err == nil) != want {
			t.Errorf("%q: %v", name, err)
		}
	}
	if err := Writable(os.DevNull); err != nil {
		t.Error(err)
	}
	if err := os.Chmod(in("there"), 0o444); err != nil {
		t.Fatal(err)
	}
	if err := Writable(in("there")); err == nil && os.Getuid() != 0 {
		t.Error("a file that may only be read")
	}
	names, err := os.ReadDir(dir)
	if text, e := os.ReadFile(in("there")); err != nil || e != nil || len(names) != 2 || string(text) != "kept" {
		t.Errorf("%v %v: %v, %q", err, e, names, text)
	}
}
