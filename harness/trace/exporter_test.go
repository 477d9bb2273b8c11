package trace_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"go.uber.org/goleak"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"switchback/harness/trace"
	"switchback/harness/trace/collector"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(t testing.TB, url string) *trace.Exporter {
	t.Helper()
	x, err := trace.Open(context.Background(), url, trace.RoleEdge, "0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(x.Close)
	return x
}

func spans(n int) []*tracepb.Span {
	all := make([]*tracepb.Span, n)
	for i := range all {
		all[i] = &tracepb.Span{TraceId: make([]byte, 16), SpanId: make([]byte, 8), Name: "s"}
	}
	return all
}

// both runs a test over both protocols.
func both(t *testing.T, test func(t *testing.T, c *collector.Collector, url string)) {
	for name, url := range map[string]func(*collector.Collector) string{
		"grpc": func(c *collector.Collector) string { return c.GRPC },
		"http": func(c *collector.Collector) string { return c.HTTP },
	} {
		t.Run(name, func(t *testing.T) {
			c := collector.Start(t)
			test(t, c, url(c))
		})
	}
}

func TestFiftyThousandSpansArrive(t *testing.T) {
	both(t, func(t *testing.T, c *collector.Collector, url string) {
		const n = 50_001 // the last message is not full
		delivered, err := open(t, url).Export(context.Background(), spans(n))
		if err != nil || delivered != n || len(c.Spans()) != n {
			t.Fatalf("delivered %d, received %d, of %d; %v", delivered, len(c.Spans()), n, err)
		}
	})
}

func TestRejectedSpansAreNotDelivered(t *testing.T) {
	both(t, func(t *testing.T, c *collector.Collector, url string) {
		c.Refuse = func(n int) (int, int64, error) { return 0, int64(min(n, 7)), nil }
		delivered, err := open(t, url).Export(context.Background(), spans(1200)) // 3 messages
		if delivered != 1200-3*7 || err == nil || !strings.Contains(err.Error(), "7 spans rejected") {
			t.Fatalf("delivered %d, error %v", delivered, err)
		}
	})
}

// A collector that dies costs its spans and no more.
func TestDeadCollectorLosesSpans(t *testing.T) {
	both(t, func(t *testing.T, c *collector.Collector, url string) {
		x := open(t, url)
		if delivered, err := x.Export(context.Background(), spans(10)); delivered != 10 || err != nil {
			t.Fatal(delivered, err)
		}
		c.Stop()
		for range 3 {
			delivered, err := x.Export(context.Background(), spans(5000))
			if delivered != 0 || err == nil {
				t.Fatalf("delivered %d to nobody; %v", delivered, err)
			}
		}
	})
}

// The errors of collectors are one line that says what may be wrong.
func TestErrorsAreOneClearLine(t *testing.T) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := free.Addr().String()
	free.Close()
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	defer secure.Close()
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	forbidden := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no\nway", http.StatusForbidden) }))
	defer forbidden.Close()
	unknown := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
	defer unknown.Close()
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "<html><body>"+strings.Repeat("<p>no</p>", 99), http.StatusMethodNotAllowed)
	}))
	defer page.Close()
	c := collector.Start(t)
	c.Refuse = func(int) (int, int64, error) { return 0, 0, status.Error(codes.Unauthenticated, "who are you") }
	for _, test := range []struct {
		name, url, say string
		refused        bool
	}{
		{"nobody listens, gRPC", "grpc://" + nobody, "nothing listens there", false},
		{"nobody listens, HTTP", "http://" + nobody, "nothing listens there", false},
		{"gRPC to a web server", "grpc://" + plain.Listener.Addr().String(), "does not speak OTLP/grpc", false},
		{"HTTP to a gRPC server", "http" + strings.TrimPrefix(c.GRPC, "grpc"), "does not speak OTLP/http", false},
		{"TLS to clear text", "https://" + plain.Listener.Addr().String(), "clear text", false},
		{"gRPC and TLS to clear text", "grpcs://" + plain.Listener.Addr().String(), "clear text", false},
		{"unknown authority", secure.URL, "OTEL_EXPORTER_OTLP_CERTIFICATE", false},
		{"404", plain.URL, "no OTLP at this path", true},
		{"401", unknown.URL, "OTEL_EXPORTER_OTLP_HEADERS", true},
		{"a web page", page.URL, "405 Method Not Allowed (a web server answers there)", true},
		{"403", forbidden.URL, "OTEL_EXPORTER_OTLP_HEADERS", true},
		{"gRPC refuses", c.GRPC, "OTEL_EXPORTER_OTLP_HEADERS", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			refused, err := open(t, test.url).Check(context.Background())
			if refused != test.refused {
				t.Errorf("refused is %v: %v", refused, err)
			}
			if err == nil || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), test.say) {
				t.Fatalf("error %v\nwant one line with %q", err, test.say)
			}
		})
	}
}

