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
		newMetrics(e.Stats),
	)
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
}

// metrics is a prometheus.Collector over Stats.
type metrics struct {
	stats func() admin.Stats

	requests, status, routed, routeSeconds, rung, ringPoints, ringBytes          *prometheus.Desc
	lruHits, lruMisses, lruBytes, lruEvictions, cacheHits, cacheMisses           *prometheus.Desc
	cacheBytes, nodeUp, nodeRequests, nodeErrors, storeBytes, fetches, fetchFail *prometheus.Desc
}

func newMetrics(stats func() admin.Stats) *metrics {
	d := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("switchback_"+name, help, labels, nil)
	}
	return &metrics{
		stats:        stats,
		requests:     d("requests_total", "Content requests."),
		status:       d("responses_total", "Answers by HTTP status.", "status"),
		routed:       d("router_requests_total", "Look-ups by router.", "router"),
		routeSeconds: d("router_seconds_total", "Time in look-ups by router.", "router"),
		rung:         d("ring_requests_total", "Look-ups by ring.", "ring"),
		ringPoints:   d("ring_points", "Points of a ring held.", "ring"),
		ringBytes:    d("ring_bytes", "Bytes of a ring held.", "ring"),
		lruHits:      d("lru_hits_total", "Look-ups answered from the LRU.", "class"),
		lruMisses:    d("lru_misses_total", "Look-ups passed to the store.", "class"),
		lruBytes:     d("lru_bytes", "Bytes held in the LRU.", "class"),
		lruEvictions: d("lru_evictions_total", "Values dropped to make room.", "class"),
		cacheHits:    d("cache_hits_total", "Content served from cache."),
		cacheMisses:  d("cache_misses_total", "Content fetched."),
		cacheBytes:   d("cache_bytes", "Bytes of content held."),
		nodeUp:       d("node_up", "1 for a node that is asked.", "node"),
		nodeRequests: d("node_requests_total", "Requests tried at a node.", "node"),
		nodeErrors:   d("node_errors_total", "Requests that a node failed.", "node"),
		storeBytes:   d("store_bytes", "Bytes of the routing store on disk."),
		fetches:      d("origin_requests_total", "Requests to the origin."),
		fetchFail:    d("origin_errors_total", "Requests that the origin failed."),
	}
}

// Describe implements prometheus.Collector: an unchecked one, since the labels
// depend on what is held.
func (m *metrics) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector.
func (m *metrics) Collect(to chan<- prometheus.Metric) {
	s := m.stats()
	count := func(d *prometheus.Desc, n int64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(n), labels...)
	}
	gauge := func(d *prometheus.Desc, n int64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, float64(n), labels...)
	}
	count(m.requests, s.Requests)
	for status, n := range s.Status {
		count(m.status, n, status)
	}
	for name, r := range s.Router {
		count(m.routed, r.Requests, name)
		to <- prometheus.MustNewConstMetric(m.routeSeconds, prometheus.CounterValue, r.Seconds, name)
	}
	for name, r := range s.Ring {
		count(m.rung, r.Requests, name)
		gauge(m.ringPoints, r.Points, name)
		gauge(m.ringBytes, r.Bytes, name)
	}
	for class, l := range s.LRU {
		count(m.lruHits, l.Hits, class)
		count(m.lruMisses, l.Misses, class)
		count(m.lruEvictions, l.Evictions, class)
		gauge(m.lruBytes, l.Bytes, class)
	}
	m.collectContent(s, count, gauge)
}

func (m *metrics) collectContent(s admin.Stats, count, gauge func(*prometheus.Desc, int64, ...string)) {
	count(m.cacheHits, s.Cache.Hits)
	count(m.cacheMisses, s.Cache.Misses)
	gauge(m.cacheBytes, s.Cache.Bytes)
	for name, n := range s.Nodes {
		up := int64(0)
		if n.Up {
			up = 1
		}
		gauge(m.nodeUp, up, name)
		count(m.nodeRequests, n.Requests, name)
		count(m.nodeErrors, n.Errors, name)
	}
	gauge(m.storeBytes, s.Store.Bytes)
	count(m.fetches, s.Origin.Requests)
	count(m.fetchFail, s.Origin.Errors)
}
