package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/numateam/numateam/bench/peers"
)

// A Result is one measurement. Its name is a path of key=value parts after the bench's
// own name, as Go benchmarks name theirs:
// "stream/kernel=triad/type=float64/n=134217728/workers=2".
type Result struct {
	Name       string    `json:"name"`
	Bytes      int64     `json:"bytes,omitempty"`   // by one repetition; 0: no bandwidth
	Traffic    string    `json:"traffic,omitempty"` // of each element
	BestGBps   float64   `json:"gbps_best,omitempty"`
	MedianGBps float64   `json:"gbps_median,omitempty"`
	Summary    Summary   `json:"summary"` // over all repetitions but the first
	Seconds    []float64 `json:"seconds"` // in order; of many, 256 order statistics
	CPUSeconds float64   `json:"cpu_seconds,omitempty"`
	Ratio      *Spread   `json:"ratio,omitempty"` // of its time to that of ours
	Note       string    `json:"note,omitempty"`
	Failed     string    `json:"failed,omitempty"` // why the result is wrong; its figures don't count
}

// NewResult makes a result of all repetitions that count.
func NewResult(name string, bytes int64, seconds []float64) Result {
	kept := slices.Clone(thin(seconds, 256))
	for i, s := range kept {
		kept[i] = math.Round(s*1e10) / 1e10
	}
	r := Result{Name: name, Bytes: bytes, Summary: Summarize(seconds), Seconds: kept}
	if bytes > 0 {
		r.BestGBps, r.MedianGBps = GBps(bytes, r.Summary.Best), GBps(bytes, r.Summary.Median)
	}
	return r
}

// Name joins a bench's name with its keys and values.
func Name(bench string, keysAndValues ...any) string {
	var b strings.Builder
	b.WriteString(bench)
	for i := 0; i+1 < len(keysAndValues); i += 2 {
		fmt.Fprintf(&b, "/%v=%v", keysAndValues[i], keysAndValues[i+1])
	}
	return b.String()
}

// Bench returns the first part of the name.
func (r Result) Bench() string {
	bench, _, _ := strings.Cut(r.Name, "/")
	return bench
}

// Key returns the value of one key of the name, or "".
func (r Result) Key(key string) string {
	for part := range strings.SplitSeq(r.Name, "/") {
		if k, v, ok := strings.Cut(part, "="); ok && k == key {
			return v
		}
	}
	return ""
}

// theirs reports whether the result is a peer's.
func (r Result) theirs() bool {
	_, peer := peers.Find(r.Key("who"))
	return peer
}

// verdict is what stands in place of a failed result's figures.
func (r Result) verdict() string {
	if r.theirs() {
		return "failed"
	}
	return "WRONG"
}

func (r Result) keys() []string {
	var keys []string
	for part := range strings.SplitSeq(r.Name, "/") {
		if k, _, ok := strings.Cut(part, "="); ok {
			keys = append(keys, k)
		}
	}
	return keys
}

// A Report is the results of a run and the machine that they come from.
type Report struct {
	Env     Env      `json:"env"`
	Results []Result `json:"results"`
}

// Failed returns the results that were wrong.
func (p *Report) Failed() []Result {
	return slices.DeleteFunc(slices.Clone(p.Results), func(r Result) bool { return r.Failed == "" })
}

// Err returns an error if a result of ours was wrong. A peer that failed is none.
func (p *Report) Err() error {
	wrong := slices.DeleteFunc(p.Failed(), Result.theirs)
	if len(wrong) == 0 {
		return nil
	}
	return fmt.Errorf("%d of %d results are wrong: %s: %s", len(wrong), len(p.Results), wrong[0].Name, wrong[0].Failed)
}

// Select returns the results of one bench.
func (p *Report) Select(bench string) []Result {
	return slices.DeleteFunc(slices.Clone(p.Results), func(r Result) bool { return r.Bench() != bench })
}

// WriteJSON writes the report as one indented JSON object.
func (p *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	return e.Encode(p)
}

// ReadReport reads a report that WriteJSON wrote.
func ReadReport(file string) (*Report, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	p := new(Report)
	if err := json.Unmarshal(data, p); err != nil {
		return nil, fmt.Errorf("%s: not a result file: %w", file, err)
	}
	return p, nil
}

