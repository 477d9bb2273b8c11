package page

import (
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"switchback/results/record"
	"switchback/results/report"
	"switchback/results/report/figures"
	"switchback/results/units"
)

// Listed is a run in a folder of runs.
type Listed struct {
	Name       string    `json:"name"` // of its folder
	Experiment string    `json:"experiment,omitempty"`
	State      string    `json:"verdict"`           // or unfinished, broken
	Problem    string    `json:"problem,omitempty"` // why it is broken
	Sentence   string    `json:"sentence,omitempty"`
	Version    string    `json:"version,omitempty"` // of switchback, and the commit that it was built from
	Commit     string    `json:"commit,omitempty"`
	Start      time.Time `json:"start,omitzero"`
	Pairs      int       `json:"pairs"`
	Requests   int       `json:"requests"`
}

// The states of a run that has no verdict.
const (
	Unfinished = "unfinished"
	Broken     = "broken"
)

// List reads the runs in a folder, the latest first. What is no folder is left
// out; a folder that is no run is listed as broken. A folder that is not there
// has no runs.
func List(dir string) ([]Listed, error) {
	entries, err := os.ReadDir(dir)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var runs []Listed
	for _, e := range entries {
		if info, err := os.Stat(filepath.Join(dir, e.Name())); err == nil && info.IsDir() {
			runs = append(runs, listed(dir, e.Name()))
		}
	}
	slices.SortStableFunc(runs, func(a, b Listed) int { return strings.Compare(b.sortKey(), a.sortKey()) })
	return runs, nil
}

// sortKey orders runs by their start; broken ones by the name, which begins
// with it.
func (l Listed) sortKey() string {
	if l.Start.IsZero() {
		return l.Name
	}
	return l.Start.UTC().Format("20060102T150405Z") + l.Name
}

func listed(dir, name string) Listed {
	l := Listed{Name: name}
	folder, err := record.Glance(filepath.Join(dir, name))
	if err != nil {
		l.State, l.Problem = Broken, err.Error()
		return l
	}
	l.Experiment, l.Start, l.State = folder.Manifest.Experiment, folder.Manifest.Start, Unfinished
	l.Version, l.Commit = folder.Manifest.Version, folder.Manifest.Commit
	if s := folder.Summary; s != nil {
		l.State, l.Pairs, l.Requests = s.Verdict, s.Pairs, s.Requests
		if said := (report.Run{Summary: *s}).Sentences(); len(said) > 0 {
			l.Sentence = said[0]
		}
	}
	return l
}

// listView is the page that lists runs.
type listView struct {
	Title string
	Runs  []listRow
}

type listRow struct {
	Name, Value, Link, Experiment, State, Problem, Sentence, When, Size string
	Comparable                                                          bool
}

// WriteList writes the page that lists the runs of a folder. It links to
// /run/NAME and asks /compare.
func WriteList(w io.Writer, title string, runs []Listed) error {
	v := listView{Title: figures.Printable(title)}
	for _, l := range runs {
		r := listRow{Name: figures.Name(l.Name), Value: l.Name, Link: "/run/" + url.PathEscape(l.Name), Experiment: figures.Name(l.Experiment), State: figures.Name(l.State),
			Problem: figures.Printable(l.Problem), Sentence: figures.Printable(l.Sentence), Comparable: l.State != Broken && l.State != Unfinished}
		if !l.Start.IsZero() {
			r.When = l.Start.UTC().Format("2006-01-02 15:04 UTC")
		}
		if l.Requests > 0 {
			r.Size = units.Count(l.Pairs, "pair") + ", " + units.Count(l.Requests, "request")
		}
		v.Runs = append(v.Runs, r)
	}
	return execute(w, "list", "switchback: runs", v)
}
