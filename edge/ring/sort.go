package ring

import (
	"math/bits"
	"slices"
)

// sorter orders the words of one partition. They are uniform, so one counting
// pass on their top bits, with about as many buckets as words, leaves runs of
// one or two that an insertion pass puts right without leaving the cache.
type sorter[W word] struct {
	starts []uint32
}

// sort puts unsorted words of a number of bits in ascending order into words, and
// reports whether two of them differ by less than near.
func (s *sorter[W]) sort(words, unsorted []W, width int, near W) (found bool) {
	radix := min(bits.Len(uint(len(words))), width)
	shift := (width - radix) & 63
	starts := resize(s.starts, 1<<radix)
	clear(starts)
	for _, w := range unsorted {
		starts[uint64(w)>>shift]++
	}
	start := uint32(0)
	for i, n := range starts {
		starts[i] = start
		start += n
	}
	for _, w := range unsorted {
		at := &starts[uint64(w)>>shift]
		words[*at] = w
		*at++
	}
	s.starts = starts
	bubble(words)
	return insertionSort(words, near)
}

// bubble carries the greatest word so far along, once over all words. It puts
// right most neighbours, without the branches that insertionSort would guess
// wrong.
func bubble[W word](words []W) {
	if len(words) == 0 {
		return
	}
	greatest := words[0]
	for i := 1; i < len(words); i++ {
		w := words[i]
		words[i-1] = min(w, greatest)
		greatest = max(w, greatest)
	}
	words[len(words)-1] = greatest
}

// insertionSort is fast where every word is within a few places of its own.
// Forged addresses can make it otherwise: then it gives up and sorts anew.
func insertionSort[W word](words []W, near W) (found bool) {
	moves, limit := 0, 8*len(words)+64
	for i := 1; i < len(words); i++ {
		w := words[i]
		if w-words[i-1] >= near && w >= words[i-1] {
			continue
		}
		at := i
		for at > 0 && words[at-1] > w {
			words[at] = words[at-1]
			at--
		}
		words[at] = w
		found = found || at > 0 && w-words[at-1] < near || at < i && words[at+1]-w < near
		if moves += i - at; moves > limit {
			slices.Sort(words)
			return true
		}
	}
	return found
}
