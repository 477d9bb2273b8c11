package analysis

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
)

// The chart's measures in pixels.
const (
	chartWidth, chartHeight = 760, 480
	chartLeft, chartBottom  = 80, 60
	chartRight, chartTop    = 20, 40
)

// WriteChart draws the coefficients of variation against the points of a mean
// server as an SVG file: both axes logarithmic, one line for each tie rule,
// and the formula's curve dashed.
func WriteChart(to io.Writer, rows []Spread) error {
	if len(rows) == 0 {
		return fmt.Errorf("a chart of no rings")
	}
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b Spread) int { return int(math.Copysign(1, a.PointsMean-b.PointsMean)) })
	c := newChart(rows)
	w := bufio.NewWriter(to)
	fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">`+"\n", chartWidth, chartHeight)
	fmt.Fprintf(w, `<rect width="%d" height="%d" fill="white"/>`+"\n", chartWidth, chartHeight)
	c.axes(w)
	c.line(w, rows, "formula", "#666", "6 4", func(r Spread) float64 { return r.CVFormula })
	for i, ties := range []string{"address", "hashed"} {
		mine := slices.DeleteFunc(slices.Clone(rows), func(r Spread) bool { return r.Ties != ties })
		c.line(w, mine, ties+" ties", []string{"#c0392b", "#2471a3"}[i], "", func(r Spread) float64 { return r.CV })
	}
	fmt.Fprintln(w, `</svg>`)
	return w.Flush()
}

// chart maps decimal logarithms to pixels.
type chart struct {
	left, right, low, high float64
	labels                 int // lines named so far
}

// newChart fits the axes to the rows, in whole powers of ten.
func newChart(rows []Spread) *chart {
	c := &chart{left: math.Inf(1), right: math.Inf(-1), low: math.Inf(1), high: math.Inf(-1)}
	for _, r := range rows {
		x := math.Log10(r.PointsMean)
		c.left, c.right = min(c.left, math.Floor(x)), max(c.right, math.Ceil(x))
		for _, cv := range []float64{r.CV, r.CVFormula} {
			if cv > 0 {
				c.low, c.high = min(c.low, math.Floor(math.Log10(cv))), max(c.high, math.Ceil(math.Log10(cv)))
			}
		}
	}
	if math.IsInf(c.low, 1) { // one server: nothing varies
		c.low, c.high = -1, 0
	}
	c.right, c.high = max(c.right, c.left+1), max(c.high, c.low+1)
	return c
}

func (c *chart) x(points float64) float64 {
	return chartLeft + (math.Log10(points)-c.left)/(c.right-c.left)*(chartWidth-chartLeft-chartRight)
}

func (c *chart) y(cv float64) float64 {
	return chartTop + (c.high-math.Log10(cv))/(c.high-c.low)*(chartHeight-chartTop-chartBottom)
}

func (c *chart) axes(w io.Writer) {
	bottom, right := float64(chartHeight-chartBottom), float64(chartWidth-chartRight)
	for e := c.left; e <= c.right; e++ {
		x := c.x(math.Pow(10, e))
		fmt.Fprintf(w, `<path d="M%.1f %d V%.1f" stroke="#ddd"/><text x="%.1f" y="%.1f" text-anchor="middle">%g</text>`+"\n", x, chartTop, bottom, x, bottom+18, math.Pow(10, e))
	}
	for e := c.low; e <= c.high; e++ {
		y := c.y(math.Pow(10, e))
		fmt.Fprintf(w, `<path d="M%d %.1f H%.1f" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end">%g %%</text>`+"\n", chartLeft, y, right, chartLeft-8, y+4, 100*math.Pow(10, e))
	}
	fmt.Fprintf(w, `<text x="%d" y="%d" text-anchor="middle">points of a mean server</text>`+"\n", (chartWidth+chartLeft)/2, chartHeight-14)
	fmt.Fprintf(w, `<text x="%d" y="24">coefficient of variation of the servers' loads</text>`+"\n", chartLeft)
}

// line draws one line with a dot at each row, and its name.
func (c *chart) line(w io.Writer, rows []Spread, name, colour, dashes string, value func(Spread) float64) {
	path, command := "", 'M'
	for _, r := range rows {
		if v := value(r); v > 0 {
			path += fmt.Sprintf("%c%.1f %.1f ", command, c.x(r.PointsMean), c.y(v))
			fmt.Fprintf(w, `<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>`+"\n", c.x(r.PointsMean), c.y(v), colour)
			command = 'L'
		}
	}
	if path == "" {
		return
	}
	fmt.Fprintf(w, `<path d="%s" fill="none" stroke="%s" stroke-dasharray="%s"/>`+"\n", path, colour, dashes)
	y := chartTop + 16*(c.labels+1)
	fmt.Fprintf(w, `<text x="%d" y="%d" text-anchor="end" fill="%s">%s</text>`+"\n", chartWidth-chartRight-8, y, colour, name)
	c.labels++
}
