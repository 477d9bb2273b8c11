package trace

import (
	"context"
	"errors"
	"math"
	"net/http"
	"os"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"go.opentelemetry.io/otel/attribute"
	otelprometheus "go.opentelemetry.io/otel/exporters/prometheus"
	"go.opentelemetry.io/otel/metric"
	sdk "go.opentelemetry.io/otel/sdk/metric"

	names "switchback/results/metric"
	"switchback/results/record"
)

// Metrics are a run's numbers for dashboards: what requests took as
// exponential histograms, which can be added up over blocks and runs where
// quantiles can't, and the values of the last block of each arm. They are
// recorded between blocks. The verdict rests on the run folder, not on them.
type Metrics struct {
	provider *sdk.MeterProvider
	registry *prometheus.Registry
	push     *pusher // nil without a collector
	run      string

	requests   metric.Int64Counter
	durations  map[string]metric.Float64Histogram // of answered requests
	unanswered metric.Int64Counter
	values     map[string]metric.Float64Gauge
}

// NewMetrics returns metrics without values, to be read from Handler. With a
// URL (see Open) they are sent to that collector too.
func NewMetrics(ctx context.Context, url, version string) (*Metrics, error) {
	m := &Metrics{registry: prometheus.NewRegistry(), durations: map[string]metric.Float64Histogram{}, values: map[string]metric.Float64Gauge{}}
	pull, err := otelprometheus.New(otelprometheus.WithRegisterer(m.registry), otelprometheus.WithoutScopeInfo(), otelprometheus.WithoutTargetInfo())
	if err != nil {
		return nil, err
	}
	exponential := sdk.NewView(sdk.Instrument{Kind: sdk.InstrumentKindHistogram},
		sdk.Stream{Aggregation: sdk.AggregationBase2ExponentialHistogram{MaxSize: 160, MaxScale: 20}})
	attributes, err := resourceOf(RoleHarness, version, os.Getenv)
	if err != nil {
		return nil, err
	}
	options := []sdk.Option{sdk.WithReader(pull), sdk.WithView(exponential), sdk.WithResource(metricsResource(attributes))}
	if url != "" {
		if m.push, err = newPusher(ctx, url, os.Getenv); err != nil {
			return nil, err
		}
		options = append(options, sdk.WithReader(m.push.reader))
	}
	m.provider = sdk.NewMeterProvider(options...)
	return m, m.instruments(m.provider.Meter("switchback", metric.WithInstrumentationVersion(version)))
}

func (m *Metrics) instruments(meter metric.Meter) (err error) {
	if m.requests, err = meter.Int64Counter("switchback.requests", metric.WithDescription("Counted requests, by how they failed.")); err != nil {
		return err
	}
	if m.unanswered, err = meter.Int64Counter("switchback.no_answer", metric.WithDescription("Requests that rank above all of a metric's histogram, since they have no right answer.")); err != nil {
		return err
	}
	for _, name := range names.OfRequests() {
		if m.durations[name], err = meter.Float64Histogram("switchback."+name, metric.WithUnit("s")); err != nil {
			return err
		}
	}
	return nil
}

// Begin names the run.
func (m *Metrics) Begin(r record.Manifest) { m.run = r.Run }

// Block records a block. samples are those of its measured part.
func (m *Metrics) Block(ctx context.Context, b record.Block, samples []record.Sample) error {
	attributes := []attribute.KeyValue{attribute.String("arm", b.Arm), attribute.String("run", m.run)}
	if b.Cell != "" {
		attributes = append(attributes, attribute.String("cell", b.Cell))
	}
	of := metric.WithAttributes(attributes...)
	for i := range samples {
		s := &samples[i]
		m.requests.Add(ctx, 1, of, metric.WithAttributes(attribute.String("error", s.Error.String())))
		for number, ns := range s.Times(ended(s)) {
			m.record(ctx, names.OfRequests()[number], ns, of)
		}
	}
	return m.gauges(ctx, b, of)
}

// record counts a time, or a request that has none for want of a right answer:
// a histogram can't hold it, and a quantile must rank it above all others.
func (m *Metrics) record(ctx context.Context, name string, ns int64, of metric.MeasurementOption) {
	switch ns {
	case record.NoTime:
	case record.NoAnswer:
		m.unanswered.Add(ctx, 1, of, metric.WithAttributes(attribute.String("metric", name)))
	default:
		m.durations[name].Record(ctx, float64(ns)/1e9, of)
	}
}

// gauges sets the values of the block as a whole: all that are no statistic of
// requests.
func (m *Metrics) gauges(ctx context.Context, b record.Block, of metric.RecordOption) (err error) {
	for _, v := range b.Metrics {
		if v.Group != "" || names.IsStatistic(v.Metric) {
			continue
		}
		gauge, known := m.values[v.Metric]
		if !known {
			if gauge, err = m.provider.Meter("switchback").Float64Gauge("switchback." + v.Metric); err != nil {
				return err
			}
			m.values[v.Metric] = gauge
		}
		if !math.IsInf(v.Value, 1) {
			gauge.Record(ctx, v.Value, of)
		}
	}
	return nil
}

// ErrTakesNoMetrics means that the collector takes traces alone, as Jaeger does.
var ErrTakesNoMetrics = errors.New("it takes no metrics")

// Send sends what was recorded to the collector, if there is one. A collector
// that takes none is not asked again.
func (m *Metrics) Send(ctx context.Context) error {
	if m.push == nil || m.push.useless {
		return nil
	}
	err := m.push.send(ctx)
	m.push.useless = errors.Is(err, ErrTakesNoMetrics)
	return err
}

// Handler serves the metrics to Prometheus. Histograms are native ones, which
// only its protocol buffers can carry; as text they are count and sum.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// Close ends the connection to the collector.
func (m *Metrics) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), patienceAfter)
	defer cancel()
	err := m.provider.Shutdown(ctx)
	if m.push != nil {
		err = errors.Join(err, m.push.exporter.Shutdown(ctx))
	}
	return err
}
