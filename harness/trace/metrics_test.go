package trace_test

import (
	"context"
	"encoding/json"
	"maps"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"testing"

	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"

	"switchback/harness/trace"
	"switchback/harness/trace/collector"
	"switchback/results/record"
)

// recorded returns metrics with one block of two requests.
func recorded(t *testing.T, url string) *trace.Metrics {
	t.Helper()
	m, err := trace.NewMetrics(context.Background(), url, "0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close() })
	m.Begin(record.Manifest{Run: "run-1"})
	block := record.Block{Arm: "a"}
	for _, name := range []string{"edge.cpu", "edge.memory.peak", "origin.requests", "cache.hit_ratio", "kv.lru.hit_ratio", "ttfb.p50", "phase.route.p99"} {
		block.Metrics = append(block.Metrics, record.Value{Metric: name, Value: 0.25})
	}
	samples := []record.Sample{
		{Due: 0, Released: 1e6, Sent: 2e6, FirstByte: 10e6, Done: 12e6},
		{Due: 0, Released: 1e6, Sent: record.Never, FirstByte: record.Never, Done: 5e6, Error: record.ErrDial},
	}
	if err := m.Block(context.Background(), block, samples); err != nil {
		t.Fatal(err)
	}
	return m
}

// Durations travel as exponential histograms, and no quantile does.
func TestMetricsOverOTLP(t *testing.T) { both(t, sendMetrics) }

func sendMetrics(t *testing.T, c *collector.Collector, url string) {
	if err := recorded(t, url).Send(context.Background()); err != nil {
		t.Fatal(err)
	}
	byName := map[string]*metricspb.Metric{}
	for _, m := range c.Metrics() {
		byName[m.Name] = m
	}
	want := []string{"switchback.blocked", "switchback.cache.hit_ratio", "switchback.edge.cpu", "switchback.edge.memory.peak", "switchback.kv.lru.hit_ratio",
		"switchback.latency", "switchback.lateness", "switchback.no_answer", "switchback.origin.requests", "switchback.requests", "switchback.service_ttfb", "switchback.ttfb"}
	if got := slices.Sorted(maps.Keys(byName)); !slices.Equal(got, want) {
		t.Fatalf("metrics %q, want %q", got, want)
	}
	ttfb := byName["switchback.ttfb"].GetExponentialHistogram()
	if ttfb == nil || len(ttfb.DataPoints) != 1 || ttfb.DataPoints[0].Count != 1 || ttfb.DataPoints[0].GetSum() != 0.010 {
		t.Errorf("ttfb is %v; want an exponential histogram of one value, 10 ms", byName["switchback.ttfb"])
	}
	if none := byName["switchback.no_answer"].GetSum(); len(none.GetDataPoints()) != 3 {
		t.Errorf("the request that failed has no answer in %v; want ttfb, service_ttfb and latency", none)
	}
	if service := byName["switchback.service_ttfb"].GetExponentialHistogram(); service.DataPoints[0].Count != 1 {
		t.Errorf("service_ttfb counts a request that was never sent: %v", service)
	}
}

// exposed finds the names of metrics in Prometheus' text.
var exposed = regexp.MustCompile(`(?m)^# TYPE (\S+) `)

// used finds them in the queries of a dashboard.
var used = regexp.MustCompile(`switchback_\w+`)

// Every metric that the dashboard asks for is served.
func TestDashboardNamesExist(t *testing.T) {
	w := httptest.NewRecorder()
	recorded(t, "").Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	served := map[string]bool{}
	for _, match := range exposed.FindAllStringSubmatch(w.Body.String(), -1) {
		served[match[1]] = true
	}
	raw, err := os.ReadFile("../../docs/grafana.json")
	if err != nil {
		t.Fatal(err)
	}
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(raw, &dashboard); err != nil {
		t.Fatal(err)
	}
	names := 0
	for _, p := range dashboard.Panels {
		for _, target := range p.Targets {
			for _, name := range used.FindAllString(target.Expr, -1) {
				names++
				if !served[name] {
					t.Errorf("panel %q asks for %s; served are %q", p.Title, name, slices.Sorted(maps.Keys(served)))
				}
			}
		}
	}
	if names < 10 {
		t.Errorf("the dashboard asks for %d metrics; expected at least 10", names)
	}
}
