package bench

import (
	"context"
	"fmt"
)

// A Contender is one side of a comparison. Run measures once and returns the seconds
// of each repetition, of which there's at least one.
type Contender struct {
	Name string
	Run  func(ctx context.Context) ([]float64, error)

	Guest  bool  // a program of others: if it fails, the comparison goes on without it
	Failed error // why a guest has no samples; Alternate sets it
}

// Alternate lets the contenders take turns and returns the samples by contender and turn.
// Who starts moves on with each turn, and every other turn goes backwards, so that nobody
// always follows the same one: whatever a side leaves behind is shared by its neighbours.
// One turn before the first is dropped. A guest that fails drops out, without samples.
func Alternate(ctx context.Context, turns int, contenders []Contender) ([][][]float64, error) {
	samples := make([][][]float64, len(contenders))
	for turn := -1; turn < turns; turn++ {
		for i := range contenders {
			if turn%2 != 0 {
				i = len(contenders) - 1 - i
			}
			who := (i + turn + 1) % len(contenders)
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			c := &contenders[who]
			if c.Failed != nil {
				continue
			}
			s, err := c.Run(ctx)
			switch {
			case err == nil && turn >= 0:
				samples[who] = append(samples[who], s)
			case err == nil:
			case ctx.Err() != nil:
				return nil, ctx.Err()
			case c.Guest:
				c.Failed, samples[who] = err, nil
			default:
				return nil, fmt.Errorf("%s: %w", c.Name, err)
			}
		}
	}
	return samples, nil
}

// besides makes results of what Alternate measured. The first contender is ours; the
// ratios are of the others' times to its.
func besides(contenders []Contender, samples [][][]float64, bytes int64, name func(who string) string) []Result {
	results := make([]Result, len(contenders))
	for i, c := range contenders {
		if c.Failed != nil {
			results[i] = Result{Name: name(c.Name), Failed: c.Failed.Error()}
			continue
		}
		results[i] = NewResult(name(c.Name), bytes, flatten(samples[i]))
		if i > 0 {
			ratio := Ratio(samples[i], samples[0])
			results[i].Ratio = &ratio
		}
	}
	return results
}

func flatten(turns [][]float64) []float64 {
	var all []float64
	for _, t := range turns {
		all = append(all, t...)
	}
	return all
}
