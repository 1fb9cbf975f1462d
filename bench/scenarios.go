package bench

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/numateam/numateam/bench/peers"
	"github.com/numateam/numateam/numa"
	"github.com/numateam/numateam/team"
)

// A Scenario is one cell of the parallel scenarios, after Halide's benchmark of
// its thread pool (test/performance/parallel_scenarios.cpp, rebuilt): a loop of
// Tasks iterations, each of Work turns, arithmetic or reading memory, launched by
// one caller alone or by eight at once.
type Scenario struct {
	Work    int // turns of a task: a multiplication each, or a cache line read
	Tasks   int
	Memory  bool // reads a buffer of 400 MB that all tasks share
	Callers int  // that launch at the same time
}

// Scenarios returns all 144 cells.
func Scenarios() []Scenario {
	var cells []Scenario
	for _, callers := range []int{1, 8} {
		for _, memory := range []bool{false, true} {
			for _, work := range []int{64, 512, 4096, maxWork} {
				for tasks := 1; tasks <= 256; tasks *= 2 {
					cells = append(cells, Scenario{work, tasks, memory, callers})
				}
			}
		}
	}
	return cells
}

const (
	scenarioLines = 400_000_000 / 64 // that the tasks' places are spread over
	maxTasks      = 256
	maxWork       = 32768 // lines of the longest task, the last one's beyond the others
)

// A scenarioRunner runs cells within this process.
type scenarioRunner struct {
	team   *team.Team
	buffer []uint64 // of the memory-bound cells; nil until one needs it
	array  *numa.Array[uint64]
}

func (r *scenarioRunner) prepare(s Scenario) error {
	if !s.Memory || r.buffer != nil {
		return nil
	}
	array, err := team.Make[uint64](r.team, (scenarioLines+maxWork)*lineWords)
	if err != nil {
		return err
	}
	r.array, r.buffer = array, array.Slice()
	r.team.Launch(team.Launch{Grain: grain, Over: team.Over(r.buffer)}, len(r.buffer), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			r.buffer[i] = uint64(i)
		}
	})
	return nil
}

func (r *scenarioRunner) close() error {
	if r.array == nil {
		return nil
	}
	return r.array.Close()
}

// task is what scenario_task of the peers does.
func (s Scenario) task(buffer []uint64, task int) uint64 {
	v := uint64(task)
	if s.Memory {
		lines := buffer[task*(scenarioLines/maxTasks)*lineWords:][:s.Work*lineWords]
		for i := 0; i < len(lines); i += lineWords {
			v += lines[i]
		}
		return v
	}
	for range s.Work {
		v = v*6364136223846793005 + 1442695040888963407
	}
	return v
}

// A scenarioCall is one caller's loop, with its body bound once. Each task has a
// cache line of its own for its result.
type scenarioCall struct {
	s       Scenario
	buffer  []uint64
	results []uint64
	body    func(lo, hi int)
}

func newScenarioCall(s Scenario, buffer []uint64) *scenarioCall {
	c := &scenarioCall{s: s, buffer: buffer, results: make([]uint64, s.Tasks*lineWords)}
	c.body = func(lo, hi int) {
		for i := lo; i < hi; i++ {
			c.results[i*lineWords] = c.s.task(c.buffer, i)
		}
	}
	return c
}

// onTeam is a scenario's loop as a launch.
func onTeam(t *team.Team) func(c *scenarioCall) {
	return func(c *scenarioCall) { t.For(c.s.Tasks, c.body) }
}

// onGoroutines is a scenario's loop as one goroutine for each of so many equal
// blocks, the caller one of them.
func onGoroutines(workers int) func(c *scenarioCall) {
	return func(c *scenarioCall) {
		parts := min(workers, c.s.Tasks)
		var wg sync.WaitGroup
		for p := 1; p < parts; p++ {
			wg.Go(func() { c.body(c.s.Tasks*p/parts, c.s.Tasks*(p+1)/parts) })
		}
		c.body(0, c.s.Tasks/parts)
		wg.Wait()
	}
}

