package topology

import (
	"fmt"
	"iter"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
)

// A Set is a set of OS ids, of CPUs or of nodes: a bitmap of ids from 0 to 65535.
// Its zero value is the empty set. A Set is a value: its methods return new sets
// and change none, so that it can be copied and shared between goroutines freely.
//
// Its text form is the kernel's list format, "0-3,8"; the empty set is the
// empty text.
type Set struct {
	words []uint64 // bit i%64 of words[i/64]; the last word is not 0
}

// maxID bounds the ids of a set, so that nobody, a broken file least of all, can ask
// for a huge bitmap. Linux can be built for 8,192 CPUs and 1,024 nodes.
const maxID = 1<<16 - 1

// SetOf returns the set of the given ids. It panics if one isn't from 0 to 65535.
func SetOf(ids ...int) Set {
	var s Set
	for _, id := range ids {
		s.add(id)
	}
	return s
}

// ParseSet parses the kernel's list format: decimal ids and ranges, separated
// by commas, as in "0-3,8". Parts may overlap and come in any order; space
// around the list, such as a file's final newline, and NUL bytes at its end are
// ignored. Empty text is the empty set. Ids from 65536 on are refused.
func ParseSet(list string) (Set, error) {
	var s Set
	text := strings.TrimSpace(strings.TrimRight(list, "\x00"))
	if text == "" {
		return s, nil
	}
	// The last number is nearly always the highest: with it first, the bitmap grows once.
	if last, ok := parseID(text[strings.LastIndexAny(text, ",-")+1:]); ok {
		s.grow(last/64 + 1)
	}
	for part := range strings.SplitSeq(text, ",") {
		first, last, isRange := strings.Cut(part, "-")
		lo, ok := parseID(first)
		hi := lo
		if isRange && ok {
			hi, ok = parseID(last)
		}
		if !ok || hi < lo {
			return Set{}, fmt.Errorf("topology: bad list %q: %q is neither an id nor a range of ids up to %d", clip(text), clip(part), maxID)
		}
		s.addRange(lo, hi)
	}
	return s, nil
}

// parseID parses the digits of one id. Unlike strconv it takes no sign.
func parseID(text string) (int, bool) {
	id := 0
	for i := range len(text) {
		c := text[i]
		if c < '0' || c > '9' {
			return 0, false
		}
		id = 10*id + int(c-'0')
		if id > maxID {
			return 0, false
		}
	}
	return id, text != ""
}

// parseMask parses the kernel's mask format: groups of up to 8 hexadecimal
// digits separated by commas, highest first, as in "ff,ffffffff". Each group
// but the first counts for 32 bits.
func parseMask(mask string) (Set, error) {
	text := strings.TrimSpace(strings.TrimRight(mask, "\x00"))
	groups := strings.Split(text, ",")
	if len(groups) > (maxID+1)/32 {
		return Set{}, fmt.Errorf("topology: mask of %d groups is too long", len(groups))
	}
	words := make([]uint64, (len(groups)+1)/2)
	for i, group := range groups {
		v, err := strconv.ParseUint(group, 16, 32)
		if err != nil {
			return Set{}, fmt.Errorf("topology: bad mask %q: %q is no group of hexadecimal digits", clip(text), clip(group))
		}
		at := len(groups) - 1 - i
		words[at/2] |= v << (32 * (at % 2))
	}
	return setOfWords(words), nil
}

// clip shortens text from a file for an error message.
func clip(text string) string {
	if len(text) > 60 {
		return text[:60] + "…"
	}
	return text
}

// setOfWords takes over words as a set.
func setOfWords(words []uint64) Set {
	n := len(words)
	for n > 0 && words[n-1] == 0 {
		n--
	}
	return Set{words[:n:n]}
}

// add puts id into s in place; only for sets that nobody else has seen.
func (s *Set) add(id int) { s.addRange(id, id) }

// addRange puts lo..hi into s in place; only for sets that nobody else has seen.
func (s *Set) addRange(lo, hi int) {
	if lo < 0 || hi > maxID {
		panic("topology: an id of a set is not from 0 to 65535")
	}
	s.grow(hi/64 + 1)
	for i := lo / 64; i <= hi/64; i++ {
		mask := ^uint64(0)
		if i == lo/64 {
			mask &= ^uint64(0) << (lo % 64)
		}
		if i == hi/64 {
			mask &= ^uint64(0) >> (63 - hi%64)
		}
		s.words[i] |= mask
	}
}

// grow makes room for n words.
func (s *Set) grow(n int) {
	if n > len(s.words) {
		words := make([]uint64, n)
		copy(words, s.words)
		s.words = words
	}
}

// Contains reports whether id is in s.
func (s Set) Contains(id int) bool {
	return id >= 0 && id/64 < len(s.words) && s.words[id/64]>>(id%64)&1 == 1
}

