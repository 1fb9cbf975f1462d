package bench

import (
	"encoding"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/numateam/numateam/asm"
	"github.com/numateam/numateam/kernels"
	"github.com/numateam/numateam/numa"
	"github.com/numateam/numateam/team"
)

// TestNames holds the rule for the text of every option: one word in lower case, read
// back in any case, with space around it and a colon in front. What isn't one of the
// constants has a text too, which can't be read, and an unknown word is an error that
// names the ones there are.
func TestNames(t *testing.T) {
	for _, values := range [][]fmt.Stringer{
		{asm.NoAsm, asm.SSE2, asm.AVX2, asm.AVX512, asm.NEON, asm.ISA(99)},
		{numa.HugeAuto, numa.HugeNever, numa.HugeExplicit, numa.HugePages(99)},
		{numa.FirstTouch(), numa.Preferred(3)},
		{team.Cores, team.NUMA, team.Threads, team.Unpinned, team.Placement(99)},
		{team.Schedule(0), team.Static, team.Steal, team.Auto, team.Schedule(99)},
		{kernels.Valid, kernels.Replicate, kernels.Reflect101, kernels.Constant, kernels.ConstantValue(-2.5)},
	} {
		kind := reflect.TypeOf(values[0])
		read := func(text string) (any, error) {
			v := reflect.New(kind)
			err := v.Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(text))
			return v.Elem().Interface(), err
		}
		for _, v := range values {
			name := v.String()
			if text, err := v.(encoding.TextMarshaler).MarshalText(); err != nil || string(text) != name {
				t.Errorf("%v %q marshals to %q, %v", kind, name, text, err)
			}
			if strings.Contains(name, "99") {
				if back, err := read(name); err == nil || name != kind.Name()+"(99)" {
					t.Errorf("%v 99 is %q, which reads as %v", kind, name, back)
				}
				continue
			}
			if name != strings.ToLower(name) {
				t.Errorf("%v %q isn't in lower case", kind, name)
			}
			for _, text := range []string{name, ":" + name, strings.ToUpper(name), " :" + strings.ToUpper(name) + "\n"} {
				if back, err := read(text); err != nil || !reflect.DeepEqual(back, any(v)) {
					t.Errorf("%v %q reads as %v, %v", kind, text, back, err)
				}
			}
		}
		word := strings.TrimSuffix(values[1].String(), ":3")
		for _, text := range []string{"", "cheese", "::" + word} {
			if back, err := read(text); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%q", text)) || !strings.Contains(err.Error(), word) {
				t.Errorf("%v %q reads as %v, %v", kind, text, back, err)
			}
		}
	}
}
