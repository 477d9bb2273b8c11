package metric

// The families of times. A metric is one of their statistics: TTFB + P50.
const (
	TTFB        = "ttfb"
	ServiceTTFB = "service_ttfb"
	Latency     = "latency"
	Lateness    = "lateness"
	Blocked     = "blocked"
	Page        = "page"

	Phase = "phase." // and the name of a phase that the server reports
)

// The statistics of a family, as the end of a metric's name.
const (
	P50  = ".p50"
	P90  = ".p90"
	P95  = ".p95"
	P99  = ".p99"
	P999 = ".p999"
	Mean = ".mean"
	Max  = ".max"
)

// The other metrics.
const (
	EdgeCPU        = "edge.cpu"
	EdgeMemory     = "edge.memory" // the part that its metrics have in common
	EdgeMemoryPeak = "edge.memory.peak"
	EdgeMemoryMean = "edge.memory.mean"
	EdgeMemoryPSS  = "edge.memory.pss"
	EdgeStartup    = "edge.startup"

	LRUHitRatio        = "kv.lru.hit_ratio"
	NeighboursHitRatio = "kv.neighbours.hit_ratio"
	ReadBytes          = "kv.read.bytes"
	LRUEvictions       = "kv.lru.evictions"
	DiskBytes          = "kv.disk.bytes"

	FilterBytes          = "filter.bytes"
	FilterFalsePositives = "filter.false_positives"

	RingBytes = "ring.bytes"
	RingBuild = "ring.build"

	CacheHitRatio  = "cache.hit_ratio"
	OriginRequests = "origin.requests"
	OriginBytes    = "origin.bytes"

	ChangeTook       = "change.took"
	ChangeEffect     = "change.effect"
	ChangeMemoryPeak = "change.memory.peak"

	RolloutExtraOrigin    = "rollout.extra_origin"
	RolloutExpectedOrigin = "rollout.expected_origin"
	RolloutPeakOrigin     = "rollout.peak_origin"
	RolloutShare          = "rollout.share"

	NodesRetries  = "nodes.retries"
	ErrorsRatio   = "errors.ratio"
	AnswersDiffer = "answers.differ"
)
