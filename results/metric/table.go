package metric

// Where values are read.
const (
	fromRequests = "the load generator's instants"
	fromTiming   = "Server-Timing of the answers"
	fromProc     = "/proc, of the arm's processes"
	fromOrigin   = "the origin's counters"
	fromEdge     = "the built-in edge's counters"
	fromChange   = "the change, and the arm's answers around it"
	fromRollout  = "the rollout's windows"
)

// families are the distributions of times, in the order of tables. The family
// of all phases is the last.
func families() []family {
	return []family{
		{Metric{Name: TTFB, Label: "TTFB", Source: fromRequests, Meaning: "time from when a request was due to the first byte of its answer"},
			map[string]Section{P50: Table | Effects | Compare | CellTable | CellCharts | Blocks | Live | Calibrated,
				P90: Table | Effects | Compare | Blocks | Calibrated, P95: Table | Effects | Calibrated,
				P99: Table | Effects | Compare | CellTable | Blocks | Calibrated, P999: Table, Mean: Growth, Max: Blocks}},
		{Metric{Name: ServiceTTFB, Label: "service TTFB", Source: fromRequests, Meaning: "time from when a request was sent to the first byte of its answer"},
			map[string]Section{P50: Table, P99: Table, Mean: CellCharts | Growth}},
		{Metric{Name: Latency, Label: "latency", Source: fromRequests, Meaning: "time from when a request was due to the end of its answer"},
			map[string]Section{P50: Table, P99: Table}},
		{Metric{Name: Lateness, Label: "lateness", Kind: Diff, Source: fromRequests, Meaning: "time by which the generator let a request go too late"}, nil},
		{Metric{Name: Blocked, Label: "blocked", Kind: Diff, Source: fromRequests, Meaning: "time that a request waited for a connection"}, nil},
		{Metric{Name: Page, Label: "page view", Source: fromRequests, Meaning: "time from when a page's document was due to the end of its last asset"},
			map[string]Section{P50: Table | Effects | Compare, P99: Table | Effects}},
		// A phase that a request skips takes no time.
		{Metric{Name: Phase + "NAME", Label: "phase NAME", Kind: Diff, Source: fromTiming, Meaning: "time that the server says a part of its work took"},
			map[string]Section{Mean: Growth}},
	}
}

