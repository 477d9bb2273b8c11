package page

import (
	"slices"
	"strings"

	"switchback/results/metric"
	"switchback/results/record"
	"switchback/results/report/figures"
	"switchback/results/units"
)

// phasesView splits the mean TTFB of each arm.
type phasesView struct {
	Arms  []phaseBar
	Names []phaseName
	Table table
}

// phaseBar is an arm's bar: of its own mean, and its length beside the longest.
type phaseBar struct {
	Arm, Mean string
	Scale     string // length at scale, percent
	Parts     []phasePart
}

type phasePart struct {
	Tone              int
	At, Width         string
	Name, Text, Share string
}

type phaseName struct {
	Name string
	Tone int
}

// within names the phases that lie inside another one: what is drawn of the
// outer phase is the rest of it.
func within() map[string]string {
	return map[string]string{"decode": "route", "match": "route"}
}

// rest is the part of the service time that no phase tells.
const rest = "not told by the server"

// phasesOf splits the mean TTFB into the wait in the generator, the wait for a
// connection, the phases that the server told, and the rest.
func phasesOf(run Run) *phasesView {
	if run.Pool == nil {
		return nil
	}
	names := phaseNames(run)
	v := &phasesView{Table: table{ID: "phases", Columns: []string{"part"}}}
	means := map[string]map[string]float64{}
	longest := 0.0
	var arms []string
	for _, arm := range run.Summary.Arms {
		if m := meansOf(run, arm, names); m != nil {
			arms, means[arm] = append(arms, arm), m
			longest = max(longest, m[metric.TTFB])
			v.Table.Columns = append(v.Table.Columns, figures.Name(arm), "share")
		}
	}
	if longest <= 0 {
		return nil
	}
	names = append(names, rest)
	for i, n := range names {
		v.Names = append(v.Names, phaseName{figures.Name(n), i % phaseTones})
		r := row{Head: figures.Name(n)}
		for _, arm := range arms {
			mean := means[arm][n]
			r.Cells = append(r.Cells, cell{Text: units.Seconds(mean), Exact: exact(mean)}, cell{Text: units.Number(mean/means[arm][metric.TTFB], "ratio")})
		}
		v.Table.Rows = append(v.Table.Rows, r)
	}
	for _, arm := range arms {
		v.Arms = append(v.Arms, phaseBarOf(arm, names, means[arm], longest))
	}
	return v
}

// phaseTones are the colours of phases.
const phaseTones = 10

// phaseNames are the parts in the order of a request's life.
func phaseNames(run Run) []string {
	seen := map[string]bool{}
	var others []string
	for _, m := range run.Summary.Metrics {
		phase, is := strings.CutPrefix(m.Name, metric.Phase)
		if cut := strings.LastIndexByte(phase, '.'); is && cut > 0 && !seen[phase[:cut]] {
			seen[phase[:cut]] = true
			others = append(others, phase[:cut])
		}
	}
	names := []string{metric.Lateness, metric.Blocked}
	for _, known := range []string{"route", "decode", "match", "ring", "origin"} {
		if seen[known] {
			names = append(names, known)
		}
	}
	slices.Sort(others)
	for _, o := range others {
		if !slices.Contains(names, o) {
			names = append(names, o)
		}
	}
	return names
}

// meansOf returns the seconds that each part takes of the mean request that was answered.
func meansOf(run Run, arm string, names []string) map[string]float64 {
	all := run.Pool.Histogram(arm, metric.TTFB, "")
	if all == nil || all.Answered().N() == 0 {
		return nil
	}
	answered := all.Answered().N()
	mean := func(h *record.Histogram, of int64) float64 {
		if h == nil || of == 0 {
			return 0
		}
		return h.Sum() / float64(of)
	}
	means := map[string]float64{metric.TTFB: mean(all, answered)}
	for _, n := range names {
		if n == metric.Lateness || n == metric.Blocked {
			means[n] = mean(run.Pool.Histogram(arm, n, ""), all.N())
			continue
		}
		means[n] = mean(run.Pool.Histogram(arm, metric.Phase+n, ""), answered)
	}
	for inner, outer := range within() {
		means[outer] = max(means[outer]-means[inner], 0)
	}
	left := means[metric.TTFB]
	for _, n := range names {
		left -= means[n]
	}
	means[rest] = max(left, 0)
	return means
}

func phaseBarOf(arm string, names []string, means map[string]float64, longest float64) phaseBar {
	b := phaseBar{Arm: figures.Name(arm), Mean: units.Seconds(means[metric.TTFB]), Scale: percent(means[metric.TTFB] / longest)}
	total := 0.0
	for _, n := range names {
		total += means[n]
	}
	at := 0.0
	for i, n := range names {
		share := means[n] / total
		if share <= 0 {
			continue
		}
		b.Parts = append(b.Parts, phasePart{Tone: i % phaseTones, At: percent(at), Width: percent(share), Name: figures.Name(n),
			Text: units.Seconds(means[n]), Share: units.Number(share, "ratio")})
		at += share
	}
	return b
}
