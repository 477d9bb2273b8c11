package metric

// Kind says how two values of a metric are compared.
type Kind uint8

// A Ratio metric is never zero and is compared by the logarithm of the ratio; a
// Diff metric can be zero and is compared by the plain difference.
const (
	Ratio Kind = iota
	Diff
)

// Fold says how several values become one: the readings of a block's seconds,
// and of a PerLaunch metric the blocks of a launch.
type Fold uint8

// The folds.
const (
	ByMean Fold = iota
	ByMax
)

// Section is a place in which metrics are shown or judged by default.
type Section uint16

// The sections, to be joined by |.
const (
	Text       Section = 1 << iota // the table of the terminal and of Markdown
	Table                          // the main table of the page
	Effects                        // the chart of changes
	Compare                        // the table of several runs
	Cells                          // a sweep in text, after its leading metric
	CellTable                      // a sweep's table on the page
	CellCharts                     // a sweep's charts
	Blocks                         // the readings of the block chart
	Live                           // while the run goes on
	Growth                         // exponents along the axes of a sweep
	Calibrated                     // what an A/A calibration measures, and a comparison of equals gates
)

// Metric describes one metric.
type Metric struct {
	Name        string
	Unit        string // s, bytes, ratio, s/request, 1/1000, bytes/request, 1/s, count
	Kind        Kind
	LowerBetter bool    // a rise is worse; false for hit ratios
	PerLaunch   bool    // one value a launch, not a block
	Fold        Fold    // of a block's seconds, and of a launch's blocks
	Quantile    float64 // 0.5 for p50, 1 for max; 0 when it is no quantile
	Label       string  // for a person
	Sections    Section
	Meaning     string // one sentence
	Source      string // where it is read
}

// statistic is what is taken of a distribution of times.
type statistic struct {
	suffix   string
	quantile float64
	label    string
}

func statistics() []statistic {
	return []statistic{{P50, 0.5, "p50"}, {P90, 0.9, "p90"}, {P95, 0.95, "p95"}, {P99, 0.99, "p99"}, {P999, 0.999, "p99.9"},
		{Mean, 0, "mean"}, {Max, 1, "max"}}
}

// family is a distribution of seconds. Its entry holds what its statistics have
// in common; shown has the sections of each.
type family struct {
	Metric
	shown map[string]Section
}

// of returns the metric that is a statistic of the family.
func (f family) of(s statistic) Metric {
	m := f.Metric
	m.Name, m.Unit, m.LowerBetter = f.Name+s.suffix, "s", true
	m.Quantile, m.Label, m.Sections = s.quantile, f.Label+" "+s.label, f.shown[s.suffix]
	return m
}
