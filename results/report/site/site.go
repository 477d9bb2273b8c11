// Package site serves the runs of a folder as web pages: a list, the report of
// each, and any of them side by side. It only reads, and renders every page
// anew from the folder. Which hosts it answers for is a matter of the guard in
// front of it.
package site

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path/filepath"

	"switchback/results/record"
	"switchback/results/report/page"
)

// mostCompared bounds the runs of one comparison.
const mostCompared = 8

// rendering bounds how many pages are made at once: one takes a processor and
// the memory of a run's histograms.
const rendering = 2

// Options set a site; Dir is needed.
type Options struct {
	Dir string // holds a folder for each run
	// Open opens a run's folder and sees to it that it has a summary; default:
	// record.Open, where a run that did not end has no page.
	Open func(dir string) (*record.Folder, error)
	page.Options
}

// site answers requests.
type site struct {
	Options
	turn chan struct{}
}

// Handler returns the handler of a site.
func Handler(o Options) http.Handler {
	if o.Open == nil {
		o.Open = record.Open
	}
	s := &site{o, make(chan struct{}, rendering)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.list)
	mux.HandleFunc("GET /run/{name}", s.run)
	mux.HandleFunc("GET /compare", s.compare)
	mux.HandleFunc("GET /", func(w http.ResponseWriter, r *http.Request) {
		s.say(w, http.StatusNotFound, "Nothing here", "There is no page "+r.URL.Path+".")
	})
	return shielded(mux)
}

// shielded tells browsers to keep the pages to themselves.
func shielded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		h.Set("Content-Security-Policy", "frame-ancestors 'none'")
		next.ServeHTTP(w, r)
	})
}

func (s *site) list(w http.ResponseWriter, r *http.Request) {
	runs, err := page.List(s.Dir)
	if err != nil {
		s.say(w, http.StatusInternalServerError, "The runs can't be read", err.Error())
		return
	}
	s.write(w, func(out io.Writer) error { return page.WriteList(out, s.Dir, runs) })
}

func (s *site) run(w http.ResponseWriter, r *http.Request) {
	defer s.takeTurn()()
	folder, err := s.open(r.PathValue("name"))
	if err != nil {
		s.say(w, http.StatusNotFound, "This run can't be shown", err.Error())
		return
	}
	s.write(w, func(out io.Writer) error { return page.Write(out, page.Load(folder), s.Options.Options) })
}

func (s *site) compare(w http.ResponseWriter, r *http.Request) {
	names := r.URL.Query()["run"]
	if len(names) < 2 || len(names) > mostCompared {
		s.say(w, http.StatusBadRequest, "Which runs?", fmt.Sprintf("A comparison takes two to %d runs; %d are chosen.", mostCompared, len(names)))
		return
	}
	defer s.takeTurn()()
	var runs []page.Run
	var links []string
	for _, name := range names {
		folder, err := s.open(name)
		if err != nil {
			s.say(w, http.StatusNotFound, "A run can't be shown", err.Error())
			return
		}
		runs, links = append(runs, page.LoadCurves(folder)), append(links, "/run/"+url.PathEscape(name))
	}
	s.write(w, func(out io.Writer) error { return page.WriteComparison(out, runs, links) })
}

// takeTurn waits until a page may be made, and returns what ends the turn.
func (s *site) takeTurn() (done func()) {
	s.turn <- struct{}{}
	return func() { <-s.turn }
}

// open opens the run of that name, which must be one folder's name.
func (s *site) open(name string) (*record.Folder, error) {
	if name == "" || name == "." || name != filepath.Base(name) || !filepath.IsLocal(name) {
		return nil, fmt.Errorf("%q is no name of a run", name)
	}
	folder, err := s.Open(filepath.Join(s.Dir, name))
	if err == nil && folder.Summary == nil {
		err = fmt.Errorf("the run %s did not end", name)
	}
	return folder, err
}

// write answers with a page, or with an error when it can't be made.
func (s *site) write(w http.ResponseWriter, make func(io.Writer) error) {
	var out bytes.Buffer
	if err := make(&out); err != nil {
		s.say(w, http.StatusInternalServerError, "This page can't be made", err.Error())
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(out.Bytes()) // a reader that has gone is no error of ours
}

// say answers with a page that says one thing.
func (s *site) say(w http.ResponseWriter, status int, title, text string) {
	var out bytes.Buffer
	if err := page.WriteMessage(&out, title, text); err != nil {
		http.Error(w, text, status)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(out.Bytes())
}
