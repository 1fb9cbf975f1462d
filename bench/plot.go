package bench

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/palette"
	"gonum.org/v1/plot/palette/moreland"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/numateam/numateam/bench/mem"
)

// okabeIto are the colours of Okabe and Ito (2008), which people with any
// common form of colour blindness tell apart; the shapes of the points repeat
// what they say.
var okabeIto = []color.RGBA{
	{0, 114, 178, 255}, {230, 159, 0, 255}, {0, 158, 115, 255}, {213, 94, 0, 255},
	{204, 121, 167, 255}, {86, 180, 233, 255}, {0, 0, 0, 255}, {170, 160, 20, 255},
}

var shapes = []draw.GlyphDrawer{
	draw.CircleGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.PlusGlyph{}, draw.CrossGlyph{}, draw.RingGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{},
}

// dashes are in units of a printer's point.
var dashes = [][]vg.Length{nil, {6, 2}, {2, 2}, {8, 2, 2, 2}, {12, 3}, {4, 4}}

var grey = color.RGBA{120, 120, 120, 255}

func init() {
	sans := font.Font{Typeface: "Liberation", Variant: "Sans"}
	plot.DefaultFont, plotter.DefaultFont = sans, sans
}

// A Figure is a plot with its legend to its right.
type Figure struct {
	plot          *plot.Plot
	legend        plot.Legend
	keys          vg.Length // width of the legend; 0: none
	width, height vg.Length
	logX, logY    bool // axes hold decimal logarithms
}

// useLog makes axes logarithmic. The data is transformed, not the scale: with
// plot.LogScale the axes' labels are centred wrongly and take room that isn't
// theirs.
func (f *Figure) useLog(x, y plot.Ticker) {
	if x != nil {
		f.logX, f.plot.X.Tick.Marker = true, logTicks{x}
	}
	if y != nil {
		f.logY, f.plot.Y.Tick.Marker = true, logTicks{y}
	}
}

// place returns where a point lies on the axes.
func (f *Figure) place(p plotter.XY) plotter.XY {
	if f.logX {
		p.X = math.Log10(p.X)
	}
	if f.logY {
		p.Y = math.Log10(p.Y)
	}
	return p
}

func (f *Figure) placeAll(points plotter.XYs) plotter.XYs {
	placed := make(plotter.XYs, len(points))
	for i, p := range points {
		placed[i] = f.place(p)
	}
	return placed
}

// logTicks are the ticks of an axis that holds decimal logarithms.
type logTicks struct{ plot.Ticker }

func (l logTicks) Ticks(min, max float64) []plot.Tick {
	ticks := l.Ticker.Ticks(math.Pow(10, min), math.Pow(10, max))
	for i := range ticks {
		ticks[i].Value = math.Log10(ticks[i].Value)
	}
	return ticks
}

// Save writes the figure as SVG or PNG, by the file's ending.
func (f *Figure) Save(file string) error {
	var canvas vg.CanvasWriterTo
	switch filepath.Ext(file) {
	case ".svg":
		canvas = vgsvg.New(f.width, f.height)
	case ".png":
		canvas = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(f.width, f.height), vgimg.UseDPI(144))}
	default:
		return fmt.Errorf("%s: plots end in .svg or .png", file)
	}
	f.draw(draw.NewCanvas(canvas, f.width, f.height))
	w, err := os.Create(file)
	if err != nil {
		return err
	}
	_, err = canvas.WriteTo(w)
	return errors.Join(err, w.Close())
}

func (f *Figure) draw(c draw.Canvas) {
	const margin = 8
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	c = draw.Crop(c, margin, -margin, margin, -margin)
	f.plot.Draw(draw.Crop(c, 0, -f.keys, 0, 0))
	if f.keys > 0 {
		f.legend.Draw(draw.Crop(c, c.Max.X-c.Min.X-f.keys, 0, 0, -0.5*vg.Inch))
	}
}

