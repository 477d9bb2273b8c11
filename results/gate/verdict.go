package gate

import "switchback/results/record"

// Exit codes of a judged run.
const (
	ExitPass         = 0
	ExitInconclusive = 3
	ExitInvalid      = 4
	ExitNoReference  = 5
	ExitRegression   = 99
)

// ExitCode returns the exit code of a verdict. An inconclusive run is a
// warning, and fails only when strict.
func ExitCode(verdict string, strict bool) int {
	switch verdict {
	case record.Regression:
		return ExitRegression
	case record.Invalid:
		return ExitInvalid
	case record.Inconclusive:
		if strict {
			return ExitInconclusive
		}
	}
	return ExitPass
}

// worst returns the verdict of a valid run from those of its gates. Invalid is
// then a gate that noise has made undecidable; a regression beside it stands.
func worst(gates []record.Gate) string {
	verdict := record.Pass
	rank := map[string]int{record.Pass: 0, record.Inconclusive: 1, record.Invalid: 2, record.Regression: 3}
	for _, g := range gates {
		if rank[g.Verdict] > rank[verdict] {
			verdict = g.Verdict
		}
	}
	return verdict
}
