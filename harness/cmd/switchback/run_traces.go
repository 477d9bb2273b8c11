package main

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"strings"
	"text/tabwriter"

	"github.com/spf13/pflag"

	"switchback/harness/runner"
	"switchback/harness/trace"
	"switchback/results/units"
)

// traceFlags are the flags of `switchback run` about traces.
type traceFlags struct {
	otlp     string
	share    string
	slowest  int
	jaegerUI string
	metrics  string
	profile  string
}

func (f *traceFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.otlp, "otlp", "", "send traces to the collector at this `URL` (env: that of OTEL_EXPORTER_OTLP_ENDPOINT); see docs/traces.md")
	flags.StringVar(&f.share, "trace-share", "10%", "`share` of the requests that are traced")
	flags.IntVar(&f.slowest, "trace-slowest", trace.DefaultSlowest, "the slowest requests of each block are traced in any case")
	flags.StringVar(&f.jaegerUI, "jaeger-ui", "", "`URL` of Jaeger's pages, for links to the traces of the slowest requests")
	flags.StringVar(&f.metrics, "metrics-listen", "", "serve the run's metrics to Prometheus at this `address`, as in 127.0.0.1:9464; path /metrics")
	flags.StringVar(&f.profile, "profile", "", "take a `kind` of profile of each built-in edge, and of arms with a pprof_url, after the last block: cpu, heap, mutex")
}

// traces is what a run needs to make traces, and what it made.
type traces struct {
	runner.Tracing
	exporter *trace.Exporter
	url      string // what the id of a trace is appended to; "" without --jaeger-ui
	server   *metricsServer
}

// open connects to the collector and asks whether it takes spans: a run that
// was to be traced and can't reach its collector should not take its minutes
// first.
func (f *traceFlags) open(ctx context.Context, stderr io.Writer) (*traces, error) {
	t := &traces{}
	if f.jaegerUI != "" {
		t.url = strings.TrimRight(f.jaegerUI, "/") + "/trace/"
	}
	share, err := parseShare(f.share)
	if err == nil {
		err = f.check()
	}
	if err != nil {
		return nil, usage(err)
	}
	if err := f.openTraces(ctx, t, share, stderr); err != nil {
		t.close()
		return nil, err
	}
	if err := f.openMetrics(ctx, t, stderr); err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}

// openTraces adds the tracer, with --otlp.
func (f *traceFlags) openTraces(ctx context.Context, t *traces, share float64, stderr io.Writer) (err error) {
	if f.otlp == "" {
		return nil
	}
	if t.exporter, err = trace.Open(ctx, f.otlp, trace.RoleHarness, version); err != nil {
		return usage(err)
	}
	if refused, err := t.exporter.Check(ctx); refused {
		fmt.Fprintf(stderr, "switchback: the collector refused a first span, and may refuse others: %v\n", err)
	} else if err != nil {
		return err
	}
	t.Tracing = runner.Tracing{OTLP: f.otlp, Tracer: trace.NewTracer(t.exporter, trace.Options{Share: share, Slowest: f.slowest})}
	return nil
}

func (f *traceFlags) check() error {
	if f.slowest < 0 {
		return fmt.Errorf("--trace-slowest %d: expected 0 or more", f.slowest)
	}
	if u, err := url.Parse(f.jaegerUI); f.jaegerUI != "" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https") {
		return fmt.Errorf("--jaeger-ui %q: expected a URL, as in http://localhost:16686", f.jaegerUI)
	}
	return nil
}

func (t *traces) close() {
	if t.server != nil {
		t.server.close()
	}
	if t.Metrics != nil {
		_ = t.Metrics.Close() // what was not sent is noted with its block
	}
	if t.exporter != nil {
		t.exporter.Close()
	}
}

// print lists the slowest requests with their traces.
func (t *traces) print(w io.Writer) {
	if t.Tracer == nil {
		return
	}
	fmt.Fprintf(w, "\nThe slowest requests, and their traces (the run's own: %s)\n", t.Tracer.TraceID())
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, s := range t.Tracer.Slowest() {
		name := t.url + s.TraceID.String()
		if s.Reconstructed {
			name += " (reconstructed)"
		}
		fmt.Fprintf(table, "  %s\t%s\tpair %d\t%s\t%s\n", units.Seconds(s.TTFB.Seconds()), s.Arm, s.Pair+1, s.Host, name)
	}
	_ = table.Flush() // the terminal has gone away
}
