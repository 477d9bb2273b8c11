package trace_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
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
	x, err := trace.Open(context.Background(), url, "test", "0")
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
	for _, test := range []struct{ name, url, say string }{
		{"nobody listens, gRPC", "grpc://" + nobody, "nothing listens there"},
		{"nobody listens, HTTP", "http://" + nobody, "nothing listens there"},
		{"gRPC to a web server", "grpc://" + plain.Listener.Addr().String(), "does not speak OTLP/grpc"},
		{"HTTP to a gRPC server", "http" + strings.TrimPrefix(c.GRPC, "grpc"), "does not speak OTLP/http"},
		{"TLS to clear text", "https://" + plain.Listener.Addr().String(), "clear text"},
		{"gRPC and TLS to clear text", "grpcs://" + plain.Listener.Addr().String(), "clear text"},
		{"unknown authority", secure.URL, "OTEL_EXPORTER_OTLP_CERTIFICATE"},
		{"404", plain.URL, "no OTLP at this path"},
		{"401", unknown.URL, "OTEL_EXPORTER_OTLP_HEADERS"},
		{"a web page", page.URL, "405 Method Not Allowed (a web server answers there)"},
		{"403", forbidden.URL, "OTEL_EXPORTER_OTLP_HEADERS"},
		{"gRPC refuses", c.GRPC, "OTEL_EXPORTER_OTLP_HEADERS"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := open(t, test.url).Check(context.Background())
			if err == nil || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), test.say) {
				t.Fatalf("error %v\nwant one line with %q", err, test.say)
			}
		})
	}
}
