package ring

// tieRule decides between the ranks of servers that share a point.
type tieRule struct {
	ties   Ties
	starts []uint32 // CRC of the prefix by rank
}

// winner returns which of the ranks owns the point; they are in ascending
// order.
func (t tieRule) less(point uint32, a, b int) bool {
	if t.ties == TiesAddress {
		return a < b
	}
	x, y := t.key(point, a), t.key(point, b)
	return x < y || x == y && a < b
}

func (t tieRule) key(point uint32, rank int) uint64 {
	return fmix64(uint64(t.starts[rank])<<32 | uint64(point))
}

// fmix64 is the finalizer of MurmurHash3: every bit of x changes every bit of
// the result with probability near one half.
func fmix64(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

// dropShared keeps one word for each hash, in place.
func dropShared[W word](words []W, base uint32, rankBits int, rule tieRule) []W {
	first := 1
	for first < len(words) && words[first]>>rankBits != words[first-1]>>rankBits {
		first++
	}
	if first >= len(words) {
		return words
	}
	mask := W(1)<<rankBits - 1
	kept := words[:first]
	for _, w := range words[first:] {
		last := &kept[len(kept)-1]
		hash := w >> rankBits
		if hash != *last>>rankBits {
			kept = append(kept, w)
		} else if rule.less(base|uint32(hash), int(w&mask), int(*last&mask)) {
			*last = w
		}
	}
	return kept
}