// TestProbeIsASpan: some collectors answer a message without spans with 500.
func TestProbeIsASpan(t *testing.T) {
	both(t, func(t *testing.T, c *collector.Collector, url string) {
		if refused, err := open(t, url).Check(context.Background()); refused || err != nil {
			t.Fatal(refused, err)
		}
		if tried := c.Tried(); len(tried) != 1 || len(tried[0].Spans) != 1 || len(tried[0].Spans[0].TraceId) != 16 {
			t.Errorf("the probe is %v; want one span", tried)
		}
	})
}

// TestVariablesReachTheCollector: the URL of a signal is used as it is, and
// the surroundings' attributes are those of all spans and metrics.
func TestVariablesReachTheCollector(t *testing.T) {
	asked := make(chan string, 8)
	c := collector.Start(t)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- r.URL.RequestURI()
		r.URL.Path = "/v1/traces"
		if strings.Contains(r.RequestURI, "metrics") {
			r.URL.Path = "/v1/metrics"
		}
		target, _ := url.Parse(c.HTTP)
		httputil.NewSingleHostReverseProxy(target).ServeHTTP(w, r)
	}))
	defer front.Close()
	for name, value := range map[string]string{
		"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT":  front.URL + "/tenant%2Fa//in/?key=v%20w",
		"OTEL_EXPORTER_OTLP_METRICS_ENDPOINT": front.URL + "/metrics/",
		"OTEL_SERVICE_NAME":                   "x", "OTEL_RESOURCE_ATTRIBUTES": "team=edge%2Cone,service.name=y",
	} {
		t.Setenv(name, value)
	}
	if refused, err := open(t, "env").Check(context.Background()); refused || err != nil {
		t.Fatal(refused, err)
	}
	if got, want := <-asked, "/tenant%2Fa//in/?key=v%20w"; got != want {
		t.Errorf("spans were sent to %s, want %s", got, want)
	}
	if err := recorded(t, "env").Send(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got, want := <-asked, "/metrics/"; got != want {
		t.Errorf("metrics were sent to %s, want %s", got, want)
	}
	spans, metrics := c.Resources()
	for _, attributes := range []map[string]string{spans["x-edge"], metrics["x"]} {
		if attributes["team"] != "edge,one" || attributes["service.version"] != "0" {
			t.Errorf("the resources are %v and %v", spans, metrics)
		}
	}
}

// A collector that takes traces alone is asked for metrics once.
func TestCollectorOfTracesAlone(t *testing.T) {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { asked++; http.NotFound(w, r) }))
	defer server.Close()
	m := recorded(t, server.URL)
	if err := m.Send(context.Background()); !errors.Is(err, trace.ErrTakesNoMetrics) {
		t.Errorf("error %v", err)
	}
	if err := m.Send(context.Background()); err != nil || asked != 1 {
		t.Errorf("asked %d times, %v", asked, err)
	}
}
