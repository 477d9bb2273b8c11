package stats

import (
	"math"
	"slices"
)

// Scores is a sign-flip test in its simplest form: every unit has a fixed
// integer score and a sign, and the statistic is the sum of the scores whose
// sign is positive. Under the null hypothesis each sign is a fair coin of its
// own. The signed-rank test and the test of a sum differ only in their scores.
type Scores struct {
	unit     []int // which coin belongs to the score
	size     []int // positive
	positive []bool
}

// RankScores returns the scores of Wilcoxon's signed-rank test of d − margin:
// twice the mid-rank of |d − margin|, so that ties are integers too. Zeros are
// dropped. unit names the coin of each value; nil numbers them from 0.
func RankScores(d []float64, margin float64, unit []int) Scores {
	s, magnitude := shifted(d, margin, unit)
	order := make([]int, len(magnitude))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return compare(magnitude[a], magnitude[b]) })
	s.size = make([]int, len(order))
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && magnitude[order[to]] == magnitude[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			s.size[i] = from + 1 + to // twice the mean of the ranks from+1 … to
		}
		from = to
	}
	return s
}

// CountScores returns the scores of the sign-flip test of a sum of counts.
// Zeros are dropped. The exact distribution takes time and memory in
// proportion to the sum of |e|.
func CountScores(e []int, unit []int) Scores {
	var s Scores
	for i, v := range e {
		if v == 0 {
			continue
		}
		s.unit = append(s.unit, unitOf(unit, i))
		s.positive = append(s.positive, v > 0)
		s.size = append(s.size, max(v, -v))
	}
	return s
}

func shifted(d []float64, margin float64, unit []int) (Scores, []float64) {
	var s Scores
	var magnitude []float64
	for i, v := range d {
		if v -= margin; v != 0 {
			s.unit = append(s.unit, unitOf(unit, i))
			s.positive = append(s.positive, v > 0)
			magnitude = append(magnitude, math.Abs(v))
		}
	}
	return s, magnitude
}

func unitOf(unit []int, i int) int {
	if unit == nil {
		return i
	}
	return unit[i]
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// tied says whether two scores are equal ranks: mid-ranks of ties are.
func (s Scores) tied() bool {
	seen := make(map[int]bool, len(s.size))
	for _, size := range s.size {
		if seen[size] {
			return true
		}
		seen[size] = true
	}
	return false
}

// Len returns the number of scores that take part.
func (s Scores) Len() int { return len(s.size) }

// Sum returns the statistic: the sum of the positive scores.
func (s Scores) Sum() int {
	sum := 0
	for i, size := range s.size {
		if s.positive[i] {
			sum += size
		}
	}
	return sum
}

// P returns the exact probability, over all signs, of a sum at least as large
// as the observed one; 1 without scores. It is made for up to 1,000 scores.
func (s Scores) P() float64 {
	total, sum := 0, s.Sum()
	for _, size := range s.size {
		total += size
	}
	if 2*sum > total { // symmetric, and the lower tail is the shorter table
		return lowerTail(s.size, total-sum)
	}
	return 1 - lowerTail(s.size, sum-1)
}

// lowerTail returns P(sum ≤ most) by the subset-sum recursion, which counts
// the sign patterns of every sum up to most.
func lowerTail(size []int, most int) float64 {
	p := 0.0
	for _, v := range lowerMass(size, most) {
		p += v
	}
	return p
}

// lowerMass returns P(sum = k) for k from 0 to most. Counting in a table that
// ends at most is six times as fast as upperTail.
func lowerMass(size []int, most int) []float64 {
	if most < 0 {
		return nil
	}
	mass := make([]float64, most+1)
	mass[0] = math.Ldexp(1, -len(size))
	reached := 0
	for _, v := range slices.Sorted(slices.Values(size)) {
		if v > most {
			break
		}
		reached = min(reached+v, most)
		for k := reached; k >= v; k-- {
			mass[k] += mass[k-v]
		}
	}
	return mass
}

// upperTail returns P(sum ≥ k) for every k from 0 to the largest sum, by the
// subset-sum recursion over the scores. Each step halves the mass, so nothing
// overflows; what underflows is below 2⁻¹⁰⁰⁰.
func (s Scores) upperTail() []float64 {
	total := 0
	for _, size := range s.size {
		total += size
	}
	mass := make([]float64, total+1)
	mass[0] = 1
	reached := 0
	for _, size := range slices.Sorted(slices.Values(s.size)) {
		reached += size
		for k := reached; k >= size; k-- {
			mass[k] = (mass[k] + mass[k-size]) / 2
		}
		for k := range size {
			mass[k] /= 2
		}
	}
	return cumulateFromTop(mass)
}

func cumulateFromTop(mass []float64) []float64 {
	for k := len(mass) - 2; k >= 0; k-- {
		mass[k] += mass[k+1]
	}
	for k := range mass {
		mass[k] = min(mass[k], 1)
	}
	return mass
}
