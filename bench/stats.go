package bench

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Summary describes the N repetitions of one measurement, in seconds: their quartiles
// and percentiles. Smaller is better, so Best is the least of them.
type Summary struct {
	N      int     `json:"n"`
	Best   float64 `json:"best"`
	Q1     float64 `json:"q1"`
	Median float64 `json:"median"`
	Q3     float64 `json:"q3"`
	P90    float64 `json:"p90"`
	P99    float64 `json:"p99"`
	P999   float64 `json:"p999"`
	Worst  float64 `json:"worst"`
}

// Summarize describes samples, in any order. It panics on an empty slice.
func Summarize(samples []float64) Summary {
	if len(samples) == 0 {
		panic("bench: no samples")
	}
	s := slices.Sorted(slices.Values(samples))
	return Summary{
		N: len(s), Best: s[0], Worst: s[len(s)-1],
		Q1: Quantile(s, 0.25), Median: Quantile(s, 0.5), Q3: Quantile(s, 0.75),
		P90: Quantile(s, 0.90), P99: Quantile(s, 0.99), P999: Quantile(s, 0.999),
	}
}

// Quantile returns the q-quantile of sorted samples, interpolated between the two nearest.
func Quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	below := int(at)
	if below+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	part := at - float64(below)
	return sorted[below]*(1-part) + sorted[below+1]*part
}

// Median returns the middle of samples, in any order.
func Median(samples []float64) float64 {
	return Quantile(slices.Sorted(slices.Values(samples)), 0.5)
}

// GeometricMean returns the n-th root of the product of n positive numbers.
func GeometricMean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += math.Log(v)
	}
	return math.Exp(sum / float64(len(x)))
}

// Spread is a ratio with its quartiles.
type Spread struct {
	Low    float64 `json:"low"`
	Median float64 `json:"median"`
	High   float64 `json:"high"`
}

func (s Spread) median() string    { return times(s.Median) }
func (s Spread) quartiles() string { return times(s.Low) + ".." + times(s.High) }

// Ratio returns how many times slower theirs is than ours, turn by turn: the median
// over the turns of the quotient of each turn's medians, with its quartiles. Above 1,
// ours is the faster one. It panics where the turns differ in number.
func Ratio(theirs, ours [][]float64) Spread {
	if len(theirs) != len(ours) {
		panic("bench: unequal turns")
	}
	quotients := make([]float64, len(ours))
	for i := range ours {
		quotients[i] = Median(theirs[i]) / Median(ours[i])
	}
	s := Summarize(quotients)
	return Spread{s.Q1, s.Median, s.Q3}
}

// Change returns the quotient of the medians of two independent sets of samples, after
// / before, with the 95 % interval of a bootstrap: both sets drawn anew a thousand
// times (Efron, 1979). The draws are the same each time, so a comparison can be
// repeated.
func Change(before, after []float64) Spread {
	const draws = 1000
	random := rand.New(rand.NewPCG(1979, 95))
	draw := func(from, into []float64) float64 {
		for i := range into {
			into[i] = from[random.IntN(len(from))]
		}
		return Median(into)
	}
	b, a := make([]float64, len(before)), make([]float64, len(after))
	quotients := make([]float64, draws)
	for i := range quotients {
		quotients[i] = draw(after, a) / draw(before, b)
	}
	slices.Sort(quotients)
	return Spread{Quantile(quotients, 0.025), Median(after) / Median(before), Quantile(quotients, 0.975)}
}

// thin returns at most limit order statistics of the samples, evenly spaced and with
// both ends: the shape of a distribution, small enough to keep.
func thin(samples []float64, limit int) []float64 {
	if len(samples) <= limit {
		return samples
	}
	s := slices.Sorted(slices.Values(samples))
	kept := make([]float64, limit)
	for i := range kept {
		kept[i] = s[i*(len(s)-1)/(limit-1)]
	}
	return kept
}
