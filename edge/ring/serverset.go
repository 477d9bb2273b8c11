package ring

import "math/bits"

// ServerSet is a set of servers by their index, such as those that are down:
// bit i%64 of word i/64. Nil is the empty set.
type ServerSet []uint64

// Has reports whether the set holds the server.
func (s ServerSet) Has(server int) bool {
	word := server / 64
	return word < len(s) && s[word]>>(server%64)&1 == 1
}

// With returns the set and the server, and leaves s as it is, so that a set in
// use by readers can be replaced.
func (s ServerSet) With(server int) ServerSet {
	next := make(ServerSet, max(len(s), server/64+1))
	copy(next, s)
	next[server/64] |= 1 << (server % 64)
	return next
}

// Without returns the set less the server, and leaves s as it is.
func (s ServerSet) Without(server int) ServerSet {
	next := append(ServerSet(nil), s...)
	if word := server / 64; word < len(next) {
		next[word] &^= 1 << (server % 64)
	}
	return next
}

// count returns the number of servers below limit.
func (s ServerSet) count(limit int) int {
	total := 0
	for i, word := range s {
		if rest := limit - 64*i; rest < 64 {
			word &= 1<<max(rest, 0) - 1
		}
		total += bits.OnesCount64(word)
	}
	return total
}

// copyFrom returns a set with the servers of from that are below limit and
// room for all of them, in s if it is large enough.
func (s ServerSet) copyFrom(from ServerSet, limit int) ServerSet {
	s = resize(s, (limit+63)/64)
	clear(s[copy(s, from):])
	return s
}
