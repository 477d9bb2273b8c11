package stats

import "slices"

// Holm tests hypotheses together from their p alone, whatever their
// dependence: the plain fallback where no signs are shared. adjusted is at
// most alpha exactly when a hypothesis is rejected; p is at most its level
// exactly then too.
//
// Source: Holm, A Simple Sequentially Rejective Multiple Test Procedure, 1979.
func Holm(p []float64, alpha float64) (adjusted, level []float64) {
	n := len(p)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return compare(p[a], p[b]) })
	adjusted, level = make([]float64, n), make([]float64, n)
	running, failed := 0.0, 0.0
	for rank, i := range order {
		rest := float64(n - rank)
		running = max(running, min(1, rest*p[i]))
		adjusted[i] = running
		if failed == 0 && running > alpha {
			failed = alpha / rest
		}
		level[i] = alpha / rest
		if failed > 0 {
			level[i] = failed
		}
	}
	return adjusted, level
}
