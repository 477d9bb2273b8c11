package ring

// tieRule decides between servers that share a point.
type tieRule struct {
	ties Ties
	*source
}

// less reports whether server a owns a point rather than server b.
func (t tieRule) less(point uint32, a, b uint64) bool {
	if t.ties == TiesHashed {
		if x, y := t.key(point, a), t.key(point, b); x != y {
			return x < y
		}
	}
	return t.ranks[a] < t.ranks[b]
}

func (t tieRule) key(point uint32, server uint64) uint64 {
	return fmix64(uint64(t.starts[server])<<32 | uint64(point))
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

// dropShared keeps one word for each hash, in place. base is the part of the
// hash that the partition of the words implies.
func dropShared[W word](words []W, base uint32, s split, rule tieRule) []W {
	kept := words[:0]
	last, owner := uint64(0), uint64(0)
	for _, w := range words {
		hash := divide(uint64(w), s.perServer)
		server := uint64(w) - hash*s.servers
		if len(kept) == 0 || hash != last {
			kept = append(kept, w)
			last, owner = hash, server
		} else if rule.less(base|uint32(hash), server, owner) {
			kept[len(kept)-1] = w
			owner = server
		}
	}
	return kept
}
