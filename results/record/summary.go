package record

// Summary is summary.json (schema switchback.summary/1): what a run found.
type Summary struct {
	Schema     string           `json:"schema"`
	Experiment string           `json:"experiment"`
	Run        string           `json:"run"`
	Seed       uint64           `json:"seed"`
	Baseline   string           `json:"baseline"`
	Arms       []string         `json:"arms"`
	Pairs      int              `json:"pairs"`
	Launches   int              `json:"launches"`
	Requests   int              `json:"requests"`
	Errors     int              `json:"errors"`
	Codes      map[string]Codes `json:"codes,omitempty"`     // of each arm
	Redirects  map[string]int   `json:"redirects,omitempty"` // of each arm: right answers of 3xx
	Confidence float64          `json:"confidence"`
	Metrics    []Metric         `json:"metrics"`
	Validity   Validity         `json:"validity"`
	Gates      []Gate           `json:"gates"`
	Growth     []Growth         `json:"growth,omitempty"` // of sweeps
	Events     []string         `json:"events,omitempty"`
	Deaths     []LostArm        `json:"deaths,omitempty"`  // how arms were lost
	Windows    []Window         `json:"windows,omitempty"` // changes while serving, as planned
	Notes      []string         `json:"notes,omitempty"`   // of the manifest: what was found before anything was measured
	Verdict    string           `json:"verdict"`
}

// Metric is one metric of one group, for all arms.
type Metric struct {
	Name   string             `json:"name"`
	Group  string             `json:"group,omitempty"`
	Unit   string             `json:"unit"` // s, bytes, ratio, s/request, 1/1000
	Pooled bool               `json:"pooled,omitempty"`
	Arms   map[string]float64 `json:"arms"` // +Inf, null in JSON, for no answer
	Change map[string]Change  `json:"change,omitempty"`
}

// Change compares an arm with the baseline: a ratio for metrics that are
// never zero, a difference for those that can be. Low, High and P are
// two-sided, against "no change". An end of the interval is infinite, null in
// JSON, where there are too few pairs for it. Where an arm has no answer in most
// pairs there is neither ratio nor interval, and NoAnswer names the side.
type Change struct {
	Ratio  float64 `json:"ratio,omitempty"`
	Diff   float64 `json:"diff,omitempty"`
	IsDiff bool    `json:"is_diff,omitempty"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	P      float64 `json:"p"`
	Pairs  int     `json:"pairs"`
	MDE    float64 `json:"mde,omitempty"`

	NoAnswer string `json:"no_answer,omitempty"` // whose requests failed: ByArm, ByBaseline, ByBoth
}

// The sides of a Change without an answer.
const (
	ByArm      = "arm"
	ByBaseline = "baseline"
	ByBoth     = "both"
)

// Growth is the exponent with which a metric of an arm grows along an axis of
// a sweep, with its confidence interval: 1 is linear, 0 is flat.
type Growth struct {
	Metric   string  `json:"metric"`
	Group    string  `json:"group,omitempty"`
	Arm      string  `json:"arm"`
	Axis     string  `json:"axis"`
	At       string  `json:"at,omitempty"` // place on the other axes
	Exponent float64 `json:"exponent"`
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
	N        int     `json:"n"` // values fitted
}

// Validity says whether the measurement can be believed. It is about the
// generator and the machine, never about an arm.
type Validity struct {
	OK    bool     `json:"ok"`
	Notes []string `json:"notes"`
}

// Gate is one judged bound.
type Gate struct {
	Metric  string  `json:"metric"`
	Group   string  `json:"group,omitempty"`
	Arm     string  `json:"arm"`
	Bound   string  `json:"bound"`
	Margin  float64 `json:"margin"`
	Alpha   float64 `json:"alpha"`
	Lower   float64 `json:"lower"`
	Upper   float64 `json:"upper"`
	P       float64 `json:"p"`
	Verdict string  `json:"verdict"`
	Line    int     `json:"line,omitempty"`

	Pairs       int     `json:"pairs,omitempty"`        // that the verdict rests on
	MDE         float64 `json:"mde,omitempty"`          // the smallest effect this run would have found with 80 % power
	PairsNeeded int     `json:"pairs_needed,omitempty"` // that would decide, when inconclusive
	Reason      string  `json:"reason,omitempty"`       // where the verdict rests on no interval: a dead arm, too few pairs
	NoAnswer    bool    `json:"no_answer,omitempty"`    // the lower bound is beyond every number: the arm's requests failed at this rank
}

// The verdicts of a gate and of a run.
const (
	Pass         = "pass"
	Regression   = "regression"
	Inconclusive = "inconclusive"
	Invalid      = "invalid"
	None         = "none"
)
