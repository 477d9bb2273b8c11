// Package collector is an OTLP receiver inside a test: it keeps what it is
// sent and refuses what it is told to.
package collector

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	metricservice "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	traceservice "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
)

// Collector receives spans and metrics over OTLP/gRPC and OTLP/HTTP on
// loopback.
type Collector struct {
	GRPC string // URL
	HTTP string // URL

	// Refuse, when set before the first message, answers a message of n spans: an
	// HTTP status or a gRPC error, or how many of the spans it rejects.
	Refuse func(n int) (status int, rejected int64, err error)

	traceservice.UnimplementedTraceServiceServer

	mu      sync.Mutex
	tried   []Message
	spans   []*tracepb.ResourceSpans
	metrics []*metricspb.ResourceMetrics
	stop    func()
}

// Message is one that arrived, whatever it was answered.
type Message struct {
	At    time.Time
	Spans []*tracepb.Span
}

// Start starts a collector that ends with the test.
func Start(t testing.TB) *Collector {
	t.Helper()
	c := &Collector{}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer()
	traceservice.RegisterTraceServiceServer(server, c)
	metricservice.RegisterMetricsServiceServer(server, metricsService{c: c})
	var serving sync.WaitGroup
	serving.Go(func() { _ = server.Serve(listener) })
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/traces", c.postTraces)
	mux.HandleFunc("POST /v1/metrics", c.postMetrics)
	web := httptest.NewServer(mux)
	c.GRPC, c.HTTP = "grpc://"+listener.Addr().String(), web.URL
	c.stop = sync.OnceFunc(func() {
		server.Stop()
		serving.Wait()
		web.CloseClientConnections()
		web.Close()
	})
	t.Cleanup(c.stop)
	return c
}

// Stop ends the collector, as one that is killed.
func (c *Collector) Stop() { c.stop() }

// Spans returns all spans received so far.
func (c *Collector) Spans() (all []*tracepb.Span) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, r := range c.spans {
		for _, s := range r.ScopeSpans {
			all = append(all, s.Spans...)
		}
	}
	return all
}

// Tried returns all messages with spans that arrived, those that were refused
// too.
func (c *Collector) Tried() []Message {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.tried)
}

// Metrics returns all metrics received so far.
func (c *Collector) Metrics() (all []*metricspb.Metric) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, r := range c.metrics {
		for _, s := range r.ScopeMetrics {
			all = append(all, s.Metrics...)
		}
	}
	return all
}

// Resources returns what spans and metrics came from: the texts of each
// resource by the name of its service.
func (c *Collector) Resources() (spans, metrics map[string]map[string]string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	spans, metrics = map[string]map[string]string{}, map[string]map[string]string{}
	for _, r := range c.spans {
		of := texts(r.Resource)
		spans[of["service.name"]] = of
	}
	for _, r := range c.metrics {
		of := texts(r.Resource)
		metrics[of["service.name"]] = of
	}
	return spans, metrics
}

func texts(of *resourcepb.Resource) map[string]string {
	all := map[string]string{}
	for _, a := range of.GetAttributes() {
		all[a.Key] = a.Value.GetStringValue()
	}
	return all
}

// take keeps a message and returns what it is answered.
func (c *Collector) take(spans []*tracepb.ResourceSpans) (status int, answer *traceservice.ExportTraceServiceResponse, err error) {
	m := Message{At: time.Now()}
	for _, r := range spans {
		for _, s := range r.ScopeSpans {
			m.Spans = append(m.Spans, s.Spans...)
		}
	}
	c.mu.Lock()
	c.tried = append(c.tried, m)
	c.mu.Unlock()
	answer = &traceservice.ExportTraceServiceResponse{}
	if c.Refuse != nil {
		var rejected int64
		if status, rejected, err = c.Refuse(len(m.Spans)); status != 0 || err != nil {
			return status, answer, err
		}
		if rejected > 0 {
			answer.PartialSuccess = &traceservice.ExportTracePartialSuccess{RejectedSpans: rejected, ErrorMessage: "too many"}
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.spans = append(c.spans, slices.Clone(spans)...)
	return http.StatusOK, answer, nil
}

// Export implements OTLP/gRPC for traces.
func (c *Collector) Export(_ context.Context, r *traceservice.ExportTraceServiceRequest) (*traceservice.ExportTraceServiceResponse, error) {
	_, answer, err := c.take(r.ResourceSpans)
	return answer, err
}

func (c *Collector) postTraces(w http.ResponseWriter, r *http.Request) {
	request := &traceservice.ExportTraceServiceRequest{}
	if !read(w, r, request) {
		return
	}
	status, answer, err := c.take(request.ResourceSpans)
	if err != nil {
		status = http.StatusServiceUnavailable
	}
	reply(w, max(status, http.StatusOK), answer)
}

func (c *Collector) postMetrics(w http.ResponseWriter, r *http.Request) {
	request := &metricservice.ExportMetricsServiceRequest{}
	if !read(w, r, request) {
		return
	}
	c.mu.Lock()
	c.metrics = append(c.metrics, request.ResourceMetrics...)
	c.mu.Unlock()
	reply(w, http.StatusOK, &metricservice.ExportMetricsServiceResponse{})
}

// read reads a message; it answers 400 itself.
func read(w http.ResponseWriter, r *http.Request, into proto.Message) bool {
	body, err := io.ReadAll(r.Body)
	if err == nil {
		err = proto.Unmarshal(body, into)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
	}
	return err == nil
}

func reply(w http.ResponseWriter, status int, answer proto.Message) {
	w.Header().Set("Content-Type", "application/x-protobuf")
	w.WriteHeader(status)
	if raw, err := proto.Marshal(answer); err == nil && status == http.StatusOK {
		_, _ = w.Write(raw) // the client went away
	}
}

// metricsService is OTLP/gRPC for metrics.
type metricsService struct {
	metricservice.UnimplementedMetricsServiceServer
	c *Collector
}

// Export implements OTLP/gRPC for metrics.
func (m metricsService) Export(_ context.Context, r *metricservice.ExportMetricsServiceRequest) (*metricservice.ExportMetricsServiceResponse, error) {
	m.c.mu.Lock()
	defer m.c.mu.Unlock()
	m.c.metrics = append(m.c.metrics, r.ResourceMetrics...)
	return &metricservice.ExportMetricsServiceResponse{}, nil
}
