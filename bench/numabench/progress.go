package main

import (
	"fmt"
	"io"
	"os"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress tells where a measurement is: a bar on a terminal, a line per step
// elsewhere.
type progress struct {
	w   io.Writer
	bar *progressbar.ProgressBar // nil: not on a terminal
}

func newProgress(w io.Writer) *progress {
	p := &progress{w: w}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.bar = progressbar.NewOptions(1, progressbar.OptionSetWriter(w), progressbar.OptionSetWidth(20),
			progressbar.OptionClearOnFinish(), progressbar.OptionSetPredictTime(false))
	}
	return p
}

func (p *progress) step(step, steps int, what string) {
	if p.bar == nil {
		fmt.Fprintf(p.w, "[%d/%d] %s\n", step+1, steps, what)
		return
	}
	p.bar.ChangeMax(steps)
	p.bar.Describe(fmt.Sprintf("%-36.36s", what))
	p.bar.Set(step)
}

// clear takes the bar off the terminal.
func (p *progress) clear() {
	if p.bar != nil {
		p.bar.Clear()
	}
}
