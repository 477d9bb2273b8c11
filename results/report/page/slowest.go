package page

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"switchback/results/metric"
	"switchback/results/record"
	"switchback/results/report/figures"
	"switchback/results/units"
)

// slowestView lists the slowest requests.
type slowestView struct{ Rows []slowRow }

// slowRow is a slow request: what it was, and where its time went.
type slowRow struct {
	Arm, Where, Host, Path, Answer string
	TTFB                           figure
	Parts                          []slowPart
	Trace, TraceURL                string
}

type slowPart struct{ Name, Text string }

func slowestOf(run Run, o Options) *slowestView {
	if len(run.Requests.Slowest) == 0 {
		return nil
	}
	v := &slowestView{}
	for _, s := range run.Requests.Slowest {
		r := slowRow{Arm: figures.Name(s.Arm), Where: fmt.Sprintf("pair %d, place %d, at %s", s.Pair+1, s.Order+1, units.Seconds(float64(s.Due)/1e9)),
			Host: address(s.Host), Path: address(s.Path), Answer: answerText(&s.SampleRow), TTFB: figureOf(float64(s.Nanos)/1e9, "s"), Parts: partsOf(&s.SampleRow)}
		if isHex(s.TraceID) {
			r.Trace, r.TraceURL = s.TraceID, traceURL(o.TraceURL, s.TraceID)
		}
		v.Rows = append(v.Rows, r)
	}
	return v
}

func answerText(s *record.SampleRow) string {
	var parts []string
	if s.Status > 0 {
		parts = append(parts, fmt.Sprint(s.Status))
	}
	for _, p := range []string{s.Error, s.Cache, s.Node} {
		if p != "" {
			parts = append(parts, figures.Name(p))
		}
	}
	if s.NewConn {
		parts = append(parts, "new connection")
	}
	return strings.Join(parts, ", ")
}

// partsOf splits a request's time: lateness and blocked as measured, phases as
// the server told them.
func partsOf(s *record.SampleRow) []slowPart {
	var parts []slowPart
	add := func(name string, from, to *int64) {
		if from != nil && to != nil && *to > *from {
			parts = append(parts, slowPart{name, units.Seconds(float64(*to-*from) / 1e9)})
		}
	}
	add(metric.Lateness, &s.Due, s.Released)
	add(metric.Blocked, s.Released, s.Sent)
	timing, _ := record.ParseServerTiming(nil, []byte(s.ServerTiming)) // what stands before an error is shown
	for i, t := range timing {
		if i == 12 {
			break
		}
		if t.Timed {
			parts = append(parts, slowPart{figures.Name(string(t.Name)), units.Seconds(float64(t.Nanos) / 1e9)})
		}
	}
	return parts
}

// isHex reports whether s is the id of a trace.
func isHex(s string) bool {
	return len(s) == 32 && strings.Trim(s, "0123456789abcdef") == ""
}

// traceURL returns where a trace is shown; "" unless that is a web address.
func traceURL(base, id string) string {
	u, err := url.Parse(base + id)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return u.String()
}

// errorTable counts the errors of each arm by kind.
func errorTable(run Run) *table {
	counts := map[string]map[string]int{}
	for _, b := range run.Blocks {
		for kind, n := range b.Errors {
			if counts[kind] == nil {
				counts[kind] = map[string]int{}
			}
			counts[kind][b.Arm] += n
		}
	}
	if len(counts) == 0 {
		return nil
	}
	t := &table{ID: "errors", Columns: []string{"kind"}}
	for _, a := range run.Summary.Arms {
		t.Columns = append(t.Columns, figures.Name(a))
	}
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		r := row{Head: figures.Name(kind)}
		for _, a := range run.Summary.Arms {
			n := counts[kind][a]
			r.Cells = append(r.Cells, cell{Text: units.Thousands(float64(n)), Exact: fmt.Sprint(n)})
		}
		t.Rows = append(t.Rows, r)
	}
	return t
}

// differencesShown bounds the list of answers that differ.
const differencesShown = 30

// differenceTable lists requests that the arms answered differently.
func differenceTable(run Run) *table {
	if len(run.Differences) == 0 {
		return nil
	}
	t := &table{ID: "differences", Columns: []string{"request", "pair"}}
	for _, a := range run.Summary.Arms {
		t.Columns = append(t.Columns, figures.Name(a))
	}
	for i, d := range run.Differences {
		if i == differencesShown {
			t.More = fmt.Sprintf("%d more are in %s", len(run.Differences)-i, record.DifferencesFile)
			break
		}
		r := row{Head: address(d.Host), Part: address(d.Path), Cells: []cell{{Text: fmt.Sprint(d.Pair + 1)}}}
		for _, a := range run.Summary.Arms {
			c := cell{Text: "–"}
			if answer, has := d.Arms[a]; has {
				c = cell{Text: fmt.Sprintf("%d, %s, body %08x", answer.Status, units.InBytes(float64(answer.Bytes)), answer.BodyHash), Word: true}
			}
			r.Cells = append(r.Cells, c)
		}
		t.Rows = append(t.Rows, r)
	}
	return t
}

// hostTable shows the busiest hostnames.
func hostTable(run Run) *table {
	if len(run.Requests.Hosts) == 0 {
		return nil
	}
	t := &table{ID: "hosts", Title: fmt.Sprintf("The %d busiest hostnames", len(run.Requests.Hosts)), Columns: []string{"hostname", "requests"}}
	for _, h := range run.Requests.Hosts {
		t.Rows = append(t.Rows, row{Head: address(h.Name), Cells: []cell{{Text: whole(h.Requests), Exact: fmt.Sprint(h.Requests)}}})
	}
	for _, a := range run.Summary.Arms {
		for _, statistic := range []string{"p50", "p99"} {
			t.addHosts(run.Requests.Hosts, a, statistic)
		}
	}
	if run.Requests.Others > 0 {
		t.More = units.Thousands(float64(run.Requests.Others)) + " requests went to hostnames beyond the first " + units.Thousands(hostsCounted)
	}
	return t
}

// addHosts adds the column of an arm's quantile, unless no host has enough
// requests for it.
func (t *table) addHosts(hosts []Host, arm, statistic string) {
	var cells []cell
	for _, h := range hosts {
		cells = append(cells, hostCell(h.TTFB[arm], statistic))
	}
	if !slices.ContainsFunc(cells, func(c cell) bool { return c.Exact != "" }) {
		return
	}
	t.Columns = append(t.Columns, figures.Name(arm)+" "+statistic)
	for i := range t.Rows {
		t.Rows[i].Cells = append(t.Rows[i].Cells, cells[i])
	}
}

// hostCell shows a quantile that enough requests hold.
func hostCell(h *record.Histogram, statistic string) cell {
	for _, s := range record.Statistics() {
		if s.Name == statistic && h != nil && s.Held(h.N()) {
			f := figureOf(s.Of(h), "s")
			return cell{Text: f.Text, Exact: f.Exact}
		}
	}
	return cell{Text: "–"}
}
