package gate

import (
	"fmt"
	"math"
	"slices"

	"switchback/results/metric"
	"switchback/results/record"
	"switchback/results/stats"
	"switchback/results/units"
)

// NoiseShare is the share of all CPUs beyond which steal, or what other
// processes used, has disturbed a block.
const NoiseShare = 0.05

// disturber is one source of noise, as a block has it: a share of all CPUs.
type disturber struct {
	took string
	read func(record.Generator) float64
}

func disturbers() []disturber {
	return []disturber{
		{"the hypervisor took", func(g record.Generator) float64 { return g.Steal }},
		{"other processes used", func(g record.Generator) float64 { return g.Foreign }},
	}
}

// noisy says whether a block was disturbed.
func (c *cell) noisy() bool {
	return slices.ContainsFunc(disturbers(), func(d disturber) bool { return d.read(c.Generator) > NoiseShare })
}

// aside are the pairs that are not tested, since a block of theirs was noisy.
// Setting a pair aside does not depend on which of its blocks was the noisy
// one, so the coins of the others stay fair and the test stays exact.
type aside struct {
	pairs map[int]bool // by their place in the table
	few   bool         // too few are left for alpha: all are tested
	noisy int          // noisy pairs, tested or not
	left  int          // units without
	need  int          // units that alpha needs
}

// setAside finds the noisy pairs of some arms, which are tested together.
func (j *judge) setAside(claims []claim, arms ...string) aside {
	a := aside{pairs: map[int]bool{}, need: UnitsNeeded(len(claims), j.rules.strictestOr(claims)*j.share)}
	all, left := map[int]bool{}, map[int]bool{}
	for i, pair := range j.table.pairs {
		if !wholePair(pair, arms) {
			continue
		}
		unit := j.unitOf(i, pair[arms[0]].Launch, j.rules.OneProcess)
		all[unit] = true
		if slices.ContainsFunc(arms, func(arm string) bool { return pair[arm].noisy() }) {
			a.pairs[i] = true
		} else {
			left[unit] = true
		}
	}
	a.noisy, a.left = len(a.pairs), len(left)
	a.few = a.left < a.need && (len(all) >= a.need || tooMany(a.noisy, len(all)))
	if a.few {
		a.pairs = nil
	}
	return a
}

// strictestOr returns the least alpha of claims, and the run's without any.
func (r Rules) strictestOr(claims []claim) float64 {
	if len(claims) == 0 {
		return r.Alpha
	}
	return r.strictest(claims)
}

// checkNoise sets noisy pairs aside, for each arm by itself and beside the
// baseline, and says so.
func (j *judge) checkNoise() {
	claims := j.rules.claims()
	j.alone, j.beside = map[string]aside{}, map[string]aside{}
	for _, arm := range j.rules.Arms {
		j.alone[arm] = j.setAside(claims, arm)
		j.beside[arm] = j.setAside(claims, j.rules.Baseline, arm)
	}
	worst := aside{}
	for _, arm := range j.rules.candidates() {
		if a := j.beside[arm]; a.few && !worst.few || a.few == worst.few && a.noisy > worst.noisy {
			worst = a
		}
	}
	if worst.noisy == 0 {
		return
	}
	for _, d := range disturbers() {
		j.noteDisturber(d)
	}
	if worst.few {
		j.noisy = true
		j.note("without noise: %s, alpha needs %d; all are tested, and only a regression is believed", units.Count(worst.left, j.unitName()), worst.need)
		return
	}
	j.note("set aside: %s with a noisy block; %s without decide", units.Count(worst.noisy, "pair"), units.Count(worst.left, j.unitName()))
}

// noteDisturber says how many blocks a source of noise has disturbed.
func (j *judge) noteDisturber(d disturber) {
	worst, noisy := 0.0, 0
	for _, b := range j.run.Blocks {
		v := d.read(b.Generator)
		worst = max(worst, v)
		noisy += b2i(v > NoiseShare)
	}
	if noisy > 0 {
		j.note("%s over 5 %% of the CPU in %d of %d blocks (at most %.0f %%)", d.took, noisy, len(j.run.Blocks), 100*worst)
	}
}

// followsAt is the p at which noise is said to follow an arm, and followsBy the
// share of all CPUs that it then differs by at least.
const (
	followsAt = 0.01
	followsBy = 0.01
)

// checkFollowing says whether noise comes with an arm, by the same coins: then
// it may be the arm's own work, done by a process outside its tree.
func (j *judge) checkFollowing() {
	for _, arm := range j.rules.candidates() {
		if arm == j.rules.Baseline {
			continue
		}
		for _, d := range disturbers() {
			j.checkFollows(d, arm)
		}
	}
}

func (j *judge) checkFollows(d disturber, arm string) {
	var p paired
	for i, pair := range j.table.pairs {
		if wholePair(pair, []string{j.rules.Baseline, arm}) {
			p.arm, p.base = append(p.arm, d.read(pair[arm].Generator)), append(p.base, d.read(pair[j.rules.Baseline].Generator))
			p.pair, p.launch = append(p.pair, i), append(p.launch, pair[arm].Launch)
		}
	}
	values, _ := j.perUnit(p.differences(), p, j.rules.OneProcess)
	by, test := stats.HodgesLehmann(values), stats.SignedRankTest(values, 0)
	if math.Abs(by) < followsBy || test.TwoSided > followsAt {
		return
	}
	more, less := arm, j.rules.Baseline
	if by < 0 {
		more, less = less, more
	}
	j.note("%s %.1f %% more of the CPU in the blocks of %s than in those of %s (p %.2g): is a process of %s outside its tree?",
		d.took, 100*math.Abs(by), more, less, test.TwoSided, more)
}

// onNoisyMachine corrects a verdict that rests on noisy pairs. Under "the arm
// changes nothing" the coins make the false alarms, however noisy the machine
// is, so a regression stands; its size may be that of the noise. A bound on
// an arm's own value has no coin, and is not believed at all.
func (j *judge) onNoisyMachine(g record.Gate, own bool) record.Gate {
	switch {
	case own && !j.alone[g.Arm].few, !own && !j.beside[g.Arm].few:
	case g.Verdict == record.Regression && !own:
		g.Reason = joined(g.Reason, fmt.Sprintf("%s, on a noisy machine; its size is not proven", worseWord(g.Metric)))
	case g.Verdict != record.Invalid:
		g.Verdict, g.Reason = record.Invalid, "the machine was too noisy to tell"
	}
	return g
}

func joined(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}

// worseWord says what a regression of a metric is.
func worseWord(name string) string {
	if m, _ := metric.Lookup(name); m.Unit == "s" {
		return "slower"
	}
	return "worse"
}

// unitName is what is tested: pairs, or launches where those are a level.
func (j *judge) unitName() string {
	if j.rules.OneProcess || j.table.launches >= len(j.table.pairs) {
		return "pair"
	}
	return "launch"
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
