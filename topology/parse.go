package topology

import (
	"fmt"
	"math"
	"path"
	"strconv"
	"strings"
)

// parseMeminfo returns MemTotal and MemFree in bytes from proc/meminfo, or from a
// node's meminfo, whose lines start with "Node 3 ". Other lines are skipped.
func parseMeminfo(text string) (total, free uint64, err error) {
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) > 2 && fields[0] == "Node" {
			fields = fields[2:]
		}
		if len(fields) < 2 || fields[0] != "MemTotal:" && fields[0] != "MemFree:" {
			continue
		}
		kib, err := strconv.ParseUint(fields[1], 10, 54)
		if err != nil {
			return 0, 0, fmt.Errorf("%q is not a size in kB", clip(strings.TrimSpace(line)))
		}
		if fields[0] == "MemTotal:" {
			total = kib << 10
		} else {
			free = kib << 10
		}
	}
	return total, free, nil
}

// parseRow parses numbers from 0 to 255 separated by space: a row of distances.
func parseRow(text string) ([]int, bool) {
	var row []int
	for field := range strings.FieldsSeq(text) {
		d, err := strconv.ParseUint(field, 10, 8)
		if err != nil {
			return nil, false
		}
		row = append(row, int(d))
	}
	return row, true
}

// parseBytes parses a size such as 32K. What makes no sense is 0, for unknown.
func parseBytes(text string) int {
	shift := 0
	if n := len(text); n > 0 {
		if i := strings.IndexByte("KMGT", text[n-1]); i >= 0 {
			text, shift = text[:n-1], 10*(i+1)
		}
	}
	n, err := strconv.ParseUint(text, 10, 63)
	if err != nil || n > math.MaxInt>>shift {
		return 0
	}
	return int(n) << shift
}

// defaultPeriod is the kernel's period of a quota, in microseconds.
const defaultPeriod = "100000"

// parseCPUMax parses the cgroup file cpu.max, "quota period" in microseconds. It
// returns the quota in CPUs, 0 for none.
func parseCPUMax(text string) (float64, error) {
	fields := strings.Fields(text)
	if len(fields) == 0 || fields[0] == "max" {
		return 0, nil
	}
	period := defaultPeriod
	if len(fields) > 1 {
		period = fields[1]
	}
	return quota(fields[0], period)
}

// quota returns quota/period; a quota of -1 is none.
func quota(quotaText, periodText string) (float64, error) {
	quota, err := strconv.ParseInt(quotaText, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not a quota", clip(quotaText))
	}
	period, err := strconv.ParseInt(periodText, 10, 64)
	if err != nil || period <= 0 {
		return 0, fmt.Errorf("%q is not a period", clip(periodText))
	}
	return max(0, float64(quota)/float64(period)), nil
}

// A mount is one line of proc/mounts.
type mount struct {
	dir     string // relative to the root, as fs.FS wants it
	kind    string
	options []string
}

// parseMounts parses proc/mounts. Lines that aren't mounts are skipped.
func parseMounts(text string) []mount {
	var mounts []mount
	unescape := strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) >= 4 {
			mounts = append(mounts, mount{relative(unescape.Replace(fields[1])), fields[2], strings.Split(fields[3], ",")})
		}
	}
	return mounts
}

// parseCgroups parses proc/self/cgroup into the path for each controller, and that of
// the unified hierarchy under "". Lines of another form are skipped.
func parseCgroups(text string) map[string]string {
	paths := map[string]string{}
	for line := range strings.Lines(text) {
		fields := strings.SplitN(strings.TrimRight(line, "\n"), ":", 3)
		if len(fields) < 3 {
			continue
		}
		for controller := range strings.SplitSeq(fields[1], ",") {
			paths[controller] = fields[2]
		}
	}
	return paths
}

// relative turns an absolute path into one below the root.
func relative(p string) string { return path.Clean("/" + p)[1:] }

// field returns the rest of the line that starts with a key, without space around it.
func field(text, key string) string {
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, key); ok {
			return strings.TrimSpace(rest)
		}
	}
	return ""
}