// key adds a name to the legend.
func (f *Figure) key(name string, thumbs ...plot.Thumbnailer) {
	f.legend.Add(name, thumbs...)
	f.keys = max(f.keys, f.legend.TextStyle.Width(name)+vg.Points(42))
}

// newFigure makes an empty plot whose title has the machine as its second line.
func newFigure(title string, e Env, x, y string) *Figure {
	p := plot.New()
	p.Title.Text = title + "\n" + e.Title()
	p.Title.TextStyle.Font.Size = font.Length(11)
	p.Title.Padding = vg.Points(6)
	p.X.Label.Text, p.Y.Label.Text = x, y
	p.X.Padding, p.Y.Padding = 0, 0
	p.BackgroundColor = color.White
	f := &Figure{plot: p, legend: plot.NewLegend(), width: 7.5 * vg.Inch, height: 4.5 * vg.Inch}
	f.legend.Top, f.legend.Left = true, true
	f.legend.XOffs = vg.Points(12)
	f.legend.Padding = vg.Points(2)
	return f
}

// A Series is one line of a plot.
type Series struct {
	Name string
	XY   plotter.XYs
}

func (f *Figure) addLines(series []Series, points bool) error {
	for i, s := range series {
		line, marks, err := plotter.NewLinePoints(f.placeAll(s.XY))
		if err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
		line.Color = okabeIto[i%len(okabeIto)]
		line.Width = vg.Points(1.5)
		f.plot.Add(line)
		if !points {
			line.Dashes = dashes[i%len(dashes)]
			f.key(s.Name, line)
			continue
		}
		marks.Color, marks.Shape, marks.Radius = line.Color, shapes[i%len(shapes)], vg.Points(2.5)
		f.plot.Add(marks)
		f.key(s.Name, line, marks)
	}
	return nil
}

// mark draws a dashed vertical line at x with a text at its top.
func (f *Figure) mark(x, top float64, label string) error {
	at := f.place(plotter.XY{X: x, Y: top})
	line, err := plotter.NewLine(plotter.XYs{{X: at.X, Y: 0}, at})
	if err != nil {
		return err
	}
	line.Color, line.Dashes = grey, []vg.Length{vg.Points(3), vg.Points(3)}
	labels, err := plotter.NewLabels(plotter.XYLabels{XYs: plotter.XYs{at}, Labels: []string{label}})
	if err != nil {
		return err
	}
	labels.TextStyle[0].Color = grey
	labels.TextStyle[0].Font.Size = font.Length(8)
	labels.TextStyle[0].XAlign = text.XCenter
	f.plot.Add(line, labels)
	return nil
}

func highest(series []Series) float64 {
	top := 0.0
	for _, s := range series {
		for _, p := range s.XY {
			top = max(top, p.Y)
		}
	}
	return top
}