// Len returns the number of ids in s.
func (s Set) Len() int {
	n := 0
	for _, w := range s.words {
		n += bits.OnesCount64(w)
	}
	return n
}

// IsEmpty reports whether s has no ids.
func (s Set) IsEmpty() bool { return len(s.words) == 0 }

// Min returns the lowest id, or -1 if s is empty.
func (s Set) Min() int { return s.next(0) }

// next returns the lowest id from id on, or -1.
func (s Set) next(id int) int {
	for i := id / 64; i < len(s.words); i++ {
		w := s.words[i]
		if i == id/64 {
			w &= ^uint64(0) << (id % 64)
		}
		if w != 0 {
			return 64*i + bits.TrailingZeros64(w)
		}
	}
	return -1
}

// Max returns the highest id, or -1 if s is empty.
func (s Set) Max() int {
	n := len(s.words)
	if n == 0 {
		return -1
	}
	return 64*n - 1 - bits.LeadingZeros64(s.words[n-1])
}

// All yields the ids of s in ascending order.
func (s Set) All() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, w := range s.words {
			for ; w != 0; w &= w - 1 {
				if !yield(64*i + bits.TrailingZeros64(w)) {
					return
				}
			}
		}
	}
}

// With returns s with id added. It panics if id isn't from 0 to 65535.
func (s Set) With(id int) Set {
	t := Set{slices.Clone(s.words)}
	t.add(id)
	return t
}

// Union returns the ids that are in s, in t or in both.
func (s Set) Union(t Set) Set {
	if len(s.words) < len(t.words) {
		s, t = t, s
	}
	words := slices.Clone(s.words)
	for i, w := range t.words {
		words[i] |= w
	}
	return Set{words}
}

// Intersect returns the ids that are in both s and t.
func (s Set) Intersect(t Set) Set {
	words := slices.Clone(s.words[:min(len(s.words), len(t.words))])
	for i := range words {
		words[i] &= t.words[i]
	}
	return setOfWords(words)
}

// Difference returns the ids of s that are not in t.
func (s Set) Difference(t Set) Set {
	words := slices.Clone(s.words)
	for i := range min(len(words), len(t.words)) {
		words[i] &^= t.words[i]
	}
	return setOfWords(words)
}

// Equal reports whether s and t have the same ids.
func (s Set) Equal(t Set) bool { return slices.Equal(s.words, t.words) }

// Within reports whether every id of s is in t.
func (s Set) Within(t Set) bool {
	for i, w := range s.words {
		if i >= len(t.words) || w&^t.words[i] != 0 {
			return false
		}
	}
	return true
}

// Intersects reports whether s and t have an id in common.
func (s Set) Intersects(t Set) bool {
	for i := range min(len(s.words), len(t.words)) {
		if s.words[i]&t.words[i] != 0 {
			return true
		}
	}
	return false
}

// Words returns a copy of the bitmap: bit i%64 of word i/64 stands for id i.
// It is the form that system calls take; the last word is not 0.
func (s Set) Words() []uint64 { return slices.Clone(s.words) }

// String returns s as a list, such as "0-3,8".
func (s Set) String() string {
	text, _ := s.AppendText(nil)
	return string(text)
}

// AppendText appends s as a list, such as "0-3,8". The error is always nil.
func (s Set) AppendText(b []byte) ([]byte, error) {
	separate := false
	for first := s.Min(); first >= 0; {
		last := first
		for s.Contains(last + 1) {
			last++
		}
		if separate {
			b = append(b, ',')
		}
		separate = true
		b = strconv.AppendInt(b, int64(first), 10)
		if last > first {
			b = append(b, '-')
			b = strconv.AppendInt(b, int64(last), 10)
		}
		first = s.next(last + 1)
	}
	return b, nil
}

// MarshalText returns s as a list. The error is always nil.
func (s Set) MarshalText() ([]byte, error) { return s.AppendText(nil) }

// UnmarshalText sets s to what [ParseSet] makes of the text.
func (s *Set) UnmarshalText(text []byte) error {
	t, err := ParseSet(string(text))
	if err == nil {
		*s = t
	}
	return err
}

// or puts the ids of t into s in place; only for sets that nobody else has seen.
func (s *Set) or(t Set) {
	s.grow(len(t.words))
	for i, w := range t.words {
		s.words[i] |= w
	}
}

// bitmap is a set of ids below a limit that goroutines can fill together.
type bitmap []atomic.Uint64

func newBitmap(limit int) bitmap { return make(bitmap, (limit+63)/64) }

func (b bitmap) has(id int) bool { return b[id/64].Load()>>(id%64)&1 == 1 }
func (b bitmap) put(id int)      { b[id/64].Or(1 << (id % 64)) }