// WriteBenchmark writes the report in the format of Go benchmarks
// (https://go.dev/design/14313-benchmark-format), one line per repetition kept, as
// benchstat reads it. Wrong results are written as failures, without a figure.
func (p *Report) WriteBenchmark(w io.Writer) error {
	var b strings.Builder
	p.Env.writeConfig(&b)
	b.WriteString("Unit GB/s better=higher\n")
	for _, r := range p.Results {
		if r.Failed != "" {
			fmt.Fprintf(&b, "--- FAIL: %s: %s\n", r.Name, r.Failed)
			continue
		}
		name := strings.ReplaceAll(strings.ToUpper(r.Name[:1])+r.Name[1:], " ", "_")
		for _, s := range r.Seconds {
			fmt.Fprintf(&b, "Benchmark%s 1 %.10g ns/op", name, s*1e9)
			if r.Bytes > 0 {
				fmt.Fprintf(&b, " %.6g GB/s", GBps(r.Bytes, s))
			}
			b.WriteByte('\n')
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteText writes a table for each bench of the report: what all its results have in
// common above it, what differs as columns. Bandwidth is in GB/s, other times are in
// microseconds.
func (p *Report) WriteText(w io.Writer) error {
	for i, bench := range p.benches() {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := writeTable(w, bench, p.Select(bench)); err != nil {
			return err
		}
	}
	return nil
}

// benches returns the benches that the report has results of, in their order.
func (p *Report) benches() []string {
	var order []string
	for _, r := range p.Results {
		if !slices.Contains(order, r.Bench()) {
			order = append(order, r.Bench())
		}
	}
	return order
}

// writeTable writes what all results have in common, and then the table.
func writeTable(w io.Writer, bench string, results []Result) error {
	common, _ := split(results)
	fmt.Fprintln(w, strings.Join(append([]string{bench}, common...), ", "))
	return writeColumns(w, bench, results)
}

// split tells the keys that are the same for all results, with their value, from
// those that differ.
func split(results []Result) (common, columns []string) {
	for _, key := range results[0].keys() {
		first := results[0].Key(key)
		if len(results) > 1 && slices.ContainsFunc(results, func(r Result) bool { return r.Key(key) != first }) {
			columns = append(columns, key)
		} else {
			common = append(common, key+" "+first)
		}
	}
	return common, columns
}

func writeColumns(w io.Writer, bench string, results []Result) error {
	_, columns := split(results)
	bandwidth := results[0].Bytes > 0
	cpu := slices.ContainsFunc(results, func(r Result) bool { return r.CPUSeconds > 0 })
	ratio := slices.ContainsFunc(results, func(r Result) bool { return r.Ratio != nil })
	traffic := slices.ContainsFunc(results, func(r Result) bool { return r.Traffic != "" })

	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	cells := slices.Clone(columns)
	if bandwidth {
		cells = append(cells, "best GB/s", "median", "worst")
	} else {
		cells = append(cells, "p50 us", "p90", "p99", "p99.9", "max")
	}
	if cpu {
		cells = append(cells, "CPU s")
	}
	if ratio {
		cells = append(cells, "ratio", "quartiles")
	}
	if traffic {
		cells = append(cells, "per element")
	}
	row := func() { fmt.Fprintln(t, strings.Join(cells, "\t")+"\t") }
	row()
	var notes []string
	for _, r := range results {
		cells = cells[:0]
		for _, key := range columns {
			cells = append(cells, r.Key(key))
		}
		s := r.Summary
		switch {
		case r.Failed != "":
			cells = append(cells, r.verdict())
			notes = append(notes, strings.TrimPrefix(r.Name, bench+"/")+": "+r.verdict()+": "+r.Failed)
		case bandwidth:
			for _, seconds := range []float64{s.Best, s.Median, s.Worst} {
				cells = append(cells, FormatGBps(GBps(r.Bytes, seconds)))
			}
		default:
			for _, seconds := range []float64{s.Median, s.P90, s.P99, s.P999, s.Worst} {
				cells = append(cells, microseconds(seconds))
			}
		}
		if cpu && r.Failed == "" {
			cells = append(cells, fmt.Sprintf("%.3f", r.CPUSeconds))
		}
		if r.Ratio != nil && r.Failed == "" {
			cells = append(cells, r.Ratio.median(), r.Ratio.quartiles())
		}
		if traffic && r.Failed == "" {
			cells = append(cells, r.Traffic)
		}
		if r.Note != "" && !slices.Contains(notes, r.Note) {
			notes = append(notes, r.Note)
		}
		row()
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, note := range notes {
		fmt.Fprintln(w, " ", note)
	}
	return nil
}

// microseconds writes a time with three significant digits.
func microseconds(seconds float64) string { return digits(seconds*1e6, 3) }

// WithKey returns the results whose name has this value for a key.
func WithKey(results []Result, key, value string) []Result {
	return slices.DeleteFunc(slices.Clone(results), func(r Result) bool { return r.Key(key) != value })
}