// PlotSweep draws bandwidth over the bytes that one repetition works on, all
// arrays together. The caches are marked at the sizes that count: the sum of
// what the CPUs in use have of each level.
func PlotSweep(e Env, series []Series) (*Figure, error) {
	f := newFigure("Bandwidth over working set", e, "all arrays together", "GB/s (10^9 bytes per second)")
	f.useLog(byteTicks{}, nil)
	top := highest(series) * 1.15
	f.plot.Y.Min, f.plot.Y.Max = 0, top*1.03
	if err := f.addLines(series, true); err != nil {
		return nil, err
	}
	for i, c := range e.Caches {
		size := float64(c.Bytes) * float64(c.Count)
		if x := math.Log10(size); x < f.plot.X.Min || x > f.plot.X.Max {
			continue
		}
		// Names of neighbours stand at different heights.
		if err := f.mark(size, top*(1-0.05*float64(i%2)), fmt.Sprintf("L%d: %d x %s", c.Level, c.Count, mem.Text(c.Bytes))); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// PlotScaling draws bandwidth over the number of workers.
func PlotScaling(e Env, series []Series) (*Figure, error) {
	f := newFigure("Bandwidth over workers", e, "workers", "GB/s (10^9 bytes per second)")
	f.plot.X.Tick.Marker = wholeTicks{}
	f.plot.Y.Min, f.plot.Y.Max = 0, highest(series)*1.15
	if err := f.addLines(series, true); err != nil {
		return nil, err
	}
	f.plot.X.Min, f.plot.X.Max = f.plot.X.Min-0.1, f.plot.X.Max+0.1
	return f, nil
}

// PlotLatency draws the distribution of times: for each, the share of launches
// that took longer, so that the tail is as readable as the middle.
func PlotLatency(title string, e Env, results []Result) (*Figure, error) {
	f := newFigure(title, e, "launch to return, microseconds", "share of launches that took longer")
	f.useLog(decimalTicks{}, decimalTicks{})
	var series []Series
	for _, r := range results {
		if r.Failed != "" {
			continue
		}
		sorted := slices.Sorted(slices.Values(r.Seconds))
		xy := make(plotter.XYs, len(sorted))
		for i, s := range sorted {
			xy[i].X = max(s, 1e-9) * 1e6
			xy[i].Y = 1 - float64(i)/float64(len(sorted))
		}
		series = append(series, Series{r.Key("who"), xy})
	}
	if err := f.addLines(series, false); err != nil {
		return nil, err
	}
	return f, nil
}

// A Grid is a matrix with names for its rows and columns.
type Grid struct {
	Rows, Columns []string
	Value         [][]float64 // by row; NaN where there's none
	Ratios        bool        // values are quotients, to be judged by how far they are from 1
}

// at returns the value of a cell; row 0 is at the bottom.
func (g Grid) at(column, row int) float64 { return g.Value[len(g.Rows)-1-row][column] }

// Dims, X, Y and Z make a Grid a plotter.GridXYZ.
func (g Grid) Dims() (columns, rows int) { return len(g.Columns), len(g.Rows) }
func (g Grid) X(column int) float64      { return float64(column) }
func (g Grid) Y(row int) float64         { return float64(row) }
func (g Grid) Z(column, row int) float64 {
	if g.Ratios {
		return math.Log(g.at(column, row))
	}
	return g.at(column, row)
}

// PlotGrid draws a matrix as a heat map with the figures in its cells, written by
// format or, if they're ratios, as in tables. Its colours rise in lightness from 0,
// so that they survive any eye and any printer; those of ratios go from grey at 1
// to blue at a tenth and orange at 10.
func PlotGrid(title string, e Env, x, y, format string, g Grid) (*Figure, error) {
	f := newFigure(title, e, x, y)
	columns, rows := g.Dims()
	var labels plotter.XYLabels
	hi := 1e-9
	for c := range columns {
		for r := range rows {
			if v := g.at(c, r); !math.IsNaN(v) {
				hi = max(hi, math.Abs(g.Z(c, r)))
				labels.XYs = append(labels.XYs, plotter.XY{X: float64(c), Y: float64(r)})
				text := fmt.Sprintf(format, v)
				if g.Ratios {
					text = times(v)
				}
				labels.Labels = append(labels.Labels, text)
			}
		}
	}
	if labels.Labels == nil {
		return nil, fmt.Errorf("bench: %s: nothing to draw", title)
	}
	var colours palette.ColorMap = moreland.ExtendedBlackBody()
	lo, hi := 0.0, 1.25*hi // short of white, which the paper is
	if g.Ratios {
		colours, lo, hi = moreland.SmoothPurpleOrange(), -math.Ln10, math.Ln10
	}
	colours.SetMin(lo)
	colours.SetMax(hi)
	all := colours.Palette(200)
	heat := plotter.NewHeatMap(g, all)
	heat.Min, heat.Max = lo, hi
	heat.Underflow, heat.Overflow = all.Colors()[0], all.Colors()[199]
	f.plot.Add(heat)
	drawn, err := plotter.NewLabels(labels)
	if err != nil {
		return nil, err
	}
	for i := range drawn.TextStyle {
		s := &drawn.TextStyle[i]
		s.XAlign, s.YAlign = text.XCenter, text.YCenter
		s.Font.Size = font.Length(9)
		if at := labels.XYs[i]; !g.Ratios && g.Z(int(at.X), int(at.Y)) < 0.5*hi {
			s.Color = color.White
		}
	}
	f.plot.Add(drawn)
	f.plot.NominalX(g.Columns...)
	reversed := slices.Clone(g.Rows)
	slices.Reverse(reversed)
	f.plot.NominalY(reversed...)
	f.plot.X.Min, f.plot.X.Max = -0.5, float64(columns)-0.5
	f.plot.Y.Min, f.plot.Y.Max = -0.5, float64(rows)-0.5
	f.height = max(2.2*vg.Inch, vg.Length(rows)*0.3*vg.Inch+1.2*vg.Inch)
	return f, nil
}

// PlotPeers draws how much faster ours is than each peer, case by case: the
// median over the turns with its quartiles. 1 is equal.
func PlotPeers(e Env, results []Result) (*Figure, error) {
	f := newFigure("Ours beside peers, in one alternating run", e, "time of the peer / time of ours: right of 1, ours is faster", "")
	f.useLog(ratioTicks{}, nil)
	var names []string
	var peers []string
	points := map[string]*ratioPoints{}
	lo, hi := 0.8, 1.25
	for _, r := range results {
		if r.Ratio == nil || r.Failed != "" {
			continue
		}
		peer := r.Key("who")
		if points[peer] == nil {
			points[peer] = &ratioPoints{}
			peers = append(peers, peer)
		}
		at := slices.Index(names, r.Key("case"))
		if at < 0 {
			at = len(names)
			names = append(names, r.Key("case"))
		}
		points[peer].add(-float64(at), *r.Ratio)
		lo, hi = min(lo, r.Ratio.Low/1.1), max(hi, r.Ratio.High*1.1)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("bench: no comparison to draw")
	}
	equal, err := plotter.NewLine(plotter.XYs{{X: 0, Y: 0.5}, {X: 0, Y: 0.5 - float64(len(names))}})
	if err != nil {
		return nil, err
	}
	equal.Color = grey
	f.plot.Add(equal)
	for i, peer := range peers {
		colour := okabeIto[i%len(okabeIto)]
		// Peers of one case stand a little apart.
		points[peer].shift(0.5 * (float64(len(peers)-1)/2 - float64(i)) / float64(len(peers)))
		bars, err := plotter.NewXErrorBars(points[peer])
		if err != nil {
			return nil, err
		}
		marks, err := plotter.NewScatter(points[peer])
		if err != nil {
			return nil, err
		}
		bars.Color = colour
		marks.Color, marks.Shape, marks.Radius = colour, shapes[i%len(shapes)], vg.Points(3)
		f.plot.Add(bars, marks)
		f.key(peer, marks)
	}
	ticks := make([]plot.Tick, len(names))
	for i, name := range names {
		ticks[i] = plot.Tick{Value: -float64(i), Label: name}
	}
	f.plot.Y.Tick.Marker = plot.ConstantTicks(ticks)
	f.plot.Y.Min, f.plot.Y.Max = 0.5-float64(len(names)), 0.5
	f.plot.X.Min, f.plot.X.Max = math.Log10(lo), math.Log10(hi)
	f.plot.Add(plotter.NewGrid())
	f.height = max(f.height, vg.Length(len(names))*0.35*vg.Inch+1.4*vg.Inch)
	return f, nil
}

// ratioPoints are the logarithms of one peer's ratios with their quartiles.
type ratioPoints struct {
	plotter.XYs
	plotter.XErrors
}

func (p *ratioPoints) add(y float64, s Spread) {
	p.XYs = append(p.XYs, plotter.XY{X: math.Log10(s.Median), Y: y})
	p.XErrors = append(p.XErrors, struct{ Low, High float64 }{math.Log10(s.Median / s.Low), math.Log10(s.High / s.Median)})
}

func (p *ratioPoints) shift(dy float64) {
	for i := range p.XYs {
		p.XYs[i].Y += dy
	}
}

// PlotRoofline draws the measured limits of the machine, flops per second over
// flops per byte, and where the kernels lie below them.
func PlotRoofline(e Env, r Roofline) (*Figure, error) {
	f := newFigure("Roofline, measured", e, "floating-point operations per byte", "Gflop/s")
	f.useLog(decimalTicks{}, decimalTicks{})
	var series []Series
	const left, right = 1.0 / 64, 64.0
	for _, roof := range r.Roofs {
		knee := min(max(r.PeakGflops/roof.GBps, left), right)
		series = append(series, Series{fmt.Sprintf("%s: %.0f GB/s", roof.Name, roof.GBps),
			plotter.XYs{{X: left, Y: left * roof.GBps}, {X: knee, Y: knee * roof.GBps}}})
	}
	series = append(series, Series{fmt.Sprintf("dgemm: %.0f Gflop/s", r.PeakGflops),
		plotter.XYs{{X: left, Y: r.PeakGflops}, {X: right, Y: r.PeakGflops}}})
	if err := f.addLines(series, false); err != nil {
		return nil, err
	}
	for i, k := range r.Kernels {
		mark, err := plotter.NewScatter(f.placeAll(plotter.XYs{{X: k.FlopsPerByte, Y: k.Gflops}}))
		if err != nil {
			return nil, err
		}
		i += len(series)
		mark.Color, mark.Shape, mark.Radius = okabeIto[i%len(okabeIto)], shapes[i%len(shapes)], vg.Points(4)
		f.plot.Add(mark)
		f.key(fmt.Sprintf("%s: %s Gflop/s", k.Name, digits(k.Gflops, 2)), mark)
	}
	f.plot.Y.Max += 0.05
	return f, nil
}

// byteTicks marks each power of 4 with its size.
type byteTicks struct{}

func (byteTicks) Ticks(min, max float64) []plot.Tick {
	var ticks []plot.Tick
	for size := 1024.0; size <= max; size *= 4 {
		if size >= min {
			ticks = append(ticks, plot.Tick{Value: size, Label: mem.Text(int64(size))})
		}
	}
	return ticks
}

// wholeTicks marks whole numbers, at most some 16 of them.
type wholeTicks struct{}

func (wholeTicks) Ticks(min, max float64) []plot.Tick {
	step := math.Ceil((max - min) / 16)
	var ticks []plot.Tick
	for v := math.Ceil(min); v <= max; v += step {
		ticks = append(ticks, plot.Tick{Value: v, Label: strconv.Itoa(int(v))})
	}
	return ticks
}

// decimalTicks marks powers of ten in plain digits, with lesser marks between. On a
// short axis 2 and 5 of each power have their digits too.
type decimalTicks struct{}

func (decimalTicks) Ticks(min, max float64) []plot.Tick {
	var ticks []plot.Tick
	for e := int(math.Floor(math.Log10(min))); e <= int(math.Ceil(math.Log10(max))); e++ {
		for m := 1; m < 10; m++ {
			v, err := strconv.ParseFloat(fmt.Sprintf("%de%d", m, e), 64)
			if err != nil || v < min*0.999 || v > max*1.001 {
				continue
			}
			tick := plot.Tick{Value: v}
			if m == 1 || max < 100*min && (m == 2 || m == 5) {
				tick.Label = strconv.FormatFloat(v, 'f', -1, 64)
			}
			ticks = append(ticks, tick)
		}
	}
	return ticks
}

// ratioTicks marks ratios in steps that are even on both sides of 1.
type ratioTicks struct{}

func (ratioTicks) Ticks(min, max float64) []plot.Tick {
	var ticks []plot.Tick
	for _, v := range []float64{0.1, 0.2, 0.5, 0.8, 1, 1.25, 2, 5, 10, 20, 50, 100} {
		if close := v == 0.8 || v == 1.25; v >= min && v <= max && !(close && max > 8*min) {
			ticks = append(ticks, plot.Tick{Value: v, Label: strconv.FormatFloat(v, 'f', -1, 64)})
		}
	}
	return ticks
}
