package asm

import (
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/numateam/numateam/topology/topologytest"
)

func TestActiveIsTheBestOrTheNamedOne(t *testing.T) {
	list := Available()
	if list[0] != NoAsm {
		t.Errorf("Available() = %v, wants noasm first", list)
	}
	want := list[len(list)-1]
	for _, isa := range list {
		if isa.String() == os.Getenv("NUMATEAM_ISA") {
			want = isa
		}
	}
	if Active() != want {
		t.Errorf("Active() = %v, want %v of %v", Active(), want, list)
	}
}

func TestEnvironmentNamesTheISA(t *testing.T) {
	list := Available()
	for _, isa := range list {
		if got, remark := choose(isa.String()); got != isa || remark != "" {
			t.Errorf("with NUMATEAM_ISA=%v: %v, %q", isa, got, remark)
		}
	}
	best := list[len(list)-1]
	missing := names[len(names)-1] // on amd64
	if slices.Contains(list, NEON) {
		missing = AVX2.String()
	}
	for _, name := range []string{"", "avx3", "avx 2", missing, "a\nb", strings.Repeat("x", 1000)} {
		got, remark := choose(name)
		if got != best || (remark == "") != (name == "") || strings.Count(remark, "\n") > 1 || len(remark) > 200 {
			t.Errorf("with NUMATEAM_ISA=%q: %v, %q", name, got, remark)
		}
	}
	_, remark := choose("avx3")
	if want := fmt.Sprintf("numateam: NUMATEAM_ISA=\"avx3\" ignored: not one of %v, which this CPU has; running on %v\n", list, best); remark != want {
		t.Errorf("%q, want %q", remark, want)
	}
}

// A process that's told to run on what there isn't says so once, and runs.
func TestStartTellsOfAnUnknownISA(t *testing.T) {
	if topologytest.Emulated() {
		t.Skip("an emulator of user mode runs this")
	}
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), "NUMATEAM_ISA=avx3")
	var errs strings.Builder
	cmd.Stderr = &errs
	if err := cmd.Run(); err != nil {
		if errors.Is(err, errors.ErrUnsupported) {
			topologytest.Missing(t, "the system has no processes: %v", err)
		}
		t.Fatal(err, errs.String())
	}
	if strings.Count(errs.String(), "NUMATEAM_ISA") != 1 {
		t.Errorf("%q", errs.String())
	}
}

func TestUseRestores(t *testing.T) {
	former := Active()
	for _, isa := range Available() {
		restore := Use(isa)
		if Active() != isa {
			t.Errorf("after Use(%v): %v", isa, Active())
		}
		restore()
		if Active() != former {
			t.Errorf("after restoring: %v, want %v", Active(), former)
		}
	}
}

func TestUsePanicsOnAMissingISA(t *testing.T) {
	defer func() {
		if recover() == nil || !slices.Contains(Available(), Active()) {
			t.Error("no panic, or the ISA was changed")
		}
	}()
	for isa := range ISA(len(names)) {
		if !slices.Contains(Available(), isa) {
			Use(isa)
		}
	}
}

func TestISAText(t *testing.T) {
	for isa := range ISA(len(names)) {
		text, _ := isa.MarshalText()
		var back ISA
		if err := back.UnmarshalText(text); err != nil || back != isa {
			t.Errorf("%s read back: %v, %v", text, back, err)
		}
	}
	if new(ISA).UnmarshalText([]byte("mmx")) == nil {
		t.Error("no error for an unknown name")
	}
}

func TestPauseTakesAnyCount(t *testing.T) {
	for _, n := range []int{-1, 0, 1, 1000, math.MaxInt} {
		Pause(n)
	}
	if n := testing.AllocsPerRun(10, func() { Pause(5) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkPause(b *testing.B) {
	for b.Loop() {
		Pause(10)
	}
}
