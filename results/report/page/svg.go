package page

import (
	"bytes"
	"fmt"
	"html/template"
	"io"

	"switchback/results/report"
	"switchback/results/report/figures"
)

// The measures of the effect plot as a picture, in its own units.
const (
	svgRow    = 26
	svgHead   = 96
	svgWidth  = 1000
	svgBottom = 20
)

// svgView is the effect plot as a picture by itself.
type svgView struct {
	Title    string
	Sentence string
	Width    int
	Height   int
	Plots    []svgPlot
}

// svgPlot is an arm's plot, that far down in the picture.
type svgPlot struct {
	effectPlot
	Top int
}

// Bottom is where the lines of the axis end.
func (p svgPlot) Bottom() int { return len(p.Rows) * svgRow }

// Row returns the height of the n-th row.
func (p svgPlot) Row(n int) int { return n * svgRow }

// WriteSVG writes the effect plot of a run as one picture.
func WriteSVG(w io.Writer, run report.Run) error {
	v := svgView{Title: figures.Name(run.Summary.Experiment) + ": " + figures.Name(run.Summary.Verdict), Width: svgWidth, Height: svgHead}
	if s := run.Sentences(); len(s) > 0 {
		v.Sentence = figures.Cut(s[0], 130)
	}
	for _, plot := range effectsOf(Run{Run: run}) {
		v.Plots = append(v.Plots, svgPlot{plot, v.Height})
		v.Height += len(plot.Rows)*svgRow + svgRow + 30
	}
	if v.Plots == nil {
		return fmt.Errorf("the run has no changes with an interval to plot")
	}
	v.Height += svgBottom
	t, err := template.New("effect.svg").ParseFS(templates, "templates/effect.svg")
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if err := t.Execute(&out, v); err != nil {
		return fmt.Errorf("drawing the effect plot: %w", err)
	}
	_, err = w.Write(out.Bytes())
	return err
}
