// Package experiment reads experiment files: strict decoding, defaults,
// checks, JSON Schema, and the built-in experiments.
//
// It refuses before a run what a run could not do or could not decide, with
// file, line and what was expected. What it returns is complete: every default
// is a value of the experiment, and Marshal writes them all. It runs nothing.
package experiment

import (
	"switchback/datasets"
	"switchback/results/gate"
	"switchback/results/units"
	"switchback/targets"
)

// The scalars with units of a file.
type (
	Duration = units.Duration
	Bytes    = units.Bytes
	Rate     = units.Rate
	Percent  = units.Share
)

// Experiment is one experiment file with every default filled in. It is made
// by Load, Parse and Builtin, and changed by Short and WithPairs.
type Experiment struct {
	Name    string       `yaml:"name" jsonschema:"required"`
	About   string       `yaml:"about,omitempty"`
	Dataset Dataset      `yaml:"dataset,omitempty"`
	Targets Targets      `yaml:"targets,omitempty"`
	Origin  Origin       `yaml:"origin,omitempty"`
	Load    LoadSettings `yaml:"load"`
	Arms    []Arm        `yaml:"arms" jsonschema:"required"`
	Check   Check        `yaml:"check,omitempty"`
	Change  []Change     `yaml:"change,omitempty"`

	Isolation string   `yaml:"isolation,omitempty"` // processes (default); flags: two arms are one process, flipped by its flags at block edges
	Colos     []string `yaml:"colos,omitempty"`     // each arm is an edge in each of them; default: one edge
	Rollout   *Rollout `yaml:"rollout,omitempty"`

	Blocks Blocks    `yaml:"blocks"`
	Gate   GateRules `yaml:"gate,omitempty"`
	Sweep  []Axis    `yaml:"sweep,omitempty"`

	ShortForm bool `yaml:"short,omitempty"` // run in the short form; see Short

	Source []byte `yaml:"-"` // the file as read
	Path   string `yaml:"-"` // its name, or that of the built-in experiment

	lines map[string]int // path of a value (arms[1].edge.ring) → line in Source
	given *Experiment    // without the defaults, which depend on other values
}

// Dataset names the dataset: a file, or the settings of the generator.
type Dataset struct {
	File              string `yaml:"file,omitempty"`
	datasets.Settings `yaml:",inline"`
	Neighbours        int `yaml:"neighbours,omitempty"` // other tenants' small values in the store, beside a dataset of either kind
}

// Targets names the targets: the model's settings, a file, or a list of hostnames.
type Targets struct {
	File             string `yaml:"file,omitempty"`
	Hosts            string `yaml:"hosts,omitempty"`  // file of hostnames, a line each; there is then no dataset
	Expect           string `yaml:"expect,omitempty"` // body (default): the target's status and body; status; any: any status below 400
	targets.Settings `yaml:",inline"`
}

// Origin sets the fake origin.
type Origin struct {
	Delay       string  `yaml:"delay,omitempty"`       // "5ms" or "lognormal(5ms, 0.5)"
	Errors      Percent `yaml:"errors,omitempty"`      // share of requests answered 503
	Concurrency int     `yaml:"concurrency,omitempty"` // requests served at once; 0: no limit
}

// LoadSettings sets the engine and the arrivals.
type LoadSettings struct {
	Engine      string   `yaml:"engine,omitempty"`      // vegeta (default), wire
	Arrivals    string   `yaml:"arrivals,omitempty"`    // poisson (default), constant, concurrency, …
	Rate        Rate     `yaml:"rate,omitempty"`        // requests per second
	Concurrency int      `yaml:"concurrency,omitempty"` // arrivals: concurrency
	Connections int      `yaml:"connections,omitempty"` // default 64
	Pooling     string   `yaml:"pooling,omitempty"`     // shared (default), host, none
	Timeout     Duration `yaml:"timeout,omitempty"`     // default 10s
}

// Arm is one variant under measurement: exactly one of Edge, Command, URL.
type Arm struct {
	Name    string   `yaml:"name" jsonschema:"required"`
	Edge    *Edge    `yaml:"edge,omitempty"`
	Command *Command `yaml:"command,omitempty"`
	URL     *URL     `yaml:"url,omitempty"`

	From     string `yaml:"from,omitempty"`      // an arm of a built-in experiment: nginx-hosts/map. Its settings are written out, and it is optional
	Setup    string `yaml:"setup,omitempty"`     // command before each start
	Teardown string `yaml:"teardown,omitempty"`  // command after each stop
	Reload   string `yaml:"reload,omitempty"`    // command that makes the server read its files again
	Version  string `yaml:"version,omitempty"`   // command whose first line of output goes into the manifest
	PprofURL string `yaml:"pprof_url,omitempty"` // of its net/http/pprof, for profiles; {port} and {admin_port} are replaced

	Rollout *ArmRollout `yaml:"rollout,omitempty"` // where it differs from the others'
}

// Edge sets the built-in edge; the keys are its flags.
type Edge struct {
	Router     string `yaml:"router,omitempty"`     // hashed (default), legacy, filtered
	TableLife  string `yaml:"table_life,omitempty"` // legacy: request (default), lru, resident
	Ring       string `yaml:"ring,omitempty"`       // v1 (default), v2:16, v1+v2:16, …
	Ties       string `yaml:"ties,omitempty"`       // address (default), hashed
	Names      string `yaml:"names,omitempty"`      // address (default), directive
	Nodes      Nodes  `yaml:"nodes,omitempty"`
	LRU        Bytes  `yaml:"lru"`            // default 64MiB
	Cache      Bytes  `yaml:"cache"`          // default 64MiB
	Colo       string `yaml:"colo,omitempty"` // default ams
	Shadow     string `yaml:"shadow,omitempty"`
	Neighbours Rate   `yaml:"neighbours,omitempty"` // reads of other tenants' values through the LRU, per second
}

// Nodes sets the cache nodes of an edge: a count, or the map form.
type Nodes struct {
	Count   int    `yaml:"count,omitempty"` // default 8
	Weights string `yaml:"weights,omitempty"`
	Sets    int    `yaml:"sets,omitempty"`
	Listen  bool   `yaml:"listen,omitempty"`
	File    string `yaml:"file,omitempty"`
}

// Blocks sets rounds, guards and launches.
type Blocks struct {
	Baseline    string   `yaml:"baseline,omitempty"` // default: the first arm
	Pairs       int      `yaml:"pairs"`
	Length      Duration `yaml:"length"`
	Guard       Duration `yaml:"guard"`            // default 20ms
	LaunchEvery int      `yaml:"launch_every"`     // all arms are started anew every so many pairs; 0: once
	Warmup      string   `yaml:"warmup,omitempty"` // after each start: a duration, or settled; default none

	MaxBaselineErrors Percent `yaml:"max_baseline_errors,omitempty"` // share of the baseline's requests that may fail in a valid run; default 1%
}

// GateRules are the bounds of an experiment. The section is a list of bounds, or a map with alpha, on_inconclusive and bounds.
type GateRules struct {
	Alpha          float64      `yaml:"alpha,omitempty"`           // default 0.05
	OnInconclusive string       `yaml:"on_inconclusive,omitempty"` // warn (default), fail
	Looks          int          `yaml:"looks,omitempty"`           // 1 (default), or 2: after half of the pairs, and at the end
	ReportOnly     bool         `yaml:"report_only,omitempty"`     // bounds are shown and not judged; the verdict is none
	Bounds         []gate.Bound `yaml:"bounds,omitempty"`
}
