package trace

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
)

// The patience with a collector that does not answer: an export tries again
// for retryFor at most, so that a dead one costs a run seconds, not minutes.
const (
	retryFirst = 50 * time.Millisecond
	retryMost  = 400 * time.Millisecond
	retryFor   = time.Second
)

// uploader sends spans and returns when the collector has answered.
// OpenTelemetry's own clients are such; headers, certificates, compression and
// time-outs in OTEL_EXPORTER_OTLP_* are honoured by them.
type uploader interface {
	Start(ctx context.Context) error
	Stop(ctx context.Context) error
	UploadTraces(ctx context.Context, spans []*tracepb.ResourceSpans) error
}

func newUploader(e Endpoint) uploader {
	if e.Protocol == ProtocolGRPC {
		return grpcUploader(e)
	}
	return otlptracehttp.NewClient(
		otlptracehttp.WithEndpointURL(e.URL.String()),
		otlptracehttp.WithProxy(e.proxy),
		otlptracehttp.WithRetry(otlptracehttp.RetryConfig{Enabled: true, InitialInterval: retryFirst, MaxInterval: retryMost, MaxElapsedTime: retryFor}))
}

func grpcUploader(e Endpoint) otlptrace.Client {
	return otlptracegrpc.NewClient(
		otlptracegrpc.WithEndpointURL(e.URL.String()),
		otlptracegrpc.WithReconnectionPeriod(retryMost),
		otlptracegrpc.WithRetry(otlptracegrpc.RetryConfig{Enabled: true, InitialInterval: retryFirst, MaxInterval: retryMost, MaxElapsedTime: retryFor}))
}
