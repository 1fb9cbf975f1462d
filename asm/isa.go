package asm

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// An ISA is an instruction set that the loops exist for.
type ISA uint8

const (
	NoAsm  ISA = iota // plain Go
	SSE2              // every amd64 CPU
	AVX2              // 256-bit vectors
	AVX512            // 512-bit vectors: the F, BW, DQ and VL extensions
	NEON              // every arm64 CPU
)

var names = [...]string{"noasm", "sse2", "avx2", "avx512", "neon"}

// String returns the ISA's name: noasm, sse2, avx2, avx512 or neon.
func (i ISA) String() string {
	if int(i) < len(names) {
		return names[i]
	}
	return fmt.Sprintf("ISA(%d)", uint8(i))
}

// MarshalText returns the ISA's name. The error is always nil.
func (i ISA) MarshalText() ([]byte, error) { return []byte(i.String()), nil }

// UnmarshalText sets i to the ISA of that name, in any case and with or without a
// colon in front.
func (i *ISA) UnmarshalText(text []byte) error {
	k := slices.Index(names[:], strings.ToLower(strings.TrimPrefix(strings.TrimSpace(string(text)), ":")))
	if k < 0 {
		return fmt.Errorf("asm: unknown instruction set %q (one of %s)", text, strings.Join(names[:], ", "))
	}
	*i = ISA(k)
	return nil
}

// active is what Active returns. Only start-up and Use write it.
var active = start()

func start() ISA {
	i, remark := choose(os.Getenv("NUMATEAM_ISA"))
	if remark != "" {
		os.Stderr.WriteString(remark)
	}
	return i
}

// choose returns the instruction set of that name, if this CPU has it, and the best one
// otherwise, with a line that says so unless the name is empty.
func choose(name string) (i ISA, remark string) {
	list := Available()
	if i.UnmarshalText([]byte(name)) == nil && slices.Contains(list, i) {
		return i, ""
	}
	i = list[len(list)-1]
	if name != "" {
		remark = fmt.Sprintf("numateam: NUMATEAM_ISA=%.40q ignored: not one of %v, which this CPU has; running on %v\n", name, list, i)
	}
	return i, remark
}

// Active returns the instruction set that the loops run on: the best that the CPU has
// and the operating system has enabled, or the one that the environment variable
// NUMATEAM_ISA names. A name that's unknown or that this CPU lacks is ignored, and a line
// on standard error says so at the start. With the build tag noasm it's always NoAsm.
func Active() ISA { return active }

// Available returns the instruction sets that this CPU can run the loops on, the
// best one last. NoAsm is always the first.
func Available() []ISA { return append([]ISA{NoAsm}, available()...) }

// Use makes all loops run on the given instruction set and returns a function
// that goes back to the former one. It's meant for tests, and must not be called
// while a loop runs. It panics if the CPU lacks the instruction set.
func Use(i ISA) (restore func()) {
	if !slices.Contains(Available(), i) {
		panic("asm: instruction set not available")
	}
	former := active
	active = i
	return func() { active = former }
}
