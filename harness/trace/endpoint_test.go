package trace

import (
	"strings"
	"testing"
)

func TestParseEndpoint(t *testing.T) {
	for _, c := range []struct{ text, protocol, endpoint, want, fault string }{
		{text: "http://c:4317", want: "http://c:4317 grpc"},
		{text: "http://c:4318", want: "http://c:4318/v1/traces http/protobuf"},
		{text: "https://c/otlp/", want: "https://c/otlp/v1/traces http/protobuf"},
		{text: "https://c/v1/traces", want: "https://c/v1/traces http/protobuf"},
		{text: "grpc://c:1", want: "http://c:1 grpc"},
		{text: "grpcs://c:1", want: "https://c:1 grpc"},
		{text: "http://c:4318", protocol: "grpc", want: "http://c:4318 grpc"},
		{text: "http://c:4317", protocol: "http/protobuf", want: "http://c:4317/v1/traces http/protobuf"},
		{text: "env", endpoint: "http://e:4317", want: "http://e:4317 grpc"},
		{text: "env", endpoint: "http://e:4318/base/", want: "http://e:4318/base/v1/traces http/protobuf"},
		{text: "env", endpoint: "http://e:4318/base?k=v", want: "http://e:4318/base/v1/traces?k=v http/protobuf"},
		{text: "env", fault: "OTEL_EXPORTER_OTLP_ENDPOINT is not set"},
		{text: "c:4317", fault: "expected a URL"},
		{text: "", fault: "expected a URL"},
		{text: "ftp://c", fault: `scheme "ftp"`},
		{text: "http://c", protocol: "http/json", fault: "expected grpc or http/protobuf"},
		{text: "::nope", fault: "expected a URL"},
	} {
		e, err := parseEndpoint(c.text, signalTraces, func(name string) string {
			return map[string]string{"OTEL_EXPORTER_OTLP_PROTOCOL": c.protocol, "OTEL_EXPORTER_OTLP_ENDPOINT": c.endpoint}[name]
		})
		if c.fault != "" {
			if err == nil || !strings.Contains(err.Error(), c.fault) {
				t.Errorf("%+v: error %v, want %q in it", c, err, c.fault)
			}
			continue
		}
		if err != nil {
			t.Errorf("%+v: %v", c, err)
			continue
		}
		if got := e.URL.String() + " " + e.Protocol; got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}
