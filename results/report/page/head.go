package page

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"switchback/results/gate"
	"switchback/results/record"
	"switchback/results/report/figures"
	"switchback/results/units"
)

// head is what the run was and what came of it.
type head struct {
	Title      string
	Experiment string
	Run        string
	Verdict    string
	Meaning    string
	Sentences  []string
	Facts      []fact
	Valid      bool
	Notes      []string
	Noise      string
	Order      string
	Events     []string
	LastLines  []lastLines
	Found      []string // before anything was measured
	Missing    []string
}

// fact is a line of a list of terms.
type fact struct{ Term, Text string }

func headOf(run Run) head {
	s := run.Summary
	return head{
		Title: figures.Name(s.Experiment) + ": " + figures.Name(s.Verdict), Experiment: figures.Name(s.Experiment), Run: figures.Name(s.Run),
		Verdict: figures.Name(s.Verdict), Meaning: meaning(run), Sentences: run.Sentences(), Facts: facts(run),
		Valid: s.Validity.OK, Notes: printables(s.Validity.Notes), Noise: run.Noise(), Order: run.OrderEffect(),
		Events: printables(s.Events), LastLines: lastLinesOf(s.Deaths), Found: printables(run.Manifest.Notes), Missing: printables(run.Missing),
	}
}

// notesShown bounds notes and events; all are in summary.json.
const notesShown = 50

func printables(texts []string) []string {
	var out []string
	for i, t := range texts {
		if i == notesShown {
			return append(out, fmt.Sprintf("… and %d more in %s", len(texts)-i, record.SummaryFile))
		}
		out = append(out, figures.Printable(t))
	}
	return out
}

// lastLines are what a lost arm wrote last.
type lastLines struct{ Arm, Text string }

func lastLinesOf(deaths []record.LostArm) []lastLines {
	var all []lastLines
	for _, d := range deaths {
		if len(d.Lines) > 0 {
			all = append(all, lastLines{figures.Name(d.Arm), strings.Join(printables(d.Lines), "\n")})
		}
	}
	return all
}

// meaning says a verdict in words.
func meaning(run Run) string {
	n := len(run.Summary.Gates)
	switch run.Summary.Verdict {
	case record.Pass:
		return units.Count(n, "gate") + " held"
	case record.Regression:
		if deaths := run.Summary.Deaths; len(deaths) > 0 {
			return figures.Printable(fmt.Sprintf("%s %v", deaths[0].Arm, deaths[0].Death))
		}
		return "a gate is broken"
	case record.Inconclusive:
		return "too little was seen to decide every gate"
	case record.Invalid:
		return disbelief(run.Summary.Validity)
	}
	if !run.Summary.Validity.OK { // of a short run, which claims nothing
		return disbelief(run.Summary.Validity)
	}
	if n > 0 {
		return "the gates were not judged"
	}
	return "the experiment has no gates"
}

// disbelief says why a measurement can't be believed, as far as one line goes.
func disbelief(v record.Validity) string {
	if len(v.Notes) == 0 {
		return "the measurement can't be believed"
	}
	return "the measurement can't be believed: " + figures.Printable(v.Notes[0])
}

func facts(run Run) []fact {
	s, m := run.Summary, run.Manifest
	all := []fact{
		{"Compared", compared(run)},
		{"Measured", strings.Join([]string{units.Count(s.Pairs, "pair"), units.Count(s.Launches, "launch"),
			units.Count(s.Requests, "request"), units.Count(s.Errors, "error")}, ", ")},
		{"Seed", fmt.Sprint(s.Seed)},
	}
	if !m.Start.IsZero() {
		all = append(all, fact{"Started", m.Start.UTC().Format("2006-01-02 15:04:05 UTC") + lasted(m)})
	}
	if m.MachineKind.CPUs > 0 {
		k := m.MachineKind
		all = append(all, fact{"Machine", figures.Printable(fmt.Sprintf("%s, %s, %d GiB, %s, %s", k.CPU, units.Count(k.CPUs, "CPU"), k.MemoryGiB, k.Architecture, m.Kernel))})
	}
	if len(m.Pinning) > 0 {
		all = append(all, fact{"CPUs", pairsOf(m.Pinning)})
	}
	if m.Version != "" {
		all = append(all, fact{"switchback", figures.Printable(strings.TrimSpace(m.Version + " " + shortened(m.Commit, 12)))})
	}
	if len(m.Versions) > 0 {
		all = append(all, fact{"Arms", pairsOf(m.Versions)})
	}
	if answers := s.Answers(); answers != "" {
		all = append(all, fact{"Status codes", figures.Printable(answers)})
	}
	return all
}

func compared(run Run) string {
	base := figures.Name(run.Summary.Baseline)
	var arms []string
	for _, a := range run.Candidates() {
		arms = append(arms, figures.Name(a))
	}
	if len(arms) == 0 {
		return base + " by itself"
	}
	return strings.Join(arms, ", ") + " against " + base
}

func lasted(m record.Manifest) string {
	if m.End.Before(m.Start) {
		return ", did not end"
	}
	return ", for " + m.End.Sub(m.Start).Round(time.Second).String()
}

// pairsOf lists the entries of a map by key.
func pairsOf(m map[string]string) string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		parts = append(parts, k+" "+m[k])
	}
	return figures.Printable(strings.Join(parts, ", "))
}

func shortened(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return s[:n]
}

// gateRow is a judged gate.
type gateRow struct {
	Verdict, Metric, Group, Arm, Bound, Reason, Advice string
	Line                                               int
}

func gateRows(gates []record.Gate) []gateRow {
	var rows []gateRow
	for _, g := range gates {
		rows = append(rows, gateRow{Verdict: figures.Name(g.Verdict), Metric: figures.Name(g.Metric), Group: figures.Name(g.Group), Arm: figures.Name(g.Arm),
			Bound: figures.Printable(g.Bound), Reason: figures.Printable(strings.Join(gate.Grounds(g), "; ")), Advice: figures.Printable(gate.Advice(g)), Line: g.Line})
	}
	return rows
}
