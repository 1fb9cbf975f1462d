package asm

import (
	"math"
	"os"
	"slices"
	"testing"
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
		t.Setenv("NUMATEAM_ISA", isa.String())
		if got := choose(); got != isa {
			t.Errorf("with NUMATEAM_ISA=%v: %v", isa, got)
		}
	}
	for _, name := range []string{"", "avx3", "avx 2"} {
		t.Setenv("NUMATEAM_ISA", name)
		if got := choose(); got != list[len(list)-1] {
			t.Errorf("with NUMATEAM_ISA=%q: %v", name, got)
		}
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
