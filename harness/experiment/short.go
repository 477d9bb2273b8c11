package experiment

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"switchback/harness/blocks"
)

// The short form of an experiment: what Short cuts to.
const (
	shortPairs  = 2
	shortLength = Duration(500 * time.Millisecond)
	shortSize   = 1000 // deployments of a named project
	shortTail   = 100  // projects
)

// Short returns the experiment in its short form, which shows in seconds
// that it runs and decides nothing:
//
//   - at most 2 pairs, unless WithPairs says otherwise after it;
//   - blocks of at most 500 ms, but ten times their guard; of a rollout, steps
//     of at most 200 ms after 400 ms, and no tripwires;
//   - projects of more than 1,000 deployments get 1,000, with their groups
//     renamed and sizes that are then equal merged; at most 100 projects in the tail;
//   - the requests of per_block shrink as the block does, to at least 1 of each size;
//   - changes come, and their windows end, as much earlier;
//   - no warm-up;
//   - the first two points of each axis of a sweep;
//   - its gates are not judged.
//
// Rates, arms and all else stay. The short form of a short form is itself.
func (e *Experiment) Short() (*Experiment, error) {
	given := e.given.clone()
	given.ShortForm = true
	given.setPairs(min(e.Blocks.Pairs, shortPairs))
	return build(given)
}

// setPairs sets the number of pairs as if the file did, in all cells.
func (e *Experiment) setPairs(n int) {
	e.Blocks.Pairs = n
	e.lines["blocks.pairs"] = 0 // given, but not in the file
	for i := range e.Sweep {
		e.Sweep[i].override("blocks.pairs", n)
	}
}

func (e *Experiment) shorten() {
	e.shortDataset()
	before := e.Blocks.Length
	e.Blocks.Length = min(before, max(shortLength, blocks.GuardFactor*e.Blocks.Guard))
	e.Blocks.Warmup = ""
	if e.Rollout != nil {
		e.shortenRollout()
		e.Blocks.Length = min(before, e.rolloutLength())
	}
	if before > 0 {
		e.shortTargets(float64(e.Blocks.Length) / float64(before))
		e.shortChanges(float64(e.Blocks.Length) / float64(before))
	}
	e.Gate.ReportOnly = len(e.Gate.Bounds) > 0
}

func (e *Experiment) shortDataset() {
	var sizes []int
	for _, n := range e.Dataset.Sizes {
		if n = min(n, shortSize); !slices.Contains(sizes, n) {
			sizes = append(sizes, n)
		}
	}
	e.Dataset.Sizes = sizes
	e.Dataset.Tail = min(e.Dataset.Tail, shortTail)
	for i, b := range e.Gate.Bounds {
		if size, ok := strings.CutPrefix(b.Group, "size="); ok && e.Dataset.File == "" {
			e.Gate.Bounds[i].Group = "size=" + shortKey(size)
		}
	}
}

// shortTargets scales the requests of a block, and keeps the rate that they have with it.
func (e *Experiment) shortTargets(scale float64) {
	perBlock := e.Targets.PerBlock
	if len(perBlock) == 0 {
		return
	}
	e.Targets.PerBlock = map[string]int{}
	for key, n := range perBlock {
		if e.Dataset.File == "" {
			key = shortKey(key)
		}
		if n > 0 {
			n = max(1, int(math.Round(float64(n)*scale)))
		}
		e.Targets.PerBlock[key] += n
	}
	if !e.Load.closed() {
		e.Load.Rate = e.defaultRate()
	}
}

// shortKey is the name of a size, or of a size and position, in the short
// form; other words stay.
func shortKey(key string) string {
	size, position, cut := strings.Cut(key, "/")
	if n, err := strconv.Atoi(size); err != nil || n <= shortSize {
		return key
	}
	if cut {
		return strconv.Itoa(shortSize) + "/" + position
	}
	return strconv.Itoa(shortSize)
}

// WithPairs returns the experiment with another number of pairs. With fewer
// than its gates need they are not judged.
func (e *Experiment) WithPairs(n int) (*Experiment, error) {
	given := e.given.clone()
	given.setPairs(n)
	launches := blocks.Launches(n, e.Blocks.LaunchEvery)
	if need := e.PairsNeeded(); n < need || launches < need && !e.attached() {
		given.Gate.ReportOnly = len(given.Gate.Bounds) > 0
	}
	return build(given)
}

// GateNote says why the gates of the experiment are not judged; it is empty
// when they are, or there are none.
func (e *Experiment) GateNote() string {
	need, have := e.PairsNeeded(), e.Blocks.Pairs
	switch {
	case !e.Gate.ReportOnly:
		return ""
	case have < need:
		return fmt.Sprintf("gates are not judged: they need %d pairs, this run has %d", need, have)
	case e.Launches() < need && !e.attached():
		return fmt.Sprintf("gates are not judged: they need %d launches, this run has %d", need, e.Launches())
	}
	if e.ShortForm {
		return "gates are not judged in the short form"
	}
	return "gates are not judged: gate.report_only is set"
}
