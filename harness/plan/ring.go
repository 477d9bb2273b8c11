package plan

import (
	"fmt"
	"strconv"
	"strings"
)

// defaultPoints is the points a unit of weight of v1.
const defaultPoints = 160

// Points returns the points a unit of weight of a ring: v1, v2:16, v3:160.
func Points(ring string) (int, error) {
	if ring == "v1" {
		return defaultPoints, nil
	}
	_, multiple, _ := strings.Cut(ring, ":")
	n, err := strconv.Atoi(multiple)
	if err != nil {
		return 0, fmt.Errorf("ring %q: expected v1, v2:M or v3:M", ring)
	}
	return n, nil
}

// Weights returns the weights of n nodes by their law: one weight, or a range
// such as 1-10 taken in turn.
func Weights(n int, law string) ([]int, error) {
	first, last, isRange := strings.Cut(law, "-")
	if law == "" {
		first = "1"
	}
	low, err := strconv.Atoi(first)
	high := low
	if isRange && err == nil {
		high, err = strconv.Atoi(last)
	}
	if err != nil || low < 1 || high < low {
		return nil, fmt.Errorf("weights %q: expected a weight or a range such as 1-10", law)
	}
	weights := make([]int, n)
	for i := range weights {
		weights[i] = low + i%(high-low+1)
	}
	return weights, nil
}
