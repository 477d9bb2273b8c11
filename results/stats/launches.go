package stats

// GroupMeans returns the mean of the values of each group, and the groups in
// the order of their first value: the launch means that are tested when a
// launch spans several pairs.
func GroupMeans(values []float64, group []int) (means []float64, groups []int) {
	place := map[int]int{}
	var count []int
	for i, v := range values {
		at, ok := place[group[i]]
		if !ok {
			at = len(groups)
			place[group[i]] = at
			groups = append(groups, group[i])
			means = append(means, 0)
			count = append(count, 0)
		}
		means[at] += v
		count[at]++
	}
	for i := range means {
		means[i] /= float64(count[i])
	}
	return means, groups
}
