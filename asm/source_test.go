package asm

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/numateam/numateam/topology/topologytest"
	"golang.org/x/arch/arm64/arm64asm"
)

// sources returns the names of the files below this directory that end in suffix.
func sources(t *testing.T, suffix string) []string {
	var list []string
	err := fs.WalkDir(os.DirFS("."), ".", func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, suffix) {
			list = append(list, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func text(t *testing.T, file string) string {
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// The files of f64 are those of f32, with another type and the names of type_*.h.
func TestFloat64IsWrittenAsFloat32(t *testing.T) {
	widen := strings.NewReplacer("[32]float32", "[16]float64", "float32", "float64", "f32", "f64")
	files := []string{"blocks.go", "dispatch_amd64.go", "dispatch_arm64.go", "dispatch_noasm.go", "f32_test.go",
		"gemm.go", "gemm_noasm.go", "gemm_ref.go", "gemm_test.go",
		"gemv.go", "gemv_amd64.go", "gemv_noasm.go", "gemv_test.go",
		"reduce.go", "ref.go", "rot.go", "rot_amd64.go", "rot_noasm.go", "shape.go", "stream.go", "stream_avx_amd64.h"}
	for _, s := range sources(t, ".s") {
		if dir, name := filepath.Split(s); dir == "f32/" && !strings.HasPrefix(name, "blur_") && !strings.HasPrefix(name, "sumsquares_") {
			files = append(files, name)
		}
	}
	for _, name := range files {
		want := widen.Replace(text(t, "f32/"+name))
		if text(t, "f64/"+strings.Replace(name, "f32", "f64", 1)) != want {
			t.Errorf("f64's %s is not f32's", name)
		}
	}
}

// A function is what the assembler makes of one: its instructions after all macros.
type function struct {
	file, name   string
	instructions []string
}

var (
	header      = regexp.MustCompile(`^x\.(\w+) STEXT`)
	instruction = regexp.MustCompile(`^\t0x[0-9a-f]+ \d+ \(.*?\)\t(.*)`)
)

// functions assembles every file for goarch and returns what's in them.
func functions(t *testing.T, goarch string) []function {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		topologytest.Missing(t, "needs the Go toolchain: %v", err)
	}
	root := strings.TrimSpace(string(out))
	var list []function
	for _, file := range sources(t, "_"+goarch+".s") {
		cmd := exec.Command(filepath.Join(root, "bin/go"), "tool", "asm", "-S", "-p", "x",
			"-I", filepath.Join(root, "pkg/include"), "-o", os.DevNull, filepath.Base(file))
		cmd.Dir = filepath.Dir(file)
		cmd.Env = append(os.Environ(), "GOARCH="+goarch)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", file, err, out)
		}
		for line := range strings.Lines(string(out)) {
			if m := header.FindStringSubmatch(line); m != nil {
				list = append(list, function{file: file, name: m[1]})
			} else if m := instruction.FindStringSubmatch(line); m != nil && len(list) > 0 {
				f := &list[len(list)-1]
				f.instructions = append(f.instructions, strings.TrimSpace(m[1]))
			}
		}
	}
	if len(list) == 0 {
		t.Fatal("no functions")
	}
	return list
}

var (
	operands512 = regexp.MustCompile(`\b(Z\d+|K[0-7]|[XY](1[6-9]|2\d|3[01]))\b`)
	operandsYZ  = regexp.MustCompile(`\b[YZ]\d+\b`)
	reserved    = map[string]*regexp.Regexp{
		"amd64": regexp.MustCompile(`\b(R14|R15|BP)\b`),
		"arm64": regexp.MustCompile(`\b(R18|R27|R28|g)\b`),
	}
	// fused has a multiply and an add in one rounding.
	fused = regexp.MustCompile(`^(VFN?M(ADD|SUB)|VFML|FN?MADD|FN?MSUB)`)
	// beyondSSE2 is SSE3, SSSE3, SSE4, POPCNT, BMI and what AVX adds to the old registers.
	beyondSSE2 = regexp.MustCompile(`^(V[A-Z].*|ADDSUBP.|HADDP.|HSUBP.|LDDQU|MOVDDUP|MOVS[HL]DUP|PABS.|PALIGNR|` +
		`PHADD.*|PHSUB.*|PMADDUBSW|PMULHRSW|PSHUFB|PSIGN.|BLENDV?P.|DPP.|EXTRACTPS|INSERTPS|MOVNTDQA|MPSADBW|` +
		`PACKUSDW|PBLEND.*|PCMPEQQ|PCMPGTQ|PCMP[EI]STR.|PEXTR[BDQ]|PHMINPOSUW|PINSR[BDQ]|PMAX(SB|SD|UD|UW)|` +
		`PMIN(SB|SD|UD|UW)|PMOV[SZ]X.*|PMULDQ|PMULLD|PTEST|ROUND.*|CRC32.*|POPCNT.|LZCNT.|TZCNT.|ANDN.|BEXTR.|` +
		`BLS.*|BZHI.|MULX.|PDEP.|PEXT.|RORX.|SARX.|SHLX.|SHRX.|ADCX.|ADOX.|MOVBE.*)$`)
	// beyondAVX2 is what only AVX-512 has, whatever its registers.
	beyondAVX2 = regexp.MustCompile(`^(K[A-Z]+|VPTERNLOG.|VMOVDQ[UA](8|16|32|64)|VP(AND|ANDN|OR|XOR)[DQ]|VPM(AX|IN)[SU]Q|VPABSQ|` +
		`VPMULLQ|VPSRAQ|VPSRAVQ|VP[ERS]*MT2.*|VPERMI2.*|VPCOMPRESS.*|VPEXPAND.*|V.*(32X[248]|64X[24])|VRNDSCALE.*|VPMOV[SU]?[QDW]{2}|VSCALEF.*|VGET.*|VRANGE.*)$`)
	// beyondAVX512 is what asm.AVX512 doesn't ask for: VBMI, VNNI, IFMA, BITALG and so on.
	beyondAVX512 = regexp.MustCompile(`^(VPERMB|VPERM[IT]2B|VPMULTISHIFTQB|VPDP.*|VPMADD52.*|VPOPCNT.*|VPSHUFBITQMB|` +
		`VP(COMPRESS|EXPAND)[BW]|VPSH[LR]DV?[WDQ]|VGF2.*|VAES.*|VPCLMUL.*|V.*BF16.*|V.*P?H)$`)
)

// isaOf returns the instruction set in a function's name.
func isaOf(name string) ISA {
	for _, isa := range []ISA{SSE2, AVX2, AVX512, NEON} {
		if strings.HasSuffix(name, strings.ToUpper(isa.String())) {
			return isa
		}
	}
	return NoAsm
}

func TestNoInstructionIsAboveTheNameOfItsFunction(t *testing.T) {
	for _, goarch := range []string{"amd64", "arm64"} {
		for _, f := range functions(t, goarch) {
			isa := isaOf(f.name)
			if isa == NoAsm && f.name != "pause" && f.name != "prefetch" {
				t.Errorf("%s: the name of %s lacks its instruction set", f.file, f.name)
			}
			for _, line := range f.instructions {
				op, args, _ := strings.Cut(line, "\t")
				op, _, _ = strings.Cut(op, ".")
				if goarch == "amd64" && (isa <= SSE2 && (beyondSSE2.MatchString(op) || operandsYZ.MatchString(args)) ||
					isa <= AVX2 && (beyondAVX2.MatchString(op) || operands512.MatchString(args)) ||
					isa <= AVX512 && beyondAVX512.MatchString(op)) {
					t.Errorf("%s: %s has %s", f.file, f.name, line)
				}
				if fused.MatchString(op) {
					t.Errorf("%s: %s has a fused %s", f.file, f.name, line)
				}
				if reserved[goarch].MatchString(args) && op != "TEXT" && !framePointer(line) {
					t.Errorf("%s: %s has a reserved register: %s", f.file, f.name, line)
				}
			}
		}
	}
}

// framePointer reports whether the line is one that the assembler adds to a
// function with a frame, or to one that calls nothing.
func framePointer(line string) bool {
	return slices.Contains([]string{"PUSHQ\tBP", "MOVQ\tSP, BP", "POPQ\tBP"}, line)
}

func TestUpperHalvesAreCleanAtEachReturn(t *testing.T) {
	for _, f := range functions(t, "amd64") {
		dirty := false
		for _, line := range f.instructions {
			switch op, args, _ := strings.Cut(line, "\t"); {
			case op == "VZEROUPPER":
				dirty = false
			case op == "RET" && dirty:
				t.Errorf("%s: %s returns without VZEROUPPER", f.file, f.name)
			case operandsYZ.MatchString(args):
				dirty = true
			}
		}
	}
}

var (
	word  = regexp.MustCompile(`\bWORD\b`)
	macro = regexp.MustCompile(`^#define \w+\(([\w, ]+)\)\s+WORD\s+\$\((.*)\)$`)
	plain = regexp.MustCompile(`^\s*WORD\s+\$(0x[0-9a-fA-F]+)\s*// (.*)$`)
	term  = regexp.MustCompile(`^\(?(\w+)\)?(?:<<(\d+))?$`)
)

// A WORD is either a macro of register numbers, whose comment on the line above has them
// in braces, or a constant with its comment on the same line.
func TestWordsAreWhatTheirCommentsSay(t *testing.T) {
	count := 0
	for _, file := range append(sources(t, ".s"), sources(t, ".h")...) {
		lines := strings.Split(text(t, file), "\n")
		for i, line := range lines {
			if !word.MatchString(line) || strings.HasPrefix(line, "//") {
				continue
			}
			count++
			if m := plain.FindStringSubmatch(line); m != nil {
				bits, _ := strconv.ParseUint(m[1], 0, 32)
				checkWord(t, file, uint32(bits), m[2])
				continue
			}
			m := macro.FindStringSubmatch(line)
			if m == nil || !strings.HasPrefix(lines[i-1], "// ") {
				t.Errorf("%s:%d: WORD without a comment that says what it is", file, i+1)
				continue
			}
			params := strings.Split(m[1], ", ")
			for _, base := range []int{0, 1, 5, 17, 28} {
				var bits uint32
				say := strings.TrimPrefix(lines[i-1], "// ")
				for k, p := range params {
					say = strings.ReplaceAll(say, "{"+p+"}", strconv.Itoa(base+k))
				}
				for part := range strings.SplitSeq(m[2], "|") {
					f := term.FindStringSubmatch(strings.TrimSpace(part))
					if f == nil {
						t.Fatalf("%s:%d: can't read %q", file, i+1, part)
					}
					value, err := strconv.ParseUint(f[1], 0, 32)
					if k := slices.Index(params, f[1]); k >= 0 {
						value, err = uint64(base+k), nil
					}
					shift, _ := strconv.Atoi("0" + f[2])
					if err != nil {
						t.Fatalf("%s:%d: %v", file, i+1, err)
					}
					bits |= uint32(value << shift)
				}
				checkWord(t, file, bits, say)
			}
		}
	}
	if count == 0 {
		t.Error("no WORD found")
	}
}

func checkWord(t *testing.T, file string, bits uint32, want string) {
	inst, err := arm64asm.Decode(binary.LittleEndian.AppendUint32(nil, bits))
	if err != nil {
		t.Errorf("%s: %#x, %q: %v", file, bits, want, err)
	} else if got := arm64asm.GNUSyntax(inst); got != want {
		t.Errorf("%s: %#x is %q, its comment says %q", file, bits, got, want)
	}
}

// On these targets the compiler fuses x*y + z unless the product is converted, here and in
// the kernels, which promise the same bits.
func TestPlainLoopsHaveNoFusedInstructions(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles for other targets")
	}
	if _, err := exec.LookPath("go"); err != nil {
		topologytest.Missing(t, "needs the Go toolchain: %v", err)
	}
	for _, goarch := range []string{"arm64", "riscv64"} {
		cmd := exec.Command("go", "build", "-tags", "noasm", "-gcflags=-S", "./...", "../kernels")
		cmd.Env = append(os.Environ(), "GOARCH="+goarch, "GOFLAGS=")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", goarch, err, out)
		}
		for _, name := range []string{"axpyGo", "gemvRows"} {
			if !bytes.Contains(out, []byte(name)) {
				t.Errorf("%s: the listing lacks %s", goarch, name)
			}
		}
		for line := range strings.Lines(string(out)) {
			if m := instruction.FindStringSubmatch(line); m != nil && fused.MatchString(m[1]) {
				t.Errorf("%s: fused: %s", goarch, strings.TrimSpace(line))
			}
		}
	}
}