// run launches count times from each caller and returns the seconds of each
// launch. One launch more comes first and is dropped. The results of the last
// are verified.
func (r *scenarioRunner) run(ctx context.Context, s Scenario, count int, launch func(c *scenarioCall)) ([]float64, error) {
	if err := r.prepare(s); err != nil {
		return nil, err
	}
	seconds := make([]float64, s.Callers*count)
	calls := make([]*scenarioCall, s.Callers)
	var wg sync.WaitGroup
	for caller := range s.Callers {
		c := newScenarioCall(s, r.buffer)
		calls[caller] = c
		wg.Go(func() {
			for i := -1; i < count && ctx.Err() == nil; i++ {
				start := time.Now()
				launch(c)
				if i >= 0 {
					seconds[caller*count+i] = time.Since(start).Seconds()
				}
			}
		})
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for _, c := range calls {
		for i := range s.Tasks {
			if got, want := c.results[i*lineWords], s.task(r.buffer, i); got != want {
				return nil, &WrongError{i, float64(got), float64(want)}
			}
		}
	}
	return seconds, nil
}

// samples returns how many launches make at least 10 ms and 32 samples over both
// turns, by what one launch takes.
func (s Scenario) samples(one float64) int {
	launches := math.Ceil(0.01 / max(one, 1e-7) / float64(s.Callers))
	return int(min(max(launches, 32/float64(s.Callers)), 20000/float64(s.Callers))+1) / 2
}

// RunScenarios measures cells, the contenders in turn within each: ours, one
// goroutine per worker and, where it's given, libgomp. Ratios are of the others'
// medians to ours.
func RunScenarios(ctx context.Context, o Options, cells []Scenario, openmp *peers.Peer) ([]Result, error) {
	t, err := o.newTeam(0)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	r := &scenarioRunner{team: t}
	defer r.close()
	var results []Result
	for step, s := range cells {
		o.progress(step, len(cells), s.String())
		some, err := r.cell(ctx, s, t, openmp)
		if err != nil {
			return nil, fmt.Errorf("%v: %w", s, err)
		}
		results = append(results, some...)
	}
	return results, nil
}

func (s Scenario) String() string {
	return fmt.Sprintf("work %d, %d tasks, memory %v, %d callers", s.Work, s.Tasks, s.Memory, s.Callers)
}

func (r *scenarioRunner) cell(ctx context.Context, s Scenario, t *team.Team, openmp *peers.Peer) ([]Result, error) {
	trial, err := r.run(ctx, s, 2, onTeam(t))
	if err != nil {
		return nil, err
	}
	count := s.samples(Median(trial))
	here := func(name string, launch func(c *scenarioCall)) Contender {
		return Contender{Name: name, Run: func(ctx context.Context) ([]float64, error) {
			seconds, err := r.run(ctx, s, count, launch)
			settle()
			return seconds, err
		}}
	}
	contenders := []Contender{here("numateam", onTeam(t)), here("goroutines", onGoroutines(t.Size()))}
	if openmp != nil {
		memory := 0
		if s.Memory {
			memory = 1
		}
		request := fmt.Sprintf("scenario %d %d %d %d %d", s.Work, s.Tasks, memory, s.Callers, count)
		contenders = append(contenders, Contender{Name: openmp.Name, Guest: true,
			Run: func(context.Context) ([]float64, error) { return openmp.Run(request) }})
	}
	samples, err := Alternate(ctx, 2, contenders)
	if err != nil {
		return nil, err
	}
	results := besides(contenders, samples, 0, func(who string) string {
		return Name("scenarios", "work", s.Work, "tasks", s.Tasks, "memory", s.Memory, "callers", s.Callers, "who", who)
	})
	for i := range results {
		results[i].Seconds = thin(results[i].Seconds, 11) // the deciles
	}
	return results, nil
}

// ScenarioMeans returns the geometric mean of the ratios of each contender to
// ours, and the cell that is worst for us against the better of the others.
func ScenarioMeans(results []Result) (means map[string]float64, worst Result) {
	ratios := map[string][]float64{}
	low := math.Inf(1)
	for i := 0; i < len(results); i++ {
		r := results[i]
		if r.Ratio == nil {
			continue
		}
		ratios[r.Key("who")] = append(ratios[r.Key("who")], r.Ratio.Median)
		if r.Ratio.Median < low {
			low, worst = r.Ratio.Median, r
		}
	}
	means = map[string]float64{}
	for who, x := range ratios {
		means[who] = GeometricMean(x)
	}
	return means, worst
}

// ScenarioGrid makes the heat map of the ratios of one contender to ours.
func ScenarioGrid(results []Result, who string) Grid {
	g := Grid{Ratios: true}
	row, column := map[string]int{}, map[string]int{}
	for _, r := range results {
		if r.Key("who") != who || r.Ratio == nil {
			continue
		}
		name := r.Key("work")
		if r.Key("memory") == "true" {
			name += ", memory"
		}
		if r.Key("callers") != "1" {
			name += ", contended"
		}
		i, ok := row[name]
		if !ok {
			i = len(g.Rows)
			row[name] = i
			g.Rows = append(g.Rows, name)
			g.Value = append(g.Value, slices.Repeat([]float64{math.NaN()}, 9))
		}
		j, ok := column[r.Key("tasks")]
		if !ok {
			j = len(g.Columns)
			column[r.Key("tasks")] = j
			g.Columns = append(g.Columns, r.Key("tasks"))
		}
		g.Value[i][j] = r.Ratio.Median
	}
	for i := range g.Value {
		g.Value[i] = g.Value[i][:len(g.Columns)]
	}
	return g
}

// WriteScenarios writes a table of the ratios to ours by cell, and the geometric
// means.
func WriteScenarios(w io.Writer, results []Result) error {
	means, worst := ScenarioMeans(results)
	for _, who := range slices.Sorted(maps.Keys(means)) {
		fmt.Fprintf(w, "time of %s / time of ours, over tasks\n", who)
		g := ScenarioGrid(results, who)
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(t, "work\t"+strings.Join(g.Columns, "\t")+"\t")
		for i, name := range g.Rows {
			fmt.Fprint(t, name+"\t")
			for _, v := range g.Value[i] {
				if math.IsNaN(v) {
					fmt.Fprint(t, "-\t")
				} else {
					fmt.Fprint(t, times(v)+"\t")
				}
			}
			fmt.Fprintln(t)
		}
		if err := t.Flush(); err != nil {
			return err
		}
		fmt.Fprintf(w, "geometric mean %s\n\n", times(means[who]))
	}
	fmt.Fprintf(w, "worst cell: %s, %s\n", worst.Ratio.median(), worst.Name)
	for _, r := range results {
		if r.Failed != "" {
			fmt.Fprintf(w, "failed: %s: %s\n", r.Name, r.Failed)
		}
	}
	return nil
}
