package main

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/numateam/numateam/bench/cli"
)

func TestRun(t *testing.T) {
	var out strings.Builder
	if err := run(t.Context(), []string{"-rows=300", "-cols=80", "-n=120", "-steps=5", "-workers=2"}, cli.IO{Out: &out}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"gonum ", "team of 2 ", "largest difference: fit "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in:\n%s", want, &out)
		}
	}
}

func TestBadFlags(t *testing.T) {
	for _, args := range [][]string{{"-rows=1", "-cols=2"}, {"-placement=moon"}, {"-steps=0"}, {"-workers=-1"}, {"extra"}} {
		var usage cli.UsageError
		if err := run(t.Context(), args, cli.IO{Out: new(strings.Builder)}); !errors.As(err, &usage) {
			t.Errorf("%v: %v", args, err)
		}
	}
}

// The same problem with either BLAS gives the same answer but for rounding.
func TestSameAnswer(t *testing.T) {
	var out strings.Builder
	if err := run(t.Context(), []string{"-rows=500", "-cols=120", "-n=200", "-steps=3", "-workers=3"}, cli.IO{Out: &out}); err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(out.String(), "\n") {
		if rest, ok := strings.CutPrefix(line, "largest difference: fit "); ok {
			fit, eigenvalue, _ := strings.Cut(rest, ", eigenvalue ")
			if !(number(t, fit) < 1e-12) || !(number(t, eigenvalue) < 1e-8) {
				t.Error(line)
			}
			return
		}
	}
	t.Error("no line with the difference")
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
