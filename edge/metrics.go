package edge

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"switchback/edge/admin"
)

// metricsHandler serves the counters of Stats in Prometheus' format. They are
// read when asked for; requests pay nothing.
func (e *Edge) metricsHandler() http.Handler {
	registry := prometheus.NewRegistry()
	registry.MustRegister(
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		&metrics{stats: e.Stats, all: allMetrics()},
	)
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
}

// metrics is a prometheus.Collector over Stats.
type metrics struct {
	stats func() admin.Stats
	all   []metric
}

// metric is one name and how its values are read.
type metric struct {
	*prometheus.Desc
	kind prometheus.ValueType
	each func(s admin.Stats, emit emit)
}

// emit takes one value and its labels.
type emit func(value float64, labels ...string)

// Describe implements prometheus.Collector.
func (m *metrics) Describe(to chan<- *prometheus.Desc) {
	for _, metric := range m.all {
		to <- metric.Desc
	}
}

// Collect implements prometheus.Collector.
func (m *metrics) Collect(to chan<- prometheus.Metric) {
	s := m.stats()
	for _, metric := range m.all {
		metric.each(s, func(value float64, labels ...string) {
			to <- prometheus.MustNewConstMetric(metric.Desc, metric.kind, value, labels...)
		})
	}
}

func counter(name, help string, each func(admin.Stats, emit), labels ...string) metric {
	return metric{prometheus.NewDesc("switchback_"+name, help, labels, nil), prometheus.CounterValue, each}
}

func gauge(name, help string, each func(admin.Stats, emit), labels ...string) metric {
	return metric{prometheus.NewDesc("switchback_"+name, help, labels, nil), prometheus.GaugeValue, each}
}

// one reads a single number.
func one(read func(admin.Stats) int64) func(admin.Stats, emit) {
	return func(s admin.Stats, emit emit) { emit(float64(read(s))) }
}

// by reads a number of each name.
func by[V any](names func(admin.Stats) map[string]V, read func(V) float64) func(admin.Stats, emit) {
	return func(s admin.Stats, emit emit) {
		for name, v := range names(s) {
			emit(read(v), name)
		}
	}
}

// allMetrics returns the metrics of an edge.
func allMetrics() []metric {
	status := func(s admin.Stats) map[string]int64 { return s.Status }
	router := func(s admin.Stats) map[string]admin.Router { return s.Router }
	ring := func(s admin.Stats) map[string]admin.Ring { return s.Ring }
	lru := func(s admin.Stats) map[string]admin.LRU { return s.LRU }
	node := func(s admin.Stats) map[string]admin.Node { return s.Nodes }
	return []metric{
		counter("requests_total", "Content requests.", one(func(s admin.Stats) int64 { return s.Requests })),
		counter("responses_total", "Answers by HTTP status.", by(status, func(n int64) float64 { return float64(n) }), "status"),
		counter("router_requests_total", "Look-ups.", by(router, func(r admin.Router) float64 { return float64(r.Requests) }), "router"),
		counter("router_seconds_total", "Time in look-ups.", by(router, func(r admin.Router) float64 { return r.Seconds }), "router"),
		counter("ring_requests_total", "Look-ups.", by(ring, func(r admin.Ring) float64 { return float64(r.Requests) }), "ring"),
		gauge("ring_points", "Points held.", by(ring, func(r admin.Ring) float64 { return float64(r.Points) }), "ring"),
		gauge("ring_bytes", "Bytes held.", by(ring, func(r admin.Ring) float64 { return float64(r.Bytes) }), "ring"),
		counter("lru_hits_total", "Look-ups answered from the LRU.", by(lru, func(l admin.LRU) float64 { return float64(l.Hits) }), "class"),
		counter("lru_misses_total", "Look-ups passed to the store.", by(lru, func(l admin.LRU) float64 { return float64(l.Misses) }), "class"),
		counter("lru_evictions_total", "Values dropped to make room.", by(lru, func(l admin.LRU) float64 { return float64(l.Evictions) }), "class"),
		gauge("lru_bytes", "Bytes held.", by(lru, func(l admin.LRU) float64 { return float64(l.Bytes) }), "class"),
		counter("cache_hits_total", "Content served from the cache.", one(func(s admin.Stats) int64 { return s.Cache.Hits })),
		counter("cache_misses_total", "Content fetched.", one(func(s admin.Stats) int64 { return s.Cache.Misses })),
		gauge("cache_bytes", "Bytes of content held.", one(func(s admin.Stats) int64 { return s.Cache.Bytes })),
		gauge("node_up", "1 for a node that is asked.", by(node, func(n admin.Node) float64 { return number(n.Up) }), "node"),
		counter("node_requests_total", "Requests tried at a node.", by(node, func(n admin.Node) float64 { return float64(n.Requests) }), "node"),
		counter("node_errors_total", "Requests that a node failed.", by(node, func(n admin.Node) float64 { return float64(n.Errors) }), "node"),
		gauge("store_bytes", "Bytes of the routing store on disk.", one(func(s admin.Stats) int64 { return s.Store.Bytes })),
		counter("store_errors_total", "Errors of the routing store.", one(func(s admin.Stats) int64 { return s.Store.Errors })),
		counter("origin_requests_total", "Requests to the origin.", one(func(s admin.Stats) int64 { return s.Origin.Requests })),
		counter("origin_errors_total", "Requests that the origin failed.", one(func(s admin.Stats) int64 { return s.Origin.Errors })),
		gauge("flags_version", "Version of the flags in force.", one(func(s admin.Stats) int64 { return s.Flags.Version })),
	}
}

func number(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
