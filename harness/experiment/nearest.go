package experiment

// nearest returns the word closest to w by edit distance, or "" when none is
// close enough to be meant: at most a third of the letters differ.
func nearest(w string, words []string) string {
	best, bestDistance := "", len(w)/3+2
	for _, candidate := range words {
		if d := distance(w, candidate); d < bestDistance {
			best, bestDistance = candidate, d
		}
	}
	return best
}

// distance is the Damerau–Levenshtein distance (optimal string alignment):
// insertions, deletions, substitutions and swaps of neighbours.
func distance(a, b string) int {
	const longest = 64 // no valid word is longer, and the cost is a product
	if len(a) > longest || len(b) > longest {
		return longest
	}
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			rows[i][j] = step(rows, a, b, i, j)
		}
	}
	return rows[len(a)][len(b)]
}

func step(rows [][]int, a, b string, i, j int) int {
	cost := 1
	if a[i-1] == b[j-1] {
		cost = 0
	}
	d := min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
	if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
		d = min(d, rows[i-2][j-2]+1)
	}
	return d
}

// suggest completes a message about an unknown word: the nearest valid one,
// else all of them.
func suggest(w string, words []string) string {
	if n := nearest(w, words); n != "" {
		return "did you mean " + n + "?"
	}
	return "expected " + either(words)
}
