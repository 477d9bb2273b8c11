package trace

import (
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
		{"OTEL_EXPORTER_OTLP_TIMEOUT", "10000", ""},
		{"OTEL_EXPORTER_OTLP_TIMEOUT", "10s", `TIMEOUT: "10s": expected milliseconds`},
		{"OTEL_EXPORTER_OTLP_COMPRESSION", "gzip", ""},
		{"OTEL_EXPORTER_OTLP_METRICS_COMPRESSION", "zip", `"zip": expected gzip or none`},
		{"OTEL_EXPORTER_OTLP_CERTIFICATE", "no/such/file", "OTEL_EXPORTER_OTLP_CERTIFICATE: open no/such/file"},
	} {
		_, err := ParseEndpoint("http://c:4318", func(name string) string { return map[string]string{c.name: c.value}[name] })
		switch {
		case c.fault == "" && err != nil:
			t.Errorf("%s=%s: %v", c.name, c.value, err)
		case c.fault != "" && (err == nil || !strings.Contains(err.Error(), c.fault) || strings.Contains(err.Error(), "secret")):
			t.Errorf("%s=%s: error %v, want %q in it and no value", c.name, c.value, err, c.fault)
		}
	}
}

func TestEndpointOfTraces(t *testing.T) {
	e, err := ParseEndpoint("env", func(name string) string {
		return map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://t:4318/v1/traces", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://e:4318"}[name]
	})
	if err != nil || e.signal("traces") != "http://t:4318/v1/traces" || e.signal("metrics") != "http://t:4318/v1/metrics" {
		t.Error(e, err)
	}
}
