package experiment

import (
	"math"
	"time"

	"switchback/harness/schedule"
)

// The stretches of a block with changes: the groups change=before, change=in
// and change=after.
const (
	beforeChange = "before"
	inChange     = "in"
	afterChange  = "after"
)

// Stretch names where an instant of the measured part lies among the windows
// of the changes: before the first, in one, after one.
func Stretch(changes []Change, due time.Duration) string {
	name := beforeChange
	for _, k := range changes {
		switch at := time.Duration(k.At); {
		case due < at:
			return name
		case due < at+time.Duration(k.Window):
			return inChange
		}
		name = afterChange
	}
	return name
}

// slack is how many standard deviations below the expected number of requests
// in a stretch nearly every block stays above: all but 1 %.
const slack = 2.33

// maxDrawn bounds the instants of which the shares of the stretches are taken.
const maxDrawn = 100_000

// stretches adds the requests of the stretches that nearly every block has. The
// number of requests of a block is fixed; where they fall is the law's: of a
// Poisson process each lies in a stretch with the probability of its share of
// the block, other laws place them always alike.
func (e *Experiment) stretches(requests map[string]int) {
	law, err := schedule.Parse(e.Load.Arrivals)
	n, length := int(e.due()), time.Duration(e.Blocks.Length)
	if err != nil || len(e.Change) == 0 || law.IsClosed() || n <= 0 || length <= 0 {
		return
	}
	drawn := min(n, maxDrawn)
	random := law.Kind() == schedule.Law{}.Kind() // the zero law is Poisson's
	instants := schedule.Constant(drawn, length)  // the shares of a Poisson process
	if !random {
		instants = law.Given(drawn, length, 0)
	}
	counts := map[string]int{beforeChange: 0, inChange: 0, afterChange: 0}
	for _, due := range instants {
		counts[Stretch(e.Change, due)]++
	}
	for name, count := range counts {
		share := float64(count) / float64(drawn)
		least := share * float64(n)
		if random {
			least -= slack * math.Sqrt(least*(1-share))
		}
		requests["change="+name] = max(0, int(least))
	}
}