// entries are the metrics that are not statistics of times, in the order of
// tables.
func entries() []Metric {
	return []Metric{
		{Name: EdgeCPU, Unit: "s/request", LowerBetter: true, Label: "CPU per request", Source: fromProc,
			Sections: Text | Table | Effects | Compare | Cells | CellTable | CellCharts | Blocks | Growth, Meaning: "CPU time of the arm over the requests that it answered rightly"},
		{Name: EdgeMemoryPeak, Unit: "bytes", LowerBetter: true, PerLaunch: true, Fold: ByMax, Label: "peak memory", Source: fromProc,
			Sections: Text | Table | Effects | Compare | Cells | CellTable | CellCharts | Blocks | Live | Growth, Meaning: "largest resident memory of the arm"},
		{Name: EdgeMemoryMean, Unit: "bytes", LowerBetter: true, PerLaunch: true, Label: "mean memory", Source: fromProc, Sections: Table,
			Meaning: "mean resident memory of the arm"},
		{Name: EdgeMemoryPSS, Unit: "bytes", LowerBetter: true, PerLaunch: true, Label: "memory (PSS)", Source: fromProc,
			Meaning: "memory of the arm's processes, each shared page divided by those that share it"},
		{Name: EdgeStartup, Unit: "s", LowerBetter: true, PerLaunch: true, Label: "start-up", Source: "the first good answer after the start",
			Sections: Table | Effects | Compare, Meaning: "time from the arm's start to its first good answer"},

		{Name: LRUHitRatio, Unit: "ratio", Kind: Diff, Label: "LRU hit ratio", Source: fromEdge, Sections: Text | Table | Compare | Cells | Blocks,
			Meaning: "share of routing's reads that the store's LRU answered"},
		{Name: NeighboursHitRatio, Unit: "ratio", Kind: Diff, Label: "neighbours' LRU hit ratio", Source: fromEdge, Sections: Cells,
			Meaning: "share of other tenants' reads that the store's LRU answered"},
		{Name: ReadBytes, Unit: "bytes/request", Kind: Diff, LowerBetter: true, Label: "bytes read per request", Source: fromEdge, Sections: Cells,
			Meaning: "bytes that routing read from the store over the requests that were due"},
		{Name: LRUEvictions, Unit: "1/1000", Kind: Diff, LowerBetter: true, Label: "LRU evictions per 1,000", Source: fromEdge, Sections: Cells,
			Meaning: "values that the store's LRU evicted, per 1,000 requests"},
		{Name: DiskBytes, Unit: "bytes", LowerBetter: true, PerLaunch: true, Label: "store on disk", Source: fromEdge, Sections: Table | Effects,
			Meaning: "size of the routing store on disk"},
		{Name: FilterBytes, Unit: "bytes", LowerBetter: true, PerLaunch: true, Label: "filter memory", Source: fromEdge,
			Meaning: "size of the membership filter of hostnames"},
		{Name: FilterFalsePositives, Unit: "ratio", Kind: Diff, LowerBetter: true, Label: "filter's false positives", Source: fromEdge,
			Meaning: "share of unknown hostnames that the membership filter let through"},
		{Name: RingBytes, Unit: "bytes", LowerBetter: true, PerLaunch: true, Label: "ring memory", Source: fromEdge, Sections: Table | Effects | CellCharts,
			Meaning: "memory of the hash rings"},
		{Name: RingBuild, Unit: "s", LowerBetter: true, PerLaunch: true, Label: "ring build", Source: fromEdge, Sections: Table | Effects,
			Meaning: "time that it took to build the hash rings"},
		{Name: CacheHitRatio, Unit: "ratio", Kind: Diff, Label: "cache hit ratio", Source: fromEdge, Sections: Text | Table | Compare | Blocks,
			Meaning: "share of content look-ups that the cache answered"},
		{Name: OriginRequests, Unit: "1/1000", Kind: Diff, LowerBetter: true, Label: "origin per 1,000", Source: fromOrigin,
			Sections: Text | Table | Compare | Blocks | Live, Meaning: "requests that reached the origin, per 1,000 requests that were due"},
		{Name: OriginBytes, Unit: "bytes/request", Kind: Diff, LowerBetter: true, Label: "origin bytes per request", Source: fromOrigin, Sections: Table,
			Meaning: "bytes that the origin sent over the requests that were due"},

		{Name: ChangeTook, Unit: "s", LowerBetter: true, Label: "change took", Source: fromChange, Meaning: "time until the change had been made"},
		{Name: ChangeEffect, Unit: "s", LowerBetter: true, Label: "change effect", Source: fromChange, Meaning: "time until the arm answered by the change"},
		{Name: ChangeMemoryPeak, Unit: "bytes", LowerBetter: true, Fold: ByMax, Label: "change's peak memory", Source: fromChange,
			Meaning: "largest resident memory of the arm while it changed"},

		{Name: RolloutExtraOrigin, Unit: "count", Kind: Diff, LowerBetter: true, Label: "rollout extra origin", Source: fromRollout,
			Meaning: "origin requests for objects that a cache of the colo had served before"},
		{Name: RolloutExpectedOrigin, Unit: "count", Kind: Diff, LowerBetter: true, Label: "rollout expected origin", Source: fromRollout,
			Meaning: "what the formula of the rings says of rollout.extra_origin"},
		{Name: RolloutPeakOrigin, Unit: "1/s", Kind: Diff, LowerBetter: true, Fold: ByMax, Label: "rollout peak origin", Source: fromRollout,
			Meaning: "largest number of origin requests in a second"},
		{Name: RolloutShare, Unit: "ratio", Kind: Diff, Label: "rollout share", Source: fromRollout, Meaning: "share of the requests that the new version served"},
		{Name: NodesRetries, Unit: "1/1000", Kind: Diff, LowerBetter: true, Label: "node retries per 1,000", Source: fromEdge,
			Meaning: "requests that were sent to a second cache node, per 1,000"},

		{Name: ErrorsRatio, Unit: "ratio", Kind: Diff, LowerBetter: true, Label: "errors", Source: fromRequests, Sections: Text | Table | Compare,
			Meaning: "share of the requests without a right answer"},
		{Name: AnswersDiffer, Unit: "count", Kind: Diff, LowerBetter: true, Label: "answers that differ, per pair", Source: fromRequests, Sections: Text | Table,
			Meaning: "requests of a pair that the arms answered differently"},
	}
}
