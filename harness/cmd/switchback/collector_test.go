package main

import (
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"switchback/harness/trace/collector"
	"switchback/results/record"
)

// stretch is the time from the first due to the last done request of a block.
type stretch struct{ from, to uint64 }

// stretches returns the stretch of each block, by the spans of its requests.
func stretches(tried []collector.Message) map[string]stretch {
	all := map[string]stretch{}
	for _, m := range tried {
		for _, s := range m.Spans {
			if s.Name != "request" {
				continue
			}
			block := ""
			for _, a := range s.Attributes {
				if a.Key == "switchback.arm" || a.Key == "switchback.pair" {
					block += a.Value.String() + " "
				}
			}
			b, known := all[block]
			if !known {
				b = stretch{s.StartTimeUnixNano, s.EndTimeUnixNano}
			}
			all[block] = stretch{min(b.from, s.StartTimeUnixNano), max(b.to, s.EndTimeUnixNano)}
		}
	}
	return all
}

// TestCollectorThatDies checks that a collector that takes no more from the
// middle on costs its spans and not the run, that the loss is told by number,
// and that nothing is sent while a block is measured: so it can't cost
// lateness, before or after.
func TestCollectorThatDies(t *testing.T) {
	c := collector.Start(t)
	var dead atomic.Bool
	var lost atomic.Int64
	c.Refuse = func(n int) (int, int64, error) {
		if !dead.Load() {
			return 0, 0, nil
		}
		lost.Add(int64(n))
		return 0, 0, status.Error(codes.ResourceExhausted, "dead")
	}
	folder, _ := runTraced(t, c.GRPC, func(run string) {
		waitFor(t, "a block on disk", time.Minute, func() bool { return countLines(filepath.Join(run, record.BlocksFile)) >= 1 })
		dead.Store(true)
	})
	var made, delivered int64
	for _, b := range folder.Blocks {
		made, delivered = made+b.Spans.Made, delivered+b.Spans.Delivered
		if b.Due != 130 || b.Released != b.Due {
			t.Errorf("pair %d, arm %s: %d of %d released", b.Pair, b.Arm, b.Released, b.Due)
		}
	}
	notes := strings.Join(folder.Summary.Validity.Notes, "\n")
	if len(folder.Blocks) != 4 || lost.Load() == 0 || delivered == 0 || made == delivered || !strings.Contains(notes, "spans did not reach the collector") {
		t.Errorf("%d blocks, %d of %d spans delivered, notes %q", len(folder.Blocks), delivered, made, notes)
	}
	if n := int64(len(c.Spans())); n != delivered+1 { // the first asked whether it takes any
		t.Errorf("the collector has %d spans of %d delivered and one", n, delivered)
	}
	blocks := stretches(c.Tried())
	if len(blocks) != 4 {
		t.Fatalf("messages tell of %d blocks, want 4", len(blocks))
	}
	for _, m := range c.Tried() {
		for name, b := range blocks {
			if at := uint64(m.At.UnixNano()); at >= b.from && at <= b.to {
				t.Errorf("a message of %d spans came %v into the block %s", len(m.Spans), time.Duration(at-b.from), name)
			}
		}
	}
}

// TestMetricsOfARun checks that a run's metrics reach a collector and, while
// it runs, whoever asks for them.
func TestMetricsOfARun(t *testing.T) {
	c := collector.Start(t)
	t.Setenv("OTEL_SERVICE_NAME", "x")
	t.Setenv("OTEL_RESOURCE_ATTRIBUTES", "team=one")
	address := "127.0.0.1:" + freePorts(t, 1)[0]
	folder, _ := runTraced(t, c.HTTP, func(string) {
		waitFor(t, "the requests of both arms are served", time.Minute, func() bool {
			served := scrape(address)
			return strings.Contains(served, `switchback_requests_total{arm="old",error=""`) && strings.Contains(served, `switchback_requests_total{arm="new",error=""`)
		})
	}, "--metrics-listen", address)
	got := map[string]bool{}
	for _, m := range c.Metrics() {
		got[m.Name] = true
	}
	for _, name := range []string{"switchback.ttfb", "switchback.requests", "switchback.edge.cpu", "switchback.origin.requests"} {
		if !got[name] {
			t.Errorf("the collector has no %s, only %v", name, got)
		}
	}
	spans, metrics := c.Resources()
	for _, of := range []map[string]string{spans["x"], spans["x-edge"], spans["x-origin"], metrics["x"]} {
		if of["team"] != "one" {
			t.Errorf("the resources of spans are %v, of metrics %v", spans, metrics)
		}
	}
	if len(c.Spans()) == 0 || len(folder.Blocks) != 4 {
		t.Errorf("%d spans, %d blocks", len(c.Spans()), len(folder.Blocks))
	}
}

// scrape returns what is served to Prometheus; "" when nothing is.
func scrape(address string) string {
	response, err := http.Get("http://" + address + "/metrics")
	if err != nil {
		return ""
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return ""
	}
	return string(body)
}
