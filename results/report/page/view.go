package page

import (
	"switchback/results/report/figures"
	"switchback/results/units"
)

// view is what the template of a run shows: texts, and places of marks.
type view struct {
	head
	Arms        []armName
	Gates       []gateRow
	Effects     []effectPlot
	Main        table
	Curves      []*chart
	Percentiles *table
	Blocks      *blocksView
	Phases      *phasesView
	Sweep       *sweepView
	Rollout     *rolloutView
	Series      []*chart
	Groups      []table
	Hosts       *table
	Slowest     *slowestView
	Errors      *table
	Differences *table
	Method      method
	All         table
}

// armName is an arm and its colour.
type armName struct {
	Name     string
	Tone     int
	Baseline bool
}

// Tones are the colours of lines: of the arms in their order, then again.
const tones = 8

// viewOf makes the view of a run.
func viewOf(run Run, o Options) *view {
	v := &view{head: headOf(run), Arms: armsOf(run), Gates: gateRows(run.Summary.Gates)}
	v.Effects = effectsOf(run)
	v.Main = mainTable(run)
	v.Curves = drawnOf(curvesOf(run)...)
	v.Percentiles = percentileTable(run)
	v.Blocks = blocksOf(run)
	v.Phases = phasesOf(run)
	v.Sweep = sweepOf(run)
	v.Rollout = rolloutOf(run)
	v.Series = drawnOf(seriesOf(run)...)
	v.Groups = groupTables(run)
	v.Hosts = hostTable(run)
	v.Slowest = slowestOf(run, o)
	v.Errors = errorTable(run)
	v.Differences = differenceTable(run)
	v.Method = methodOf(run)
	v.All = allTable(run)
	return v
}

// drawnOf draws charts and leaves out those without a point.
func drawnOf(charts ...*chart) []*chart {
	var drawn []*chart
	for _, c := range charts {
		if c != nil && c.draw() {
			drawn = append(drawn, c)
		}
	}
	return drawn
}

func armsOf(run Run) []armName {
	var arms []armName
	for i, a := range run.Summary.Arms {
		arms = append(arms, armName{figures.Name(a), i % tones, a == run.Summary.Baseline})
	}
	return arms
}

// tone is the colour of an arm.
func (r Run) tone(arm string) int {
	for i, a := range r.Summary.Arms {
		if a == arm {
			return i % tones
		}
	}
	return 0
}

// address makes a host or a path fit for a table.
func address(s string) string { return figures.Cut(figures.Escape(s), 120) }

func whole(n int64) string { return units.Thousands(float64(n)) }
