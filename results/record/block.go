package record

import (
	"fmt"
	"time"
)

// Block is one line of blocks.jsonl: what one block measured, and the
// readings that its validity rests on. Every statistic of a run can be
// computed again from these lines.
type Block struct {
	Schema string    `json:"schema"` // switchback.block/2
	Pair   int       `json:"pair"`   // from 0
	Order  int       `json:"order"`  // place of the block within its pair, from 0
	Arm    string    `json:"arm"`
	Launch int       `json:"launch"` // from 0
	Cell   string    `json:"cell,omitempty"`
	Start  time.Time `json:"start"`
	Guard  float64   `json:"guard,omitempty"` // seconds from Start to the measured part; 0 in a closed loop, whose guard comes before Start
	Length float64   `json:"length"`          // seconds of the measured part
	Drain  float64   `json:"drain"`           // seconds from the last due request to the end of the last request
	Wait   float64   `json:"wait"`            // seconds waited for idle arms before the block

	Due       int            `json:"due"`      // requests the schedule wanted in the measured part
	Released  int            `json:"released"` // of them, let go by the pacer
	Answered  int            `json:"answered"` // of them, ended without an error
	Errors    map[string]int `json:"errors,omitempty"`
	Codes     Codes          `json:"codes,omitempty"`     // answers by status code, right or not
	Redirects int            `json:"redirects,omitempty"` // of the right answers, those of 3xx
	Dials     int            `json:"dials"`
	Dead      bool           `json:"dead,omitempty"`  // the arm died in this block, or could not be started for it
	Death     *Death         `json:"death,omitempty"` // how

	DialErrors  map[string]int `json:"dial_errors,omitempty"`  // connections that could not be opened, by reason; those of the guard too
	Limits      map[string]int `json:"limits,omitempty"`       // what the generator ran out of (see LimitOf), and how often; in the guard too
	StoreErrors int64          `json:"store_errors,omitempty"` // of the routing store of a built-in edge, since its launch

	OutOfRange int64            `json:"out_of_range,omitempty"` // values that no histogram can hold
	Cut        map[string]int64 `json:"cut,omitempty"`          // of them, by metric: counted at the histogram's end

	Spans *Spans `json:"spans,omitempty"` // with tracing

	Metrics   []Value   `json:"metrics"`
	Generator Generator `json:"generator"`
	Windows   []Window  `json:"windows,omitempty"` // of changes while serving, in the order of time
	Notes     []string  `json:"notes,omitempty"`
}

// maxParts bounds what all blocks of a run hold; a long run has a million
// values.
const maxParts = 4_000_000

// parts says how much a block holds, in values: a window takes the memory of
// four.
func (b *Block) parts() int {
	return 1 + len(b.Metrics) + 4*len(b.Windows) + len(b.Notes) + len(b.Errors) + len(b.Codes)
}

// check returns what a block of a run with these arms (none: not known) can't
// have.
func (b *Block) check(arms map[string]bool) error {
	if b.Pair < 0 || b.Order < 0 || b.Launch < 0 {
		return fmt.Errorf("pair %d, order %d, launch %d: expected none below 0", b.Pair, b.Order, b.Launch)
	}
	if err := b.Codes.check(); err != nil {
		return err
	}
	return checkArm(b.Arm, arms)
}

// roundedSchema is the schema of blocks from before the nearest-rank rule: their
// quantiles have the rank q·n rounded half up. Such blocks are read and shown, and
// are compared only with each other.
const roundedSchema = "switchback.block/1"

// NearestRank reports whether the quantiles of the block follow Rank.
func (b *Block) NearestRank() bool { return b.Schema != roundedSchema }

func (b *Block) checkSchema() error {
	if b.Schema == roundedSchema {
		return nil
	}
	return wrongSchema(b.Schema, BlockSchema)
}

// Value is one metric of one block: the quantile, mean or ratio of the
// requests in Group ("" for all), and the number of requests it rests on.
// Requests that failed rank above all others in a quantile; a mean, a maximum
// and what is counted per request cover the others. Where no answer is at the
// rank, or none at all, Value is +Inf, null in JSON.
type Value struct {
	Metric string  `json:"metric"`          // a name of DESIGN §8: ttfb.p50
	Group  string  `json:"group,omitempty"` // size=10000
	Value  float64 `json:"value"`
	N      int64   `json:"n"`
	Failed int64   `json:"failed,omitempty"` // of the N requests
}

// Spans counts the spans of a block, those of generator, arm and origin
// together.
type Spans struct {
	Made      int64 `json:"made"`
	Delivered int64 `json:"delivered"` // the collector said that it has them
}

// Generator holds what the load generator and the machine did during a block:
// seconds, or shares of the block's elapsed time times CPUs.
type Generator struct {
	CPU         float64 `json:"cpu"`          // seconds, spin included
	Spin        float64 `json:"spin"`         // seconds spent spinning until due
	LatenessP99 float64 `json:"lateness_p99"` // seconds
	HiccupMax   float64 `json:"hiccup_max"`   // seconds: the longest overshoot of a 1 ms sleep
	HiccupP99   float64 `json:"hiccup_p99"`
	GCPauses    int     `json:"gc_pauses"`
	GCPauseMax  float64 `json:"gc_pause_max"`
	Steal       float64 `json:"steal"`   // share of all CPUs taken by the hypervisor
	Foreign     float64 `json:"foreign"` // share of all CPUs used by processes that are not ours
}
