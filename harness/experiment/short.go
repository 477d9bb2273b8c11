package experiment

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
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
//   - at most 2 pairs; blocks of at most 500 ms, but ten times their guard;
//   - projects of more than 1,000 deployments get 1,000, with their groups
//     renamed and sizes that are then equal merged; at most 100 projects in the tail;
//   - the requests of per_block shrink as the block does, to at least 1 of each size;
//   - its gates are not judged.
//
// Rates, arms and all else stay.
func (e *Experiment) Short() *Experiment {
	s := e.clone()
	s.shortDataset()
	before := s.Blocks.Length
	s.Blocks.Pairs = min(s.Blocks.Pairs, shortPairs)
	s.Blocks.Length = min(before, max(shortLength, 10*s.Blocks.Guard))
	s.shortTargets(float64(s.Blocks.Length) / float64(before))
	s.Gate.ReportOnly = len(s.Gate.Bounds) > 0
	return s
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
	for _, key := range slices.Sorted(maps.Keys(perBlock)) {
		to := key
		if e.Dataset.File == "" {
			to = shortKey(key)
		}
		e.Targets.PerBlock[to] += max(1, int(math.Round(float64(perBlock[key])*scale)))
	}
	if e.Load.Arrivals != Concurrency {
		e.Load.Rate = e.defaultRate()
	}
}

// shortKey is the name of a size in the short form; other words stay.
func shortKey(size string) string {
	if n, err := strconv.Atoi(size); err == nil && n > shortSize {
		return strconv.Itoa(shortSize)
	}
	return size
}

// WithPairs returns the experiment with another number of pairs. With fewer
// than its gates need they are not judged.
func (e *Experiment) WithPairs(n int) (*Experiment, error) {
	s := e.clone()
	s.Blocks.Pairs = n
	if need := s.PairsNeeded(); n < need || s.Launches() < need && !s.attached() {
		s.Gate.ReportOnly = len(s.Gate.Bounds) > 0
	}
	if err := s.Check(); err != nil {
		return nil, err
	}
	return s, nil
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
	return "gates are not judged: gate.report_only is set"
}
