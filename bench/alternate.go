package bench

import (
	"context"
	"fmt"
)

// A Contender is one side of a comparison. Run measures once and returns the seconds of each repetition.
type Contender struct {
	Name string
	Run  func(ctx context.Context) ([]float64, error)
}

// Alternate lets the contenders take turns and returns the samples by contender and turn. Who starts moves on with each turn, so that
// no side always follows the same one. One turn before the first is dropped.
func Alternate(ctx context.Context, turns int, contenders []Contender) ([][][]float64, error) {
	samples := make([][][]float64, len(contenders))
	for turn := -1; turn < turns; turn++ {
		for i := range contenders {
			who := (i + turn + 1) % len(contenders)
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			s, err := contenders[who].Run(ctx)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", contenders[who].Name, err)
			}
			if turn >= 0 {
				samples[who] = append(samples[who], s)
			}
		}
	}
	return samples, nil
}
