package targets

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The keys of Settings.PerBlock that are no sizes.
const (
	keyTail    = "tail"
	keyUnknown = "unknown"
)

// stratum is one key of Settings.PerBlock.
type stratum struct {
	size     string // decimal, keyTail, or "" for unknown hostnames
	position string // First, Middle, Last, Unknown; "" for any known
	count    int
}

// parseStrata reads PerBlock in the order of its keys.
func parseStrata(perBlock map[string]int) ([]stratum, error) {
	var all []stratum
	sum := 0
	for key, count := range perBlock {
		s, err := parseStratum(key)
		if err != nil {
			return nil, err
		}
		if count < 0 || count > maxBlock {
			return nil, fmt.Errorf("per_block: %s: %d requests, expected 0 to %d", key, count, maxBlock)
		}
		s.count = count
		sum += count
		all = append(all, s)
	}
	if len(perBlock) > 0 && (sum == 0 || sum > maxBlock) {
		return nil, fmt.Errorf("per_block: %d requests in all, expected 1 to %d", sum, maxBlock)
	}
	slices.SortFunc(all, func(a, b stratum) int { return strings.Compare(a.size+"/"+a.position, b.size+"/"+b.position) })
	return all, nil
}

func parseStratum(key string) (stratum, error) {
	if key == keyUnknown {
		return stratum{}, nil
	}
	size, position, hasPosition := strings.Cut(key, "/")
	n, err := strconv.Atoi(size)
	if size != keyTail && (err != nil || strconv.Itoa(n) != size || n < 1) {
		return stratum{}, fmt.Errorf("per_block: %q, expected a size like 10000, %s or %s", key, keyTail, keyUnknown)
	}
	if hasPosition && !slices.Contains([]string{First, Middle, Last, Unknown}, position) {
		return stratum{}, fmt.Errorf("per_block: %q, expected /%s, /%s, /%s or /%s after the size", key, First, Middle, Last, Unknown)
	}
	return stratum{size: size, position: position}, nil
}

// apportioned splits n in the proportions of the weights, by largest
// remainders, the earlier of equal ones first. All weights zero give nothing.
func apportioned(n int, weights []int) []int {
	total := 0
	for _, w := range weights {
		total += w
	}
	parts := make([]int, len(weights))
	if total == 0 {
		return parts
	}
	order := make([]int, len(weights))
	left := n
	for i, w := range weights {
		parts[i] = n * w / total
		left -= parts[i]
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return n*weights[b]%total - n*weights[a]%total })
	for _, i := range order[:left] {
		parts[i]++
	}
	return parts
}
