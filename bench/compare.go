package bench

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// WriteComparison writes, for each result that two reports share, both medians and the
// change with its 95 % interval. A change whose interval holds 1 is marked "~": nothing
// to see. What all results of a bench have in common stands above its table. Returns how
// many results were compared.
func WriteComparison(w io.Writer, before, after *Report) (int, error) {
	compared := 0
	for _, bench := range before.benches() {
		both := slices.DeleteFunc(before.Select(bench), func(r Result) bool {
			_, ok := after.named(r.Name)
			return !ok
		})
		if len(both) == 0 {
			continue
		}
		if compared > 0 {
			fmt.Fprintln(w)
		}
		compared += len(both)
		common, columns := split(both)
		fmt.Fprintln(w, strings.Join(append([]string{bench}, common...), ", "))
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		row := func(cells ...string) { fmt.Fprintln(t, strings.Join(cells, "\t")+"\t") }
		row(append(columns, "before us", "after us", "change", "95 % interval")...)
		for _, b := range both {
			var cells []string
			for _, key := range columns {
				cells = append(cells, b.Key(key))
			}
			a, _ := after.named(b.Name)
			if b.Failed != "" || a.Failed != "" {
				row(append(cells, b.verdict())...)
				continue
			}
			c := Change(b.Seconds, a.Seconds)
			change := fmt.Sprintf("%+.1f %%", 100*(c.Median-1))
			if c.Low <= 1 && c.High >= 1 {
				change = "~"
			}
			row(append(cells, microseconds(b.Summary.Median), microseconds(a.Summary.Median), change,
				fmt.Sprintf("%+.1f..%+.1f %%", 100*(c.Low-1), 100*(c.High-1)))...)
		}
		if err := t.Flush(); err != nil {
			return compared, err
		}
	}
	return compared, nil
}

// named returns the result of that name.
func (p *Report) named(name string) (Result, bool) {
	i := slices.IndexFunc(p.Results, func(r Result) bool { return r.Name == name })
	if i < 0 {
		return Result{}, false
	}
	return p.Results[i], true
}
