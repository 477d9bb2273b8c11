package record

// The files of a run folder.
const (
	ExperimentFile  = "experiment.yaml"
	ManifestFile    = "manifest.json"
	BlocksFile      = "blocks.jsonl"
	HistogramsFile  = "latency.hlog"
	SamplesFile     = "samples.parquet"
	DifferencesFile = "differences.jsonl"
	SeriesFile      = "series.csv.zst"
	RolloutFile     = "rollout.jsonl"
	SummaryFile     = "summary.json"
)

// unfinished is the suffix of a file that cannot be read before it is
// complete: a Parquet file has its index at its end.
const unfinished = ".tmp"

// The schemas of the files, written into each and checked when read.
const (
	ManifestSchema = "switchback.manifest/1"
	BlockSchema    = "switchback.block/2"
	RolloutSchema  = "switchback.rollout/1"
	SummarySchema  = "switchback.summary/1"
)
