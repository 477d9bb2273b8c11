package page

import (
	"math"
	"strings"

	"switchback/results/metric"
	"switchback/results/record"
	"switchback/results/report/figures"
	"switchback/results/stats"
	"switchback/results/units"
)

// A percentile curve has a point for each of curvePoints steps from 0 to
// 99.99 %, equal in 1/(1-q), as HdrHistogram plots them.
const (
	curvePoints = 160
	curveEnd    = 1e4
)

// noiseTone is the colour of what no arm did.
const noiseTone = tones

// curvesOf are the percentile curves of each arm: of the users' and the
// server's view, and of what the generator did itself.
func curvesOf(run Run) []*chart {
	if run.Pool == nil {
		return nil
	}
	ttfb := &chart{ID: "curve-ttfb", Title: "Time to first byte, by percentile",
		Caption: "Solid: ttfb, from when the request was due, the user's view. Dashed: service_ttfb, from when it was sent, the server's view. All blocks together" + mixed(run) + "."}
	own := &chart{ID: "curve-own", YMin: 1e-6, Title: "Waiting before the request was sent, by percentile",
		Caption: "Solid: lateness, the generator's own fault. Dashed: blocked, waiting for a connection, the arm's. The level line is the noise floor: the middle block's p99 of how much longer a sleep of 1 ms took. What took less than 1 µs lies at the lower edge."}
	for _, arm := range run.Summary.Arms {
		ttfb.curve(run, arm, metric.TTFB, false)
		ttfb.curve(run, arm, metric.ServiceTTFB, true)
		own.curve(run, arm, metric.Lateness, false)
		own.curve(run, arm, metric.Blocked, true)
	}
	if floor := noiseFloor(run); floor > 0 && len(own.Lines) > 0 {
		x := own.Lines[0].X
		own.Lines = append(own.Lines, line{Name: "noise floor", Tone: noiseTone, X: numbers{1, x[len(x)-1]}, Y: numbers{floor, floor}})
	}
	for _, c := range []*chart{ttfb, own} {
		c.XUnit, c.YUnit, c.XLog, c.YLog, c.Height = percentile, "s", true, true, 300
	}
	return []*chart{ttfb, own}
}

// mixed warns where a curve mixes the cells of a sweep.
func mixed(run Run) string {
	if len(cellsOf(run)) > 1 {
		return ", all cells of the sweep too"
	}
	return ""
}

func (c *chart) curve(run Run, arm, metric string, dash bool) {
	h := run.Pool.Histogram(arm, metric, "")
	if h == nil || h.N() == 0 {
		return
	}
	x, q := curveAxis(h.N())
	c.Lines = append(c.Lines, line{Name: figures.Name(arm) + " " + strings.ReplaceAll(metric, "_", " "), Tone: run.tone(arm), Dash: dash,
		X: x, Y: h.Quantiles(q)})
}

// curveAxis returns places on the axis, up to what n values hold, and the
// shares below them.
func curveAxis(n int64) (x, q []float64) {
	end := min(math.Log10(float64(n)), math.Log10(curveEnd))
	points := max(int(curvePoints*end/math.Log10(curveEnd)), 2)
	for i := range points {
		at := math.Pow(10, end*float64(i)/float64(points-1))
		x, q = append(x, at), append(q, 1-1/at)
	}
	return x, q
}

func noiseFloor(run Run) float64 {
	var p99 []float64
	for _, b := range run.Blocks {
		p99 = append(p99, b.Generator.HiccupP99)
	}
	if len(p99) == 0 {
		return 0
	}
	return stats.Median(p99)
}

// percentileTable gives the curves as numbers, of all requests of an arm.
func percentileTable(run Run) *table {
	if run.Pool == nil {
		return nil
	}
	t := &table{ID: "percentiles", Title: "As numbers", About: "All blocks together, without an interval.",
		Columns: []string{"times", "p50", "p90", "p95", "p99", "p99.9", "mean", "max", "requests"}}
	for _, metric := range metric.OfRequests() {
		for _, arm := range run.Summary.Arms {
			if h := run.Pool.Histogram(arm, metric, ""); h != nil && h.N() > 0 {
				t.Rows = append(t.Rows, percentileRow(arm, metric, h))
			}
		}
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return t
}

func percentileRow(arm, metric string, h *record.Histogram) row {
	r := row{Head: strings.ReplaceAll(metric, "_", " "), Part: figures.Name(arm)}
	for _, s := range record.Statistics() {
		f := figureOf(s.Of(h), "s")
		r.Cells = append(r.Cells, cell{Text: f.Text, Exact: f.Exact})
	}
	r.Cells = append(r.Cells, cell{Text: units.Thousands(float64(h.N())), Exact: exact(float64(h.N()))})
	return r
}
