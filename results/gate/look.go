package gate

import "switchback/results/record"

// Shares of alpha at the first and the second of two looks.
const (
	firstLookShare  = 0.2
	secondLookShare = 0.8
)

// firstShare is the share of alpha that the first look of a design has.
func firstShare(looks int) float64 {
	if looks >= 2 {
		return firstLookShare
	}
	return 1
}

// lookShare is the share of alpha that a run of so many pairs is judged with.
func (r Rules) lookShare(pairs int) float64 {
	switch {
	case r.Looks < 2:
		return 1
	case pairs*2 <= r.Pairs:
		return firstLookShare
	}
	return secondLookShare
}

// FirstLook judges the first half of a run of two looks, at a fifth of alpha.
// decided means that the run may end here, with this summary as its own. There
// is no further look but the last one, at the remaining four fifths.
func FirstLook(run Run, rules Rules) (summary record.Summary, decided bool, err error) {
	rules.Looks = 2
	summary, err = Summarise(run, rules)
	decided = err == nil && (summary.Verdict == record.Pass || summary.Verdict == record.Regression)
	return summary, decided, err
}
