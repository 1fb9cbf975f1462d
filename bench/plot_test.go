package bench

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gonum.org/v1/plot/plotter"
)

// TestPlots draws every figure from made-up results and checks that the files
// are whole pictures. NUMATEAM_PLOTS names a directory to keep them in.
func TestPlots(t *testing.T) {
	e := Env{CPU: "Example CPU", CPUs: 16, Nodes: 2, OS: "linux", Arch: "amd64", ISA: "avx2", Go: "go1.26",
		Caches: []Level{{1, 32 << 10, 16}, {2, 1 << 20, 16}, {3, 32 << 20, 2}}}
	var sweep, scaling []Series
	for i, kernel := range []string{"fill", "copy", "triad"} {
		var xy, workers plotter.XYs
		for size := 12288.0; size < 1<<30; size *= math.Sqrt2 {
			xy = append(xy, plotter.XY{X: size, Y: 40 + float64(60*(3-i))/(1+size/(40<<20))})
		}
		for w := 1.0; w <= 16; w++ {
			workers = append(workers, plotter.XY{X: w, Y: float64(50+10*i) * w / (w + 4)})
		}
		sweep, scaling = append(sweep, Series{kernel, xy}), append(scaling, Series{kernel, workers})
	}
	var launches, ratios []Result
	for i, who := range []string{"numateam", "goroutines", "libgomp", "libomp", "oneTBB"} {
		var seconds []float64
		for s := range 10000 {
			seconds = append(seconds, 2e-7*float64(i+1)*math.Pow(1-float64(s)/10001, -0.4))
		}
		r := NewResult(Name("launch", "gap", time.Duration(0), "who", who), 0, seconds)
		launches = append(launches, r)
		if i > 0 {
			for j, c := range []string{"fill n=67108864", "saxpy n=67108864", "launch gap=0s", "launch gap=1ms"} {
				m := 0.9 + 0.3*float64(i*j)
				ratios = append(ratios, Result{Name: Name("peers", "case", c, "who", who), Ratio: &Spread{m * 0.95, m, m * 1.1}})
			}
		}
	}
	grid := Grid{Rows: []string{"node 0", "node 1"}, Columns: []string{"node 0", "node 1"}, Value: [][]float64{{101.2, 48.5}, {47.9, 100.4}}}
	var scenarios []Result
	for i, s := range Scenarios() {
		m := 0.5 + 3*float64(i%29)/29
		scenarios = append(scenarios, Result{Name: Name("scenarios", "work", s.Work, "tasks", s.Tasks, "memory", s.Memory, "callers", s.Callers, "who", "libgomp"),
			Ratio: &Spread{m, m, m}})
	}
	roofs := Roofline{PeakGflops: 90, Roofs: []Roof{{"L1", 700}, {"L2", 350}, {"memory", 50}},
		Kernels: []Point{{"triad", 1.0 / 12, 4}, {"add", 1.0 / 24, 2}, {"scale", 1.0 / 16, 3}}}

	figures := map[string]func() (*Figure, error){
		"sweep":   func() (*Figure, error) { return PlotSweep(e, sweep) },
		"scaling": func() (*Figure, error) { return PlotScaling(e, scaling) },
		"launch":  func() (*Figure, error) { return PlotLatency("Empty launches", e, launches) },
		"matrix":  func() (*Figure, error) { return PlotGrid("Triad, GB/s", e, "memory", "CPUs", "%.1f", grid) },
		"one": func() (*Figure, error) {
			return PlotGrid("Triad, GB/s", e, "memory", "CPUs", "%.1f", Grid{Rows: []string{"node 0"}, Columns: []string{"node 0"}, Value: [][]float64{{50}}})
		},
		"scenarios": func() (*Figure, error) {
			return PlotGrid("Parallel scenarios: time of libgomp / time of ours", e, "tasks", "work of a task", "", ScenarioGrid(scenarios, "libgomp"))
		},
		"peers":    func() (*Figure, error) { return PlotPeers(e, ratios) },
		"roofline": func() (*Figure, error) { return PlotRoofline(e, roofs) },
	}
	dir := os.Getenv("NUMATEAM_PLOTS")
	if dir == "" {
		dir = t.TempDir()
	}
	for name, draw := range figures {
		t.Run(name, func(t *testing.T) {
			f, err := draw()
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, name)
			if err := errors.Join(f.Save(path+".svg"), f.Save(path+".png")); err != nil {
				t.Fatal(err)
			}
			if err := wholePicture(path); err != nil {
				t.Error(err)
			}
		})
	}
	if _, err := PlotGrid("none", e, "", "", "%g", Grid{}); err == nil {
		t.Error("an empty grid was drawn")
	}
	if f, err := PlotScaling(e, scaling); err != nil || f.Save(filepath.Join(dir, "x.gif")) == nil {
		t.Errorf("a plot as GIF: %v", err)
	}
	if _, err := PlotPeers(e, nil); err == nil {
		t.Error("no comparison was drawn")
	}
}

// wholePicture reads path.png and path.svg.
func wholePicture(path string) error {
	data, err := os.ReadFile(path + ".png")
	if err != nil {
		return err
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return err
	}
	if b := img.Bounds(); b.Dx() < 400 || b.Dy() < 300 {
		return fmt.Errorf("%s.png: %v", path, b)
	}
	if data, err = os.ReadFile(path + ".svg"); err != nil {
		return err
	}
	for d := xml.NewDecoder(bytes.NewReader(data)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("%s.svg: %w", path, err)
		}
	}
}
