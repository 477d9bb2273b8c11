// Package page writes the report of a run as one HTML file that needs nothing
// else: no network, and no JavaScript for the verdict, the tables and every
// chart, which are SVG. Scripts only add reading off, zooming and the numbers
// of a block.
//
// It computes no verdict and no interval. Names, hosts and notes are hostile:
// the templates escape them, figures makes them printable, and the page forbids
// itself everything but its own two scripts and its style.
package page

import (
	"fmt"
	"io"

	"switchback/results/record"
	"switchback/results/report"
)

// Run is what a page is made of.
type Run struct {
	report.Run
	Experiment []byte          // experiment.yaml; may be nil
	Pool       *record.Pool    // for percentile curves and phases; may be nil
	Requests   Requests        // what samples.parquet says
	Seconds    []record.Second // may be nil
	Missing    []string        // files that could not be read, and why
}

// Options set a page; the zero value is the default.
type Options struct {
	// TraceURL is what the id of a trace is appended to; default: Jaeger on this
	// machine. It must be http or https.
	TraceURL string
}

// defaultTraceURL is where a Jaeger on this machine shows a trace.
const defaultTraceURL = "http://localhost:16686/trace/"

// Write writes the page of a run.
func Write(w io.Writer, run Run, o Options) error {
	if o.TraceURL == "" {
		o.TraceURL = defaultTraceURL
	}
	data := viewOf(run, o)
	if err := execute(w, "run", data.Title, data); err != nil {
		return fmt.Errorf("writing the page of %s: %w", run.Summary.Run, err)
	}
	return nil
}
