package attack

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"switchback/results/metric"
	"switchback/results/units"
)

// WriteText writes the report as a table.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: engine %s, arrivals %s%s\n", r.URL, r.Engine, r.Arrivals, r.loop())
	r.writeOutcomes(&b)
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "\tp50\tp90\tp95\tp99\tp99.9\tmean\tmax\t")
	for number, q := range r.metrics() {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", metric.OfRequests()[number],
			units.Seconds(q.P50), units.Seconds(q.P90), units.Seconds(q.P95), units.Seconds(q.P99), units.Seconds(q.P999), units.Seconds(q.Mean), units.Seconds(q.Max))
	}
	table.Flush()
	writeSpread(&b, metric.TTFB, r.Spread)
	r.writeGenerator(&b)
	r.writeThresholds(&b)
	for _, note := range r.Notes {
		fmt.Fprintln(&b, "note:", note)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeOutcomes says what became of the requests.
func (r *Report) writeOutcomes(w io.Writer) {
	fmt.Fprintf(w, "%d requests in %s, %s; %s\n", r.Requests, units.Seconds(r.Seconds), r.rates(), r.errors())
	fmt.Fprintf(w, "%d connections opened, %d requests reused one; bodies: %s received, %s sent\n",
		r.Connections.Opened, r.Connections.Reused, units.InBytes(float64(r.Bytes.Received)), units.InBytes(float64(r.Bytes.Sent)))
	if len(r.StatusCodes) > 0 {
		fmt.Fprintf(w, "%s; status %s\n", counted(r.Protocols), counted(r.StatusCodes))
	}
	for _, reason := range r.Reasons {
		fmt.Fprintf(w, "%10s  %s: %s\n", units.Thousands(float64(reason.Count)), reason.Kind, reason.Text)
	}
	fmt.Fprintln(w)
}

// writeGenerator says what the load cost and how well it kept its schedule.
func (r *Report) writeGenerator(w io.Writer) {
	if r.Requests == 0 {
		return
	}
	fmt.Fprintf(w, "\ngenerator: %s CPU a request", units.Seconds(r.Generator.CPUPerRequest))
	if s := r.Schedule; s != nil {
		fmt.Fprintf(w, ", of which %s spinning until it was due; distance of gaps %.3f, variance/mean per 10 ms %.2f (planned %.2f)",
			units.Seconds(r.Generator.Spin/float64(r.Requests)), s.Distance, s.DispersionKept, s.DispersionPlanned)
	}
	fmt.Fprintln(w)
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
	switch {
	case r.Requests == 0:
		return "no request was sent"
	case len(r.Errors) == 0:
		return "100 % succeeded, no errors"
	}
	return fmt.Sprintf("%s succeeded; errors: %s", succeeded(r.Success), counted(r.Errors))
}

// succeeded writes a share below one, which is never rounded to 100 %.
func succeeded(share float64) string {
	return strconv.FormatFloat(min(math.Floor(1e4*share+1e-6)/100, 99.99), 'f', -1, 64) + " %"
}

// counted lists counts by name: "200 99, 401 1".
func counted(counts map[string]int64) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%s %d", name, counts[name]))
	}
	return strings.Join(parts, ", ")
}
