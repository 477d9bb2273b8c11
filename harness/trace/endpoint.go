package trace

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// The protocols of OTLP.
const (
	ProtocolGRPC = "grpc"
	ProtocolHTTP = "http/protobuf"
)

// FromEnvironment is the word that stands for the URL in OpenTelemetry's
// variables: OTEL_EXPORTER_OTLP_TRACES_ENDPOINT and …_METRICS_ENDPOINT, each
// whole, or OTEL_EXPORTER_OTLP_ENDPOINT, to which the path of a signal is added.
const FromEnvironment = "env"

// ErrNoEndpoint means that no variable names a collector for a signal.
var ErrNoEndpoint = errors.New("is not set")

// The signals of OTLP that are sent, as paths and variables name them.
const (
	signalTraces  = "traces"
	signalMetrics = "metrics"
)

// The ports that OTLP has by convention.
const (
	portGRPC = "4317"
	portHTTP = "4318"
)

// Endpoint is where a collector takes one signal.
type Endpoint struct {
	URL      *url.URL // http or https; over HTTP whole, with the path of the signal
	Protocol string
}

// parseEndpoint reads the URL at which a collector takes a signal: http or
// https, whose protocol is gRPC at port 4317 or with
// OTEL_EXPORTER_OTLP_PROTOCOL=grpc and HTTP otherwise; grpc or grpcs, which say
// so; or FromEnvironment. The variables OTEL_EXPORTER_OTLP_* must have values
// that make sense.
func parseEndpoint(text, signal string, getenv func(string) string) (Endpoint, error) {
	whole := false
	if text == FromEnvironment {
		var err error
		if text, whole, err = endpointIn(signal, getenv); err != nil {
			return Endpoint{}, err
		}
	}
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" {
		return Endpoint{}, fmt.Errorf("OTLP endpoint %q: expected a URL, as in http://127.0.0.1:4317", text)
	}
	protocol, err := protocolOf(u, signal, getenv)
	if err != nil {
		return Endpoint{}, fmt.Errorf("OTLP endpoint %q: %w", text, err)
	}
	if err := checkEnvironment(getenv); err != nil {
		return Endpoint{}, err
	}
	if protocol == ProtocolHTTP && !whole {
		u = signalBelow(u, signal)
	}
	return Endpoint{URL: u, Protocol: protocol}, nil
}

// endpointIn returns the URL that the variables have for a signal, and whether
// it is whole.
func endpointIn(signal string, getenv func(string) string) (text string, whole bool, err error) {
	const general = "OTEL_EXPORTER_OTLP_ENDPOINT"
	own := "OTEL_EXPORTER_OTLP_" + strings.ToUpper(signal) + "_ENDPOINT"
	if text := getenv(own); text != "" {
		return text, true, nil
	}
	if text := getenv(general); text != "" {
		return text, false, nil
	}
	return "", false, fmt.Errorf("OTLP endpoint %q: %s %w, and neither is %s", FromEnvironment, general, ErrNoEndpoint, own)
}

// signalBelow adds the path of a signal to a base, unless the base's own path
// names a signal already.
func signalBelow(base *url.URL, signal string) *url.URL {
	u := *base
	for _, named := range []string{signalTraces, signalMetrics} {
		u.Path = strings.TrimSuffix(strings.TrimRight(u.Path, "/"), "/v1/"+named)
	}
	u.Path, u.RawPath = u.Path+"/v1/"+signal, ""
	return &u
}

// protocolOf chooses the protocol and makes the scheme http or https.
func protocolOf(u *url.URL, signal string, getenv func(string) string) (string, error) {
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
	asked := cmp.Or(getenv("OTEL_EXPORTER_OTLP_"+strings.ToUpper(signal)+"_PROTOCOL"), getenv("OTEL_EXPORTER_OTLP_PROTOCOL"))
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

// proxy chooses the proxy of a request to the endpoint. OpenTelemetry's clients
// drop the query of a URL and decode its path, and ask for the proxy before
// they send: the only place where a request can get the URL as it was given
// and everything else stays as their variables have it.
func (e Endpoint) proxy(r *http.Request) (*url.URL, error) {
	r.URL.Path, r.URL.RawPath, r.URL.RawQuery = e.URL.Path, e.URL.RawPath, e.URL.RawQuery
	return http.ProxyFromEnvironment(r)
}

// String returns the endpoint as an error names it.
func (e Endpoint) String() string {
	u := *e.URL
	u.User, u.RawQuery = nil, "" // either may hold a credential
	return fmt.Sprintf("%s (OTLP/%s)", u.String(), strings.TrimSuffix(e.Protocol, "/protobuf"))
}
