package schedule

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// The bounds above which a report says that the schedule was not kept.
const (
	NotedDistance   = 0.1 // of gaps
	NotedDispersion = 0.1 // difference of dispersions, as a part of the planned one or of 1, a Poisson process's
)

// dispersionWindow is the window of Fidelity's counts.
const dispersionWindow = 10 * time.Millisecond

// Fidelity tells how well a schedule was kept, by the instants at which
// requests were let go: what happens after is the server's doing.
type Fidelity struct {
	Distance          float64 `json:"distance"` // of the gaps, an effect size: Distance
	DispersionPlanned float64 `json:"dispersion_planned"`
	DispersionKept    float64 `json:"dispersion_kept"` // variance over mean of counts per 10 ms
}

// Compare tells how well a plan was kept by what was sent. Both lists ascend.
func Compare(planned, sent []time.Duration) Fidelity {
	if len(planned) == 0 {
		return Fidelity{}
	}
	length := planned[len(planned)-1] + 1
	return Fidelity{
		Distance:          Distance(planned, sent),
		DispersionPlanned: Dispersion(planned, length, dispersionWindow),
		DispersionKept:    Dispersion(sent, length, dispersionWindow),
	}
}

// Note says that the schedule was not kept, and how far; "" when it was.
func (f Fidelity) Note() string {
	switch {
	case f.Distance > NotedDistance:
		return fmt.Sprintf("the schedule was not kept: distance of gaps %.2f, above %.2f", f.Distance, NotedDistance)
	case math.Abs(f.DispersionKept-f.DispersionPlanned) > NotedDispersion*max(f.DispersionPlanned, 1):
		return fmt.Sprintf("the schedule was not kept: variance over mean of requests in 10 ms is %.2f, planned %.2f",
			f.DispersionKept, f.DispersionPlanned)
	}
	return ""
}

// Distance tells how far the gaps of what was sent lie from the gaps of the
// plan, as an effect size between 0 and 1: the Lévy distance of their
// distributions, with the mean planned gap as the unit of time. 0.1 means that,
// a tenth of all gaps apart, gaps are as planned to within a tenth of the mean
// gap. (The Kolmogorov–Smirnov distance would be no use: a constant plan has a
// single gap, and jitter of a nanosecond moves half of the gaps to one side.)
// Both lists are ascending; with fewer than two instants in either it is 0.
func Distance(planned, sent []time.Duration) float64 {
	if len(planned) < 2 || len(sent) < 2 {
		return 0
	}
	unit := float64(planned[len(planned)-1]-planned[0]) / float64(len(planned)-1)
	if unit == 0 {
		unit = 1
	}
	p, s := gaps(planned, unit), gaps(sent, unit)
	low, high := 0.0, 1.0
	for range 20 {
		middle := (low + high) / 2
		if within(p, s, middle) && within(s, p, middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}

// gaps returns the sorted gaps in units.
func gaps(instants []time.Duration, unit float64) []float64 {
	g := make([]float64, len(instants)-1)
	for i := range g {
		g[i] = float64(instants[i+1]-instants[i]) / unit
	}
	slices.Sort(g)
	return g
}

// within reports whether F(x) ≤ G(x + e) + e everywhere, for the empirical
// distributions of f and g: it is enough to look where F rises.
func within(f, g []float64, e float64) bool {
	j := 0
	for i, x := range f {
		for j < len(g) && g[j] <= x+e {
			j++
		}
		if float64(i+1)/float64(len(f)) > float64(j)/float64(len(g))+e {
			return false
		}
	}
	return true
}

// Dispersion returns the variance of the counts per window over their mean: 1
// for a Poisson process, about 0 for equal gaps, more for bursts. Windows cover
// [0, length); a last one that is not whole is left out. 0 with fewer than two.
func Dispersion(instants []time.Duration, length, window time.Duration) float64 {
	n := int(length / window)
	if n < 2 {
		return 0
	}
	counts := make([]float64, n)
	total := 0.0
	for _, at := range instants {
		if i := int(at / window); i >= 0 && i < n {
			counts[i]++
			total++
		}
	}
	if total == 0 {
		return 0
	}
	mean, squares := total/float64(n), 0.0
	for _, c := range counts {
		squares += (c - mean) * (c - mean)
	}
	return squares / float64(n-1) / mean
}
