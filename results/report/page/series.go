package page

import (
	"fmt"
	"math"
	"strings"
	"time"

	"switchback/results/record"
	"switchback/results/report/figures"
	"switchback/results/units"
)

// secondsShown is about how many points a line of a series has at most.
const secondsShown = 600

// quantity is a column of series.csv.zst.
type quantity struct {
	id, title, unit string
	of              func(record.Second) float64
}

func quantities() []quantity {
	return []quantity{
		{"rate", "Requests per second", plain, func(s record.Second) float64 { return s.Rate }},
		{"origin", "Origin requests per second", plain, func(s record.Second) float64 { return s.OriginRequests }},
		{"hits", "Hit ratio of the content cache", "ratio", func(s record.Second) float64 { return s.HitRatio }},
		{"memory", "Memory (RSS) of the arm", "bytes", func(s record.Second) float64 { return s.Memory }},
		{"cpu", "CPU of the arm, CPU-seconds per second", plain, func(s record.Second) float64 { return s.CPU }},
	}
}

// seriesOf shows what happened in each second, of the arm that got the
// traffic.
func seriesOf(run Run) []*chart {
	if len(run.Seconds) == 0 {
		return nil
	}
	start := run.Seconds[0].Time
	bands := bandsOf(run, start)
	marks := append(flagMarks(run.Seconds, start), tripMarks(run.Decisions, start)...)
	var charts []*chart
	for _, q := range quantities() {
		charts = append(charts, secondsChart(run, "series-"+q.id, q, start, bands, marks))
	}
	charts[0].Caption = bandsSaid(run)
	return charts
}

// secondsChart shows a quantity in time, a line for each arm.
func secondsChart(run Run, id string, q quantity, start time.Time, bands []band, marks []mark) *chart {
	c := &chart{ID: id, Title: q.title, XUnit: elapsed, YUnit: q.unit, Height: 170, Bands: bands, Marks: marks}
	for _, arm := range run.Summary.Arms {
		l := line{Name: figures.Name(arm), Tone: run.tone(arm)}
		l.X, l.Y = secondsOf(run.Seconds, arm, start, q.of)
		c.Lines = append(c.Lines, l)
	}
	return c
}

// bandsSaid explains the bands of a rollout and of changes; of a sweep, those of
// the first cell.
func bandsSaid(run Run) string {
	windows := run.Summary.Windows
	switch {
	case len(windows) > 0:
	case len(run.Decisions) > 0:
		return "Bands are the steps of the rollout; red lines are tripwires that tripped."
	default:
		return ""
	}
	var said []string
	for _, w := range windows {
		if w.Cell == windows[0].Cell {
			said = append(said, fmt.Sprintf("%s of %s %s into a block", doneTo(w.Arm, w), figures.Name(w.Arm), units.Seconds(w.At)))
		}
	}
	return "Bands are the windows of the change: " + strings.Join(said, ", ") + "."
}

// secondsOf returns a quantity of an arm in time, as means of stretches where
// the run is long, with a gap where the arm got no traffic.
func secondsOf(seconds []record.Second, arm string, start time.Time, of func(record.Second) float64) (x, y []float64) {
	length := seconds[len(seconds)-1].Time.Sub(start).Seconds()
	stretch := max(length/secondsShown, 1)
	var sum, n, first float64
	flush := func() {
		if n > 0 {
			x, y = append(x, first), append(y, sum/n)
		}
		sum, n = 0, 0
	}
	last := math.Inf(-1)
	for _, s := range seconds {
		at, v := s.Time.Sub(start).Seconds(), of(s)
		if s.Arm != arm || math.IsNaN(v) {
			continue
		}
		if n > 0 && at-first >= stretch*0.999 {
			flush()
		}
		if at-last > max(stretch, 1)*1.5 && !math.IsInf(last, -1) {
			flush()
			x, y = append(x, (last+at)/2), append(y, math.NaN())
		}
		if n == 0 {
			first = at
		}
		sum, n, last = sum+v, n+1, at
	}
	flush()
	return x, y
}

// flagMarks are the moments at which the flags of an arm had changed.
func flagMarks(seconds []record.Second, start time.Time) []mark {
	version := map[string]int{}
	var marks []mark
	for _, s := range seconds {
		if before := version[s.Arm]; s.Flags > 0 && before > 0 && s.Flags != before && len(marks) < launchesMarked {
			marks = append(marks, mark{X: s.Time.Sub(start).Seconds(), Label: fmt.Sprintf("flags %d", s.Flags), Kind: "flags"})
		}
		if s.Flags > 0 {
			version[s.Arm] = s.Flags
		}
	}
	return marks
}
