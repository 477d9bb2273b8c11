package trace

import (
	"context"

	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetricgrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	sdk "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
)

// pusher sends metrics to a collector when it is told to.
type pusher struct {
	endpoint Endpoint
	reader   *sdk.ManualReader
	exporter sdk.Exporter
	failing  bool
	useless  bool // the collector takes no metrics
}

func newPusher(ctx context.Context, url string, getenv func(string) string) (*pusher, error) {
	endpoint, err := parseEndpoint(url, signalMetrics, getenv)
	if err != nil {
		return nil, err
	}
	p := &pusher{endpoint: endpoint, reader: sdk.NewManualReader()}
	if endpoint.Protocol == ProtocolGRPC {
		p.exporter, err = otlpmetricgrpc.New(ctx, otlpmetricgrpc.WithEndpointURL(endpoint.URL.String()),
			otlpmetricgrpc.WithRetry(otlpmetricgrpc.RetryConfig{Enabled: true, InitialInterval: retryFirst, MaxInterval: retryMost, MaxElapsedTime: retryFor}))
	} else {
		p.exporter, err = otlpmetrichttp.New(ctx, otlpmetrichttp.WithEndpointURL(endpoint.URL.String()), otlpmetrichttp.WithProxy(endpoint.proxy),
			otlpmetrichttp.WithRetry(otlpmetrichttp.RetryConfig{Enabled: true, InitialInterval: retryFirst, MaxInterval: retryMost, MaxElapsedTime: retryFor}))
	}
	if err != nil {
		return nil, explain("metrics", endpoint, err)
	}
	return p, nil
}

// send sends the metrics as they are. Like an Exporter, it gives a collector
// that failed before less time.
func (p *pusher) send(ctx context.Context) error {
	limit := patience
	if p.failing {
		limit = patienceAfter
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var all metricdata.ResourceMetrics
	err := p.reader.Collect(ctx, &all)
	if err == nil {
		err = p.exporter.Export(ctx, &all)
	}
	if p.failing = err != nil; p.failing {
		return explain("metrics", p.endpoint, err)
	}
	return nil
}
