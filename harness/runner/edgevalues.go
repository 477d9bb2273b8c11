package runner

import (
	"switchback/edge/admin"
	"switchback/results/metric"
)

// neighbourClass is that of other tenants' values in the LRU's statistics: they
// are load, not routing.
const neighbourClass = "neighbour"

// edgeValues adds what the built-in edge says of itself.
func (b *blockRun) edgeValues(before, after admin.Stats) {
	b.lruValues(before.LRU, after.LRU)
	b.filterValues(before.Filter, after.Filter)
	if b.block.StoreErrors = after.Store.Errors; b.block.StoreErrors > 0 {
		b.note("the routing store had %d errors since the launch, the first: %s", after.Store.Errors, after.Store.FirstError)
	}
	hits, misses := after.Cache.Hits-before.Cache.Hits, after.Cache.Misses-before.Cache.Misses
	b.share(metric.CacheHitRatio, hits, hits+misses)
	b.value(metric.DiskBytes, float64(after.Store.Bytes), 1)
	var bytes int64
	var build float64
	for _, ring := range after.Ring {
		bytes += ring.Bytes
		build += ring.BuildSeconds
	}
	b.value(metric.RingBytes, float64(bytes), 1)
	b.value(metric.RingBuild, build, 1)
}

// lruValues adds what became of the look-ups in the routing LRU: routing's
// own, those of the neighbours, and what both evicted.
func (b *blockRun) lruValues(before, after map[string]admin.LRU) {
	var routing admin.LRU
	var evictions int64
	for class, now := range after {
		was := before[class]
		evictions += now.Evictions - was.Evictions
		if class == neighbourClass {
			continue
		}
		routing.Hits += now.Hits - was.Hits
		routing.Misses += now.Misses - was.Misses
		routing.Read += now.Read - was.Read
	}
	b.share(metric.LRUHitRatio, routing.Hits, routing.Hits+routing.Misses)
	was, now := before[neighbourClass], after[neighbourClass]
	b.share(metric.NeighboursHitRatio, now.Hits-was.Hits, now.Hits-was.Hits+now.Misses-was.Misses)
	if n := int64(b.block.Due); n > 0 {
		b.value(metric.ReadBytes, float64(routing.Read)/float64(n), n)
		b.value(metric.LRUEvictions, 1000*float64(evictions)/float64(n), n)
	}
}

// filterValues adds the membership filter's size, and the share of unknown
// hostnames that it let through.
func (b *blockRun) filterValues(before, after *admin.Filter) {
	if before == nil || after == nil {
		return
	}
	b.value(metric.FilterBytes, float64(after.Bytes), 1)
	passed := after.FalsePositives - before.FalsePositives
	b.share(metric.FilterFalsePositives, passed, passed+after.Refused-before.Refused)
}
