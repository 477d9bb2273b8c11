package trace

import (
	"cmp"
	"fmt"
	"net/url"
	"os"
	"strings"
)

// The protocols of OTLP.
const (
	ProtocolGRPC = "grpc"
	ProtocolHTTP = "http/protobuf"
)

// FromEnvironment is the word that stands for the URL in
// OTEL_EXPORTER_OTLP_TRACES_ENDPOINT or OTEL_EXPORTER_OTLP_ENDPOINT.
const FromEnvironment = "env"

// The ports that OTLP has by convention.
const (
	portGRPC = "4317"
	portHTTP = "4318"
)

// Endpoint is where a collector listens.
type Endpoint struct {
	URL      *url.URL // http or https, without the path of a signal
	Protocol string
}

// ParseEndpoint reads a collector's URL: http or https, whose protocol is
// gRPC at port 4317 or with OTEL_EXPORTER_OTLP_PROTOCOL=grpc and HTTP
// otherwise; grpc or grpcs, which say so; or FromEnvironment. The variables
// OTEL_EXPORTER_OTLP_* must have values that make sense.
func ParseEndpoint(text string, getenv func(string) string) (Endpoint, error) {
	named := text
	if text == FromEnvironment {
		if text = cmp.Or(getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"), getenv("OTEL_EXPORTER_OTLP_ENDPOINT")); text == "" {
			return Endpoint{}, fmt.Errorf("OTLP endpoint %q: OTEL_EXPORTER_OTLP_ENDPOINT is not set", named)
		}
	}
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" {
		return Endpoint{}, fmt.Errorf("OTLP endpoint %q: expected a URL, as in http://127.0.0.1:4317", text)
	}
	protocol, err := protocolOf(u, getenv)
	if err != nil {
		return Endpoint{}, fmt.Errorf("OTLP endpoint %q: %w", text, err)
	}
	if err := checkEnvironment(getenv); err != nil {
		return Endpoint{}, err
	}
	return Endpoint{URL: u, Protocol: protocol}, nil
}

// protocolOf chooses the protocol and makes the scheme http or https.
func protocolOf(u *url.URL, getenv func(string) string) (string, error) {
	switch u.Scheme {
	case "grpc":
		u.Scheme = "http"
		return ProtocolGRPC, nil
	case "grpcs":
		u.Scheme = "https"
		return ProtocolGRPC, nil
	case "http", "https":
	default:
		return "", fmt.Errorf("scheme %q: expected http, https, grpc or grpcs", u.Scheme)
	}
	asked := cmp.Or(getenv("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"), getenv("OTEL_EXPORTER_OTLP_PROTOCOL"))
	switch {
	case asked == ProtocolGRPC, asked == ProtocolHTTP:
		return asked, nil
	case asked != "":
		return "", fmt.Errorf("OTEL_EXPORTER_OTLP_PROTOCOL is %q: expected %s or %s", asked, ProtocolGRPC, ProtocolHTTP)
	case u.Port() == portGRPC:
		return ProtocolGRPC, nil
	}
	return ProtocolHTTP, nil
}

// signal returns the URL of a signal (traces, metrics): over HTTP its path is
// appended, unless the endpoint's own path names it already.
func (e Endpoint) signal(name string) string {
	u := *e.URL
	if e.Protocol == ProtocolHTTP {
		path := strings.TrimRight(u.Path, "/")
		path = strings.TrimSuffix(strings.TrimSuffix(path, "/v1/traces"), "/v1/metrics")
		u.Path = path + "/v1/" + name
	}
	return u.String()
}

// String returns the endpoint as an error names it.
func (e Endpoint) String() string {
	u := *e.URL
	u.User = nil
	return fmt.Sprintf("%s (OTLP/%s)", u.String(), strings.TrimSuffix(e.Protocol, "/protobuf"))
}

// environment is what a program is given by its surroundings.
func environment(getenv func(string) string) func(string) string {
	if getenv == nil {
		return os.Getenv
	}
	return getenv
}
