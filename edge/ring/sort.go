package ring

import "math/bits"

// sorter orders the words of one partition. They are uniform, so one counting
// pass on their top bits, with about as many buckets as words, leaves runs of
// one or two that an insertion pass puts right without leaving the cache.
type sorter[W word] struct {
	out    []W
	starts []uint32
}

// sort returns the words in ascending order, in a buffer that the next call
// reuses. width is the number of bits in a word.
func (s *sorter[W]) sort(words []W, width int) []W {
	s.out = resize(s.out, len(words))
	radix := min(bits.Len(uint(len(words))), width)
	shift := width - radix
	s.starts = resize(s.starts, 1<<radix)
	clear(s.starts)
	for _, w := range words {
		s.starts[w>>shift]++
	}
	start := uint32(0)
	for i, n := range s.starts {
		s.starts[i] = start
		start += n
	}
	for _, w := range words {
		at := s.starts[w>>shift]
		s.out[at] = w
		s.starts[w>>shift] = at + 1
	}
	insertionSort(s.out)
	return s.out
}

// insertionSort is fast where every word is within a few places of its own.
func insertionSort[W word](words []W) {
	for i := 1; i < len(words); i++ {
		w := words[i]
		at := i
		for at > 0 && words[at-1] > w {
			words[at] = words[at-1]
			at--
		}
		words[at] = w
	}
}
