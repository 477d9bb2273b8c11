package gate

import (
	"maps"
	"math"
	"slices"

	"switchback/results/metric"
	"switchback/results/stats"
	"switchback/results/units"
)

// The limits of a valid measurement.
const (
	leastReleased  = 0.99  // share of the due requests that were released
	leastLateness  = 0.001 // seconds of lateness p99 that are always allowed
	latenessShare  = 0.10  // of the baseline's ttfb p50
	generatorShare = 0.80  // CPU without spin, of the generator's CPUs
	blocksShare    = 0.10  // of the blocks that may break a rule
)

// LatenessLimit is the lateness p99 in seconds beyond which requests are
// released late, given the baseline's ttfb p50 of each block.
func LatenessLimit(medians []float64) float64 {
	if len(medians) == 0 {
		return leastLateness
	}
	middle := stats.Median(medians)
	if math.IsInf(middle, 1) { // no answer
		return leastLateness
	}
	return max(leastLateness, latenessShare*middle)
}

// checkValidity applies every rule about the generator and the machine, and
// those about the baseline. What happens to a candidate is a result.
func (j *judge) checkValidity() {
	j.checkLimits()
	j.checkFailing()
	j.checkNoise()
	j.checkFollowing()
	j.checkReleased()
	j.checkLateness()
	j.checkGenerator()
	j.checkDue()
	j.checkDead()
	j.checkBaseline()
	j.checkStores()
	if c := j.rules.Calibration; c.tooManyAlarms() {
		j.note("calibration of this kind of machine: %d false alarms in %d A/A gates, more than alpha %v allows", c.Alarms, c.Gates, c.Alpha)
	}
	j.checkSpans()
	j.noteCut()
}

// noteCut says which values the histograms could not hold.
func (j *judge) noteCut() {
	cut := map[[2]string]int64{}
	for _, b := range j.run.Blocks {
		for metric, n := range b.Cut {
			cut[[2]string{b.Arm, metric}] += n
		}
	}
	for _, at := range slices.SortedFunc(maps.Keys(cut), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		j.note("%s of %s of %s outside the range of the histograms, counted at its end", units.Count(int(cut[at]), "value"), at[1], at[0])
	}
}

func (j *judge) checkReleased() {
	due, released := 0, 0
	for _, b := range j.run.Blocks {
		if !b.Dead {
			due, released = due+b.Due, released+b.Released
		}
	}
	if share := float64(released) / float64(max(1, due)); due > 0 && share < leastReleased {
		j.invalid("the generator released %.1f %% of the requests that were due, less than 99 %%: lower the rate", 100*share)
	}
}

func (j *judge) checkLateness() {
	var late []float64
	for _, b := range j.run.Blocks {
		if !b.Dead {
			late = append(late, b.Generator.LatenessP99)
		}
	}
	if len(late) == 0 {
		return
	}
	medians, _ := j.table.own(series{metric.TTFB + metric.P50, ""}, j.rules.Baseline, nil)
	limit := LatenessLimit(medians)
	if got := stats.Median(late); got > limit {
		j.invalid("requests were released late: p99 %s in the middle block, more than %s", units.Seconds(got), units.Seconds(limit))
	}
}

func (j *judge) checkGenerator() {
	used, had := 0.0, 0.0
	for _, b := range j.run.Blocks {
		used += b.Generator.CPU - b.Generator.Spin
		had += (b.Length + b.Drain) * j.rules.Generator
	}
	if had > 0 && used > generatorShare*had {
		j.invalid("the generator used %.0f %% of its CPU without its spin, more than 80 %%: lower the rate", 100*used/had)
	}
}

func tooMany(k, n int) bool { return float64(k) > blocksShare*float64(n) }

// checkDue compares the due counts of the blocks of each round, which replay
// the same requests.
func (j *judge) checkDue() {
	for _, pair := range j.table.pairs {
		least, most, number := math.MaxInt, 0, 0
		for _, c := range pair {
			least, most, number = min(least, c.Due), max(most, c.Due), c.Pair
		}
		if least != most {
			j.invalid("pair %d: its blocks had %d and %d requests due; they must have the same", number, least, most)
			return
		}
	}
}

// checkBaseline makes a run invalid whose baseline did not keep up, but for the
// blocks in which the machine kept it from that.
func (j *judge) checkBaseline() {
	blocks, slow := 0, 0
	for i, pair := range j.table.pairs {
		if b := pair[j.rules.Baseline]; b != nil && !j.alone[j.rules.Baseline].pairs[i] {
			blocks++
			slow += b2i(b.Drain > b.Length/2)
		}
	}
	if tooMany(slow, blocks) {
		j.invalid("the baseline %s was saturated: its drain was over half a block in %d of %d blocks: lower the rate", j.rules.Baseline, slow, blocks)
	}
}

// checkStores makes a run invalid in which a built-in edge could not read or write its
// routing store: its answers, and what they took, tell of the disk.
func (j *judge) checkStores() {
	failed := map[string]int{}
	for _, b := range j.run.Blocks {
		if b.StoreErrors > 0 {
			failed[b.Arm]++
		}
	}
	j.unusable = j.unusable || len(failed) > 0
	for _, arm := range slices.Sorted(maps.Keys(failed)) {
		j.invalid("the routing store of %s had errors in %s; their notes have the first", arm, units.Count(failed[arm], "block"))
	}
}
