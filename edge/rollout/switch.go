package rollout

import "math"

// Purpose keeps the hashes of two rollouts apart, so that the keys on a new
// ring are no special part of the sites on a new router.
type Purpose uint64

// The purposes.
const (
	ForRouter Purpose = 0x726f75746572
	ForRing   Purpose = 0x72696e67
)

// Switch is a Part made ready to decide in one colo. It is never changed.
type Switch struct {
	old, new  string
	purpose   Purpose
	byRequest bool
	limit     uint64          // units whose hash is below are on new
	all       bool            // share 1, which no limit can say
	pinned    map[string]bool // site → is on new
}

// Switch prepares the part for the requests of one colo.
func (p Part) Switch(purpose Purpose, colo string) *Switch {
	s := &Switch{old: p.Old, new: p.New, purpose: purpose, byRequest: p.By == ByRequest}
	if p.Off {
		return s
	}
	if len(p.Sites)+len(p.OptOut) > 0 {
		s.pinned = make(map[string]bool, len(p.Sites)+len(p.OptOut))
	}
	for site, side := range p.Sites {
		s.pinned[site] = side == SideNew
	}
	for _, site := range p.OptOut {
		s.pinned[site] = false
	}
	if p.allows(colo) {
		s.all = p.Share >= 1
		s.limit = threshold(p.Share)
	}
	return s
}

func (p Part) allows(colo string) bool {
	for _, c := range p.Colos {
		if c == colo {
			return true
		}
	}
	return len(p.Colos) == 0
}

// threshold is share × 2⁶⁴, and the largest number for 1. It never falls as
// share rises, which is the whole of the law.
func threshold(share float64) uint64 {
	if share >= 1 {
		return math.MaxUint64
	}
	return uint64(share * (1 << 63) * 2)
}

// Choose returns the version for a request: site is whose it is, key what the
// share is stable by (the site itself for a router, the cache key for a
// ring), draw a number of the request alone, used with ByRequest. It
// allocates nothing.
func (s *Switch) Choose(site, key string, draw uint64) string {
	if onNew, ok := s.pinned[site]; ok {
		return s.side(onNew)
	}
	if s.all || s.limit == 0 {
		return s.side(s.all)
	}
	if s.byRequest {
		return s.side(fmix64(draw^uint64(s.purpose)) < s.limit)
	}
	return s.side(hash(s.purpose, key) < s.limit)
}

func (s *Switch) side(onNew bool) string {
	if onNew {
		return s.new
	}
	return s.old
}

// hash is FNV-1a over the key from a basis of its purpose, finished by
// fmix64: FNV alone leaves the high bits of short keys poor, and a share reads
// the high bits.
func hash(purpose Purpose, key string) uint64 {
	h := uint64(14695981039346656037) ^ uint64(purpose)
	for i := range len(key) {
		h = (h ^ uint64(key[i])) * 1099511628211
	}
	return fmix64(h)
}

// fmix64 is the finaliser of MurmurHash3 (Appleby, public domain).
func fmix64(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}
