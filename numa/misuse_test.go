package numa_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/numateam/numateam/numa"
	"github.com/numateam/numateam/topology"
)

// What the documentation calls misuse panics with a text that says what is wrong.
func TestPanicTexts(t *testing.T) {
	a, err := numa.Alloc[int8](4, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	gone, err := numa.Alloc[int8](4, nil)
	if err != nil {
		t.Fatal(err)
	}
	gone.Close()
	five := numa.ByParts([]numa.Part{{End: 5}})
	for want, f := range map[string]func(){
		"numa: Preferred: negative node":             func() { numa.Preferred(-1) },
		"numa: ByParts: the parts' ends descend":     func() { numa.ByParts([]numa.Part{{End: 5}, {End: 4}}) },
		"numa: Alloc: negative length":               func() { numa.Alloc[int8](-1, nil) },
		"numa: Alloc: a part ends after the array":   func() { numa.Alloc[int8](4, &numa.Options{Policy: five}) },
		"numa: Migrate: a part ends after the array": func() { a.Migrate(five) },
		"numa: Pages: every is less than 1":          func() { numa.Pages(a.Slice(), 0, func(int, int) {}) },
		"numa: Outcome of a closed array":            func() { gone.Outcome() },
		"numa: Residency of a closed array":          func() { gone.Residency() },
		"numa: Migrate of a closed array":            func() { gone.Migrate(numa.FirstTouch()) },
		"numa: Collapse of a closed array":           func() { gone.Collapse() },
	} {
		func() {
			defer func() {
				if got := recover(); got != want {
					t.Errorf("panic %v, want %q", got, want)
				}
			}()
			f()
		}()
	}
}

// Errors say what failed, why, and what was done instead: nothing, where strictness
// was asked for.
func TestErrorTexts(t *testing.T) {
	far, err := topology.Parse("node:2 core:2")
	if err != nil {
		t.Fatal(err)
	}
	alloc := func(n int, o numa.Options) (outcome, err error) {
		a, err := numa.Alloc[float64](n, &o)
		if err != nil {
			return nil, err
		}
		defer a.Close()
		return a.Outcome().Err, nil
	}
	strict := func(o numa.Options) error {
		o.Strict = true
		_, err := alloc(100, o)
		return err
	}
	lenient := func(o numa.Options) error {
		outcome, err := alloc(100, o)
		if err != nil {
			t.Error(err)
		}
		return outcome
	}
	_, tooMany := alloc(math.MaxInt, numa.Options{})
	_, tooLarge := alloc(math.MaxInt/8, numa.Options{})
	notLive := numa.Options{Policy: numa.Preferred(1), Machine: far}
	for _, c := range []struct {
		err  error
		is   error
		want []string // in this order
	}{
		{tooMany, numa.ErrNoMemory, []string{"numa: mmap: not enough memory (", " elements of 8 bytes are more than the address space)"}},
		{tooLarge, numa.ErrNoMemory, []string{"numa: mmap: ", " bytes are more than the machine or a limit of the process allows)"}},
		{strict(notLive), numa.ErrNotLive, []string{"numa: placing for preferred:1: unsupported operation: the topology is not this machine's"}},
		{lenient(notLive), errors.ErrUnsupported, []string{"the topology is not this machine's; instead, each page goes to the node of the CPU that touches it first"}},
		{new(numa.Policy).UnmarshalText([]byte("bind:x")), nil, []string{`numa: bad policy "bind:x": topology: bad list "x"`}},
		{new(numa.Policy).UnmarshalText([]byte("near")), nil, []string{`numa: `, `policy "near"`, `first-touch, bind:NODES, preferred:NODE, interleave or interleave:NODES`}},
		{new(numa.HugePages).UnmarshalText([]byte("large")), nil, []string{`numa: `, `huge pages "large"`, `auto, never`, `explicit`}},
	} {
		checkText(t, c.err, c.is, c.want)
	}
	if numa.Support().Place != nil {
		t.Logf("policies can't be set: %v", numa.Support().Place) // TestRefused looks at that
		return
	}
	const why = "numa: choosing nodes for preferred:200: node has no memory for this process (nodes with memory that it may use: "
	checkText(t, strict(numa.Options{Policy: numa.Preferred(200)}), numa.ErrNode, []string{why})
	checkText(t, lenient(numa.Options{Policy: numa.Preferred(200)}), numa.ErrNode, []string{why, "; instead, node ", " is used"})
	for _, isStrict := range []bool{false, true} {
		a, err := numa.Alloc[float64](100, &numa.Options{Strict: isStrict})
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		if isStrict {
			checkText(t, a.Migrate(numa.Preferred(200)), numa.ErrNode, []string{why, "; instead, the array stays as it was"})
		}
		checkText(t, a.Migrate(numa.Interleave(topology.SetOf(200))), numa.ErrNode, []string{"numa: choosing nodes for interleave:200: ", "; instead, the array stays as it was"})
	}
	if numa.Support().Reserved == 0 {
		const explicit = " (they have to be set aside with vm.nr_hugepages)"
		checkText(t, strict(numa.Options{Huge: numa.HugeExplicit}), nil, []string{"numa: mmap of explicit huge pages: ", explicit})
		checkText(t, lenient(numa.Options{Huge: numa.HugeExplicit}), nil, []string{explicit, "; instead, normal pages, with the advice to use transparent huge ones"})
	}
}

// checkText checks an error's text, one line, and what it is. What must come last in
// it does.
func checkText(t *testing.T, err, is error, want []string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error, want %q", want)
		return
	}
	text := err.Error()
	rest := text
	for _, part := range want {
		_, after, ok := strings.Cut(rest, part)
		if !ok {
			t.Errorf("%q lacks %q", text, part)
		}
		rest = after
	}
	if strings.Contains(text, "\n") || is != nil && !errors.Is(err, is) {
		t.Errorf("%q is not one line, or not %v", text, is)
	}
	if strings.Contains(rest, "instead") {
		t.Errorf("%q: nothing is done instead", text)
	}
}
