package fleet

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Weights is a law by which generated servers get their weights; the zero
// value gives each 1.
type Weights struct {
	low, high int     // taken in turn
	exponent  float64 // of a Pareto law from 1 on; 0: none
}

// maxWeight bounds the weights that a law may name.
const maxWeight = 1_000_000

// ParseWeights reads "equal" (1 each), "N" (N each), "LOW-HIGH" as in "1-10"
// (the weights from LOW to HIGH in turn), or "pareto:A": whole weights w or more
// with probability w^−A, spread evenly over the list.
func ParseWeights(text string) (Weights, error) {
	if text == "equal" {
		return Weights{low: 1, high: 1}, nil
	}
	if exponent, ok := strings.CutPrefix(text, "pareto:"); ok {
		a, err := strconv.ParseFloat(exponent, 64)
		if err != nil || !(a >= 0.5 && a <= 100) {
			return Weights{}, fmt.Errorf("weights %q: want pareto:A with A from 0.5 to 100", text)
		}
		return Weights{exponent: a}, nil
	}
	low, high, isRange := strings.Cut(text, "-")
	if !isRange {
		high = low
	}
	from, err := strconv.Atoi(low)
	to, err2 := strconv.Atoi(high)
	switch {
	case isRange && (err != nil || err2 != nil), err == nil && (from < 1 || to < from || to > maxWeight):
		return Weights{}, fmt.Errorf("weights %q: want N, or LOW-HIGH with LOW ≤ HIGH, from 1 to %d", text, maxWeight)
	case err != nil:
		return Weights{}, fmt.Errorf("weights %q: want equal, a weight, LOW-HIGH as in 1-10, or pareto:A", text)
	}
	return Weights{low: from, high: to}, nil
}

// of returns the weight of server i.
func (w Weights) of(i int) int {
	if w.exponent == 0 {
		low := max(w.low, 1)
		return low + i%(max(w.high, low)-low+1)
	}
	// Multiples of the golden ratio, modulo one, are spread evenly however
	// many are taken.
	_, u := math.Modf(float64(i+1) * (math.Phi - 1))
	return int(min(math.Pow(1-u, -1/w.exponent), maxWeight))
}
