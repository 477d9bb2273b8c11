package trace

import (
	"errors"
	"strings"
	"testing"
)

// What OpenTelemetry's exporters would ignore is refused in one line.
func TestEnvironmentIsChecked(t *testing.T) {
	for _, c := range []struct{ name, value, fault string }{
		{"OTEL_EXPORTER_OTLP_HEADERS", "a=b, c=%20d,e=", ""},
		{"OTEL_EXPORTER_OTLP_HEADERS", "secret", "HEADERS: entry 1: expected name=value"},
		{"OTEL_EXPORTER_OTLP_HEADERS", "a=b,", "entry 2: expected"},
		{"OTEL_EXPORTER_OTLP_TRACES_HEADERS", "a=secret%zz", `TRACES_HEADERS: the value of "a"`},
		{"OTEL_EXPORTER_OTLP_HEADERS", "a=secret%0d%0ab: c", `the value of "a": a header has no control characters`},
		{"OTEL_EXPORTER_OTLP_INSECURE", "True", ""},
		{"OTEL_EXPORTER_OTLP_TRACES_INSECURE", "maybe", `TRACES_INSECURE: "maybe": expected true or false`},
		{"OTEL_EXPORTER_OTLP_TIMEOUT", "10000", ""},
		{"OTEL_EXPORTER_OTLP_TIMEOUT", "10s", `TIMEOUT: "10s": expected milliseconds`},
		{"OTEL_EXPORTER_OTLP_COMPRESSION", "gzip", ""},
		{"OTEL_EXPORTER_OTLP_METRICS_COMPRESSION", "zip", `"zip": expected gzip or none`},
		{"OTEL_EXPORTER_OTLP_CERTIFICATE", "no/such/file", "OTEL_EXPORTER_OTLP_CERTIFICATE: open no/such/file"},
	} {
		_, err := parseEndpoint("http://c:4318", signalTraces, func(name string) string { return map[string]string{c.name: c.value}[name] })
		switch {
		case c.fault == "" && err != nil:
			t.Errorf("%s=%s: %v", c.name, c.value, err)
		case c.fault != "" && (err == nil || !strings.Contains(err.Error(), c.fault) || strings.Contains(err.Error(), "secret")):
			t.Errorf("%s=%s: error %v, want %q in it and no value", c.name, c.value, err, c.fault)
		}
	}
}

// The endpoint of a signal is whole, and the general one is a base.
func TestEndpointsOfSignals(t *testing.T) {
	for _, c := range []struct{ traces, general, wantTraces, wantMetrics string }{
		{"http://t:4318/a/?q=1", "http://e:4318", "http://t:4318/a/?q=1", "http://e:4318/v1/metrics"},
		{"http://t:4318", "", "http://t:4318", ""},
		{"", "http://e:4318/", "http://e:4318/v1/traces", "http://e:4318/v1/metrics"},
		{"http://t:4317", "http://e:4318", "http://t:4317", "http://e:4318/v1/metrics"},
	} {
		for signal, want := range map[string]string{signalTraces: c.wantTraces, signalMetrics: c.wantMetrics} {
			e, err := parseEndpoint("env", signal, func(name string) string {
				return map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": c.traces, "OTEL_EXPORTER_OTLP_ENDPOINT": c.general}[name]
			})
			if want == "" {
				if !errors.Is(err, ErrNoEndpoint) {
					t.Errorf("%+v: %s go to %v, %v", c, signal, e.URL, err)
				}
				continue
			}
			if err != nil || e.URL.String() != want {
				t.Errorf("%+v: %s go to %v, %v; want %s", c, signal, e.URL, err, want)
			}
		}
	}
}
