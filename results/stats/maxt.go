package stats

import (
	"math/rand/v2"
	"slices"
)

// Hypothesis is one of several claims that are tested together, and the level
// of its own. Scores of one unit share their coin in all hypotheses.
type Hypothesis struct {
	Scores Scores
	Alpha  float64
}

// Adjusted is the result of one hypothesis among several.
type Adjusted struct {
	P        float64 // of its own exact test
	Adjusted float64 // at most Alpha exactly when it is rejected among the others
	Level    float64 // P is at most Level exactly when it is rejected: the level of its bound
}

// The distribution of the extreme is enumerated up to 2¹² sign patterns and
// sampled beyond.
const (
	enumeratedUnits = 12
	sampledPatterns = 9999
)

// MaxT tests hypotheses together by Westfall and Young's single-step max-T:
// the same random signs for all, so that correlated metrics cost little. Each
// statistic is put on the scale of its own exact p over its alpha, which makes
// different metrics comparable; the chance of any false rejection is at most
// the largest alpha.
//
// A hypothesis all of whose values are below its margin cannot be rejected
// and takes no part; under its null that happens once in 2ⁿ.
//
// Source: Westfall and Young, Resampling-Based Multiple Testing, 1993, ch. 2.
func MaxT(hypotheses []Hypothesis, seed uint64) []Adjusted {
	results := make([]Adjusted, len(hypotheses))
	var active []int
	for i, h := range hypotheses {
		p := h.Scores.P()
		results[i] = Adjusted{P: p, Adjusted: p, Level: h.Alpha}
		if h.Scores.Sum() > 0 {
			active = append(active, i)
		}
	}
	if len(active) < 2 {
		return results
	}
	f := newFamily(hypotheses, active)
	extremes := f.extremes(seed)
	for k, i := range active {
		results[i] = f.adjust(k, results[i].P, extremes)
	}
	return results
}

// family holds the active hypotheses with coins numbered from 0.
type family struct {
	members []member
	units   int
	alpha   float64 // the largest
}

// member is a hypothesis with its p over alpha for every sum.
type member struct {
	Hypothesis
	coin   []int
	scaled []float64
}

func newFamily(hypotheses []Hypothesis, active []int) *family {
	f := &family{}
	coins := map[int]int{}
	for _, i := range active {
		m := member{Hypothesis: hypotheses[i]}
		for _, unit := range m.Scores.unit {
			if _, ok := coins[unit]; !ok {
				coins[unit] = len(coins)
			}
			m.coin = append(m.coin, coins[unit])
		}
		m.scaled = m.Scores.upperTail()
		for k := range m.scaled {
			m.scaled[k] /= m.Alpha
		}
		f.members = append(f.members, m)
		f.alpha = max(f.alpha, m.Alpha)
	}
	f.units = len(coins)
	return f
}

// extremes returns, sorted, the least scaled p of every sign pattern.
func (f *family) extremes(seed uint64) []float64 {
	signs := make([]bool, f.units)
	var least []float64
	if f.units <= enumeratedUnits {
		for pattern := range 1 << f.units {
			for u := range signs {
				signs[u] = pattern>>u&1 == 1
			}
			least = append(least, f.least(signs))
		}
	} else {
		draw := rand.New(rand.NewPCG(seed, 0))
		for range sampledPatterns {
			for u := range signs {
				signs[u] = draw.Uint64()&1 == 1
			}
			least = append(least, f.least(signs))
		}
		// The observed pattern is one of the equally likely ones.
		least = append(least, f.observed())
	}
	slices.Sort(least)
	return least
}

func (f *family) least(signs []bool) float64 {
	least := 1 / f.alpha
	for _, m := range f.members {
		sum := 0
		for i, coin := range m.coin {
			if signs[coin] {
				sum += m.Scores.size[i]
			}
		}
		least = min(least, m.scaled[sum])
	}
	return least
}

func (f *family) observed() float64 {
	least := 1 / f.alpha
	for _, m := range f.members {
		least = min(least, m.scaled[m.Scores.Sum()])
	}
	return least
}

// adjust returns the result of member k given the extremes of all patterns.
func (f *family) adjust(k int, p float64, extremes []float64) Adjusted {
	m := f.members[k]
	scaled := m.scaled[m.Scores.Sum()]
	atMost, _ := slices.BinarySearchFunc(extremes, scaled, func(e, t float64) int {
		if e <= t {
			return -1
		}
		return 1
	})
	share := float64(atMost) / float64(len(extremes))
	// Rejected are those whose share is at most alpha: scaled below the
	// extreme at that place.
	allowed := int(f.alpha * float64(len(extremes)) * (1 + 1e-12))
	limit := extremes[min(allowed, len(extremes)-1)]
	level := 0.0
	for _, v := range m.scaled {
		if v < limit && v <= 1 {
			level = max(level, v*m.Alpha)
		}
	}
	return Adjusted{P: p, Adjusted: max(p, share*m.Alpha/f.alpha), Level: level}
}
