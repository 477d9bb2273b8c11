package page

import (
	"strconv"
	"strings"
)

// The units of an axis besides those of metrics.
const (
	elapsed    = "elapsed"    // seconds since the start of the run
	percentile = "percentile" // 1/(1-q)
	plain      = "plain"      // a number
)

// The inner size of a plot, in units of its paths.
const (
	plotWidth  = 4000
	plotHeight = 1000
)

// line is a row of points of a chart. A NaN in Y is a gap.
type line struct {
	Name string  `json:"name"`
	Tone int     `json:"tone"` // colour: the place of the arm
	Dash bool    `json:"dash,omitempty"`
	Dots bool    `json:"dots,omitempty"` // points that are not joined
	X    numbers `json:"x"`
	Y    numbers `json:"y"`
}

// mark is a moment on the x axis.
type mark struct {
	X     float64 `json:"x"`
	Label string  `json:"label,omitempty"`
	Kind  string  `json:"kind"` // launch, fault, flags, trip
}

// band is a stretch of the x axis.
type band struct {
	From   float64 `json:"from"`
	To     float64 `json:"to"`
	Label  string  `json:"label"`
	Filled bool    `json:"filled,omitempty"` // of two that adjoin, one is
}

// chart is drawn twice from the same numbers: as SVG, for paper and where
// there is no script, and as JSON for the script.
type chart struct {
	ID     string  `json:"id"`
	Title  string  `json:"title"`
	XUnit  string  `json:"xunit"`
	YUnit  string  `json:"yunit"`
	XLog   bool    `json:"xlog"`
	YLog   bool    `json:"ylog"`
	YMin   float64 `json:"ymin,omitempty"` // what lies below is at the edge; 0: nothing does
	Height int     `json:"height"`         // pixels
	Lines  []line  `json:"lines"`
	Marks  []mark  `json:"marks,omitempty"`
	Bands  []band  `json:"bands,omitempty"`
	Pick   bool    `json:"pick,omitempty"` // a click picks a block

	Caption string `json:"-"`
	Drawn   drawn  `json:"-"`
}

// drawn is a chart as SVG.
type drawn struct {
	XTicks, YTicks []tick
	Paths          []path
	Marks          []drawnMark
	Bands          []drawnBand
}

// tick is a labelled place on an axis: in percent of the width or height, and
// in units of the plot.
type tick struct {
	At    string
	Plot  int
	Label string
	Edge  string // class of a label that would stand over the edge
}

type path struct {
	D    string
	Tone int
	Dash bool
	Dots bool
}

type drawnMark struct {
	Plot      int
	Kind      string
	At, Label string
	Left      bool // its label stands to the left of it
}

type drawnBand struct {
	Plot, Width int
	At, Label   string // no label where the band is too narrow for it
	Filled      bool
}

// draw makes the SVG of the chart; false when it has no points.
func (c *chart) draw() bool {
	var xs, ys [][]float64
	for _, l := range c.Lines {
		xs, ys = append(xs, l.X), append(ys, l.Y)
	}
	x, okX := newScale(c.XLog, xs...)
	y, okY := newScale(c.YLog, ys...)
	if !okX || !okY {
		return false
	}
	y.min, y.binary = max(y.min, c.YMin), c.YUnit == "bytes"
	if c.Bands != nil && !c.YLog {
		y.max += (y.max - y.min) * 0.15 // for their names
	}
	if c.XUnit == percentile {
		x.min = 1
	}
	c.Drawn = drawn{XTicks: c.ticks(x, c.XUnit, 7, false), YTicks: c.ticks(y, c.YUnit, 6, true)}
	for _, l := range c.Lines {
		c.Drawn.Paths = append(c.Drawn.Paths, path{D: l.path(x, y), Tone: l.Tone, Dash: l.Dash, Dots: l.Dots})
	}
	c.drawMoments(x)
	return true
}

// drawMoments draws marks and bands. What lies beyond the axis is left out: a
// scale would put it onto the edge.
func (c *chart) drawMoments(x scale) {
	for _, m := range c.Marks {
		if m.X < x.min || m.X > x.max {
			continue
		}
		d := drawnMark{Plot: across(x, m.X), Kind: m.Kind, At: percent(x.at(m.X)), Left: x.at(m.X) > 0.5}
		if m.Kind == "trip" {
			d.Label = m.Label
		}
		c.Drawn.Marks = append(c.Drawn.Marks, d)
	}
	for _, b := range c.Bands {
		if b.To < x.min || b.From > x.max {
			continue
		}
		from := across(x, b.From)
		d := drawnBand{Plot: from, Width: across(x, b.To) - from, At: percent(x.at(b.From)), Filled: b.Filled}
		if d.Width > letterWidth*len([]rune(b.Label)) {
			d.Label = b.Label
		}
		c.Drawn.Bands = append(c.Drawn.Bands, d)
	}
}

// letterWidth is about a letter in a chart of a page on paper, in units of the
// plot.
const letterWidth = 45

func across(x scale, v float64) int { return int(x.at(v)*plotWidth + 0.5) }
func down(y scale, v float64) int   { return int((1-y.at(v))*plotHeight + 0.5) }

// ticks labels an axis; the y axis runs upwards.
func (c *chart) ticks(s scale, unit string, n int, up bool) []tick {
	var out []tick
	for _, v := range s.ticks(n) {
		at := s.at(v)
		t := tick{At: percent(at), Plot: across(s, v), Label: tickLabel(v, unit)}
		switch {
		case up:
			t.At, t.Plot = percent(1-at), down(s, v)
		case at < 0.03:
			t.Edge = "first"
		case at > 0.96:
			t.Edge = "last"
		}
		out = append(out, t)
	}
	return out
}

// path writes the points as SVG: a line for each stretch without a gap, or a
// dot for each point.
func (l line) path(x, y scale) string {
	var b strings.Builder
	joined := false
	for i, v := range l.Y {
		if !y.has(v) || !x.has(l.X[i]) {
			joined = false
			continue
		}
		switch {
		case l.Dots || !joined:
			b.WriteByte('M')
		default:
			b.WriteByte('L')
		}
		b.WriteString(strconv.Itoa(across(x, l.X[i])))
		b.WriteByte(' ')
		b.WriteString(strconv.Itoa(down(y, v)))
		if l.Dots || !joined && (i+1 == len(l.Y) || !y.has(l.Y[i+1])) {
			b.WriteString("h0")
		}
		joined = true
	}
	return b.String()
}

func percent(share float64) string {
	return strconv.FormatFloat(100*share, 'f', 2, 64) + "%"
}
