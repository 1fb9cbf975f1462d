package bench

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// WriteComparison writes, for each result that two reports share, both medians and the
// change with its 95 % interval. A change whose interval holds 1 is marked "~": nothing
// to see. Returns how many results were compared.
func WriteComparison(w io.Writer, before, after *Report) (int, error) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "median time, us\tbefore\tafter\tchange\t95 % interval")
	compared := 0
	for _, b := range before.Results {
		at := slices.IndexFunc(after.Results, func(r Result) bool { return r.Name == b.Name })
		if at < 0 {
			continue
		}
		compared++
		a := after.Results[at]
		if b.Failed != "" || a.Failed != "" {
			fmt.Fprintf(t, "%s\t\t\tWRONG\t\n", b.Name)
			continue
		}
		c := Change(b.Seconds, a.Seconds)
		change := fmt.Sprintf("%+.1f %%", 100*(c.Median-1))
		if c.Low <= 1 && c.High >= 1 {
			change = "~"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%+.1f..%+.1f %%\n", b.Name, microseconds(b.Summary.Median), microseconds(a.Summary.Median),
			change, 100*(c.Low-1), 100*(c.High-1))
	}
	return compared, t.Flush()
}
