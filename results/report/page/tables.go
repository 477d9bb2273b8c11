package page

import (
	"slices"
	"strings"

	"switchback/results/metric"
	"switchback/results/record"
	"switchback/results/report/figures"
	"switchback/results/units"
	"switchback/targets"
)

// table is a table of texts and numbers.
type table struct {
	ID, Title, About string
	Columns          []string
	Rows             []row
	More             string // what was left out
}

// row is a line of a table; Metric and Group name what it shows of the
// summary.
type row struct {
	Head, Part    string
	Metric, Group string
	Cells         []cell
}

// cell is a number, or a text. Arm names whose value it is.
type cell struct {
	Text, Exact, Arm string
	Sense            string
	Word             bool // a text, to be set to the left
	Link             string
}

// metricColumns are the columns of a table of metrics.
func metricColumns(run Run, first string) []string {
	columns := []string{first}
	for _, a := range run.Summary.Arms {
		columns = append(columns, figures.Name(a))
	}
	for _, a := range run.Candidates() {
		title := "change"
		if len(run.Candidates()) > 1 {
			title = figures.Name(a) + " against " + figures.Name(run.Summary.Baseline)
		}
		columns = append(columns, title, "interval")
	}
	return columns
}

// metricRow shows a metric of the summary: the value of each arm, then change
// and interval of each candidate.
func metricRow(run Run, m record.Metric) row {
	r := row{Head: figures.MetricLabel(m.Name), Part: figures.GroupLabel(m.Group), Metric: m.Name, Group: m.Group}
	for _, a := range run.Summary.Arms {
		v, has := m.Arms[a]
		if !has {
			r.Cells = append(r.Cells, cell{Text: "–"})
			continue
		}
		f := figureOf(v, m.Unit)
		r.Cells = append(r.Cells, cell{Text: f.Text, Exact: f.Exact, Arm: a})
	}
	for _, a := range run.Candidates() {
		c, has := m.Change[a]
		switch {
		case m.Pooled:
			r.Cells = append(r.Cells, cell{}, cell{Text: "pooled"})
		case !has:
			r.Cells = append(r.Cells, cell{}, cell{})
		default:
			r.Cells = append(r.Cells, cell{Text: figures.Change(m.Name, m.Unit, c), Sense: senseClass(figures.Judge(m.Name, c))},
				cell{Text: figures.Interval(m.Unit, c)})
		}
	}
	return r
}

// mainTable shows the metrics of all requests.
func mainTable(run Run) table {
	t := table{ID: "main", Columns: metricColumns(run, "metric")}
	for _, name := range metric.In(metric.Table) {
		if m, ok := run.Find(name, ""); ok {
			t.Rows = append(t.Rows, metricRow(run, m))
		}
	}
	return t
}

// metricsShown bounds the table of every metric.
const metricsShown = 1500

// allTable shows every metric of the summary.
func allTable(run Run) table {
	t := table{ID: "all", Columns: metricColumns(run, "metric")}
	for i, m := range run.Summary.Metrics {
		if i == metricsShown {
			t.More = units.Thousands(float64(len(run.Summary.Metrics)-i)) + " more are in " + record.SummaryFile
			break
		}
		t.Rows = append(t.Rows, metricRow(run, m))
	}
	return t
}

// groupTables show the TTFB of each group of each key.
func groupTables(run Run) []table {
	var tables []table
	for _, g := range []struct{ key, title, about string }{
		{"size", "Deployments of the project", ""},
		{"position", "Position of the match", "The third of the routing table that holds the match; unknown walks the whole table, none has no project."},
		{"cache", "Cache status", "As the server reported it. An arm that hits more often moves requests between the rows."},
		{"colo", "Colo", ""},
		{"step", "Rollout step", ""},
	} {
		t := table{ID: "by-" + g.key, Title: g.title, About: g.about, Columns: metricColumns(run, g.key)}
		for _, group := range orderedGroups(run, g.key) {
			for _, q := range []string{metric.TTFB + metric.P50, metric.TTFB + metric.P90, metric.TTFB + metric.P99} {
				if m, ok := run.Find(q, group); ok {
					r := metricRow(run, m)
					r.Head, r.Part = groupHead(g.key, group), strings.TrimPrefix(q, metric.TTFB+".")
					t.Rows = append(t.Rows, r)
				}
			}
		}
		if len(t.Rows) > 0 {
			tables = append(tables, t)
		}
	}
	return tables
}

// orderedGroups are the groups of a key; positions as they lie in the table.
func orderedGroups(run Run, key string) []string {
	groups := run.Groups(key)
	if key != "position" {
		return groups
	}
	places := targets.Positions()
	slices.SortStableFunc(groups, func(a, b string) int {
		_, first, _ := strings.Cut(a, "=")
		_, second, _ := strings.Cut(b, "=")
		return slices.Index(places, first) - slices.Index(places, second)
	})
	return groups
}

// groupHead names a group in a table of its key.
func groupHead(key, group string) string {
	if key == "size" {
		return figures.GroupLabel(group)
	}
	return figures.Name(strings.TrimPrefix(group, key+"="))
}
