package runner

import (
	"slices"
	"strings"
	"testing"

	"switchback/edge/admin"
	"switchback/harness/experiment"
	"switchback/results/record"
)

// Each setting of an edge is a flag; what is not set is no flag.
func TestSettingsOfAnEdgeAreItsFlags(t *testing.T) {
	least := edgeFlags(experiment.Edge{LRU: 1 << 20, Cache: 2 << 20, Nodes: experiment.Nodes{Count: 3}})
	if got, want := strings.Join(least, " "), "--lru 1MiB --cache 2MiB --nodes 3"; got != want {
		t.Errorf("flags %s, want %s", got, want)
	}
	all := strings.Join(edgeFlags(experiment.Edge{Router: "legacy", TableLife: "lru", Shadow: "hashed", Neighbours: 2500,
		Nodes: experiment.Nodes{File: "servers.csv", Sets: 4, Listen: true}}), " ")
	for _, want := range []string{"--router legacy", "--table-life lru", "--shadow hashed", "--neighbours 2500",
		"--servers servers.csv", "--ring-sets 4", "--node-listeners"} {
		if !strings.Contains(all, want) {
			t.Errorf("flags %s lack %s", all, want)
		}
	}
	if strings.Contains(all, "--nodes ") {
		t.Errorf("flags %s have a count of nodes beside a file", all)
	}
}

// valuesOf returns what two readings of an edge's counters say of a block of
// 100 requests.
func valuesOf(before, after admin.Stats) map[string]float64 {
	b := &blockRun{}
	b.block.Due = 100
	b.edgeValues(before, after)
	values := map[string]float64{}
	for _, v := range b.block.Metrics {
		values[v.Metric] = v.Value
	}
	return values
}

func TestCountersBecomeMetrics(t *testing.T) {
	before := admin.Stats{
		LRU: map[string]admin.LRU{
			"table":     {Hits: 10, Misses: 10, Read: 1000, Evictions: 1},
			"neighbour": {Hits: 1000, Misses: 1000, Read: 1 << 30, Evictions: 5},
		},
		Filter: &admin.Filter{Bytes: 900, Refused: 100, FalsePositives: 7},
	}
	after := admin.Stats{
		LRU: map[string]admin.LRU{
			"table":      {Hits: 40, Misses: 20, Read: 9000, Evictions: 3},
			"deployment": {Hits: 30, Misses: 10, Read: 2000},
			"neighbour":  {Hits: 1300, Misses: 1100, Read: 1 << 31, Evictions: 8},
		},
		Cache:  admin.Cache{Hits: 3, Misses: 1},
		Store:  admin.Store{Bytes: 1 << 20},
		Filter: &admin.Filter{Bytes: 1000, Refused: 199, FalsePositives: 8},
		Ring:   map[string]admin.Ring{"v1": {Bytes: 64, BuildSeconds: 0.5}, "v2:16": {Bytes: 6, BuildSeconds: 0.25}},
	}
	got := valuesOf(before, after)
	for metric, want := range map[string]float64{
		"kv.lru.hit_ratio":        0.75, // 60 of 80, neighbours apart
		"kv.neighbours.hit_ratio": 0.75, // 300 of 400
		"kv.read.bytes":           100,
		"kv.lru.evictions":        50, // 5 in 100 requests, the neighbours' among them
		"kv.disk.bytes":           1 << 20,
		"cache.hit_ratio":         0.75,
		"filter.bytes":            1000,
		"filter.false_positives":  0.01,
		"ring.bytes":              70,
		"ring.build":              0.75,
	} {
		if got[metric] != want {
			t.Errorf("%s is %v, want %v", metric, got[metric], want)
		}
		delete(got, metric)
	}
	if len(got) > 0 {
		t.Errorf("further values %v", got)
	}
}

// Without look-ups there is no ratio, and without a filter no metric of it.
func TestNothingCountedIsNoMetric(t *testing.T) {
	got := valuesOf(admin.Stats{}, admin.Stats{})
	for _, metric := range []string{"kv.lru.hit_ratio", "kv.neighbours.hit_ratio", "cache.hit_ratio", "filter.bytes", "filter.false_positives"} {
		if _, ok := got[metric]; ok {
			t.Errorf("%s is %v", metric, got[metric])
		}
	}
	empty := &blockRun{}
	empty.edgeValues(admin.Stats{}, admin.Stats{})
	if slices.ContainsFunc(empty.block.Metrics, func(v record.Value) bool { return v.Metric == "kv.read.bytes" }) {
		t.Error("a block without requests has bytes a request")
	}
}
