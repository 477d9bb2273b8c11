package attack

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"switchback/results/metric"
	"switchback/results/units"
)

// WriteText writes the report as a table.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: engine %s, arrivals %s%s\n", r.URL, r.Engine, r.Arrivals, r.loop())
	fmt.Fprintf(&b, "%d requests in %s, %s; %s; %d connections opened\n\n", r.Requests, units.Seconds(r.Seconds), r.rates(), r.errors(), r.Connections.Dials)
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "\tp50\tp90\tp95\tp99\tp99.9\tmean\tmax\t")
	for number, q := range r.metrics() {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", metric.OfRequests()[number],
			units.Seconds(q.P50), units.Seconds(q.P90), units.Seconds(q.P95), units.Seconds(q.P99), units.Seconds(q.P999), units.Seconds(q.Mean), units.Seconds(q.Max))
	}
	table.Flush()
	fmt.Fprintf(&b, "\ngenerator: %s CPU a request", units.Seconds(r.Generator.CPUPerRequest))
	if s := r.Schedule; s != nil {
		fmt.Fprintf(&b, ", %s of it all spinning; distance of gaps %.3f, variance/mean per 10 ms %.2f (planned %.2f)",
			units.Seconds(r.Generator.Spin), s.Distance, s.DispersionKept, s.DispersionPlanned)
	}
	b.WriteByte('\n')
	for _, note := range r.Notes {
		fmt.Fprintln(&b, "note:", note)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *Report) loop() string {
	if !r.ClosedLoop {
		return ""
	}
	return " (closed loop: a request is due when a connection is free, so a slow server is asked less)"
}

func (r *Report) rates() string {
	if r.ClosedLoop {
		return fmt.Sprintf("%.1f/s", r.Rate.Kept)
	}
	return fmt.Sprintf("%.1f/s asked, %.1f/s kept", r.Rate.Asked, r.Rate.Kept)
}

func (r *Report) errors() string {
	if len(r.Errors) == 0 {
		return "no errors"
	}
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(r.Errors)) {
		parts = append(parts, fmt.Sprintf("%s %d", kind, r.Errors[kind]))
	}
	return "errors: " + strings.Join(parts, ", ")
}
