package load

import (
	"bytes"

	"switchback/results/record"
)

// cacheState is what an answer's header says about a cache: hit, miss and so
// on, in the words of its field. A server of one's own seldom has a cache entry
// in Server-Timing, so the engines put one there: record reads nothing else.
type cacheState struct {
	from cacheField
	word [maxCacheWord]byte
	n    int
}

// maxCacheWord bounds a state; a longer one is ignored.
const maxCacheWord = 24

// cacheField is a header field that tells of a cache; a later one of this list
// outweighs those before it.
type cacheField uint8

const (
	noCacheField      cacheField = iota
	xCacheField                  // X-Cache, as Squid, Varnish and CDNs have it: HIT; Miss from NAME; MISS, HIT
	xCacheStatusField            // X-Cache-Status, nginx's $upstream_cache_status: HIT, EXPIRED
	cacheStatusField             // Cache-Status (RFC 9211): NAME; hit, or NAME; fwd=uri-miss
)

// cacheFields are the names of the fields, in canonical form.
var cacheFields = [...]string{xCacheField: "X-Cache", xCacheStatusField: "X-Cache-Status", cacheStatusField: "Cache-Status"}

// note takes the value of one field. Where a list names several caches, the
// last is the one nearest to the client (RFC 9211 §2): its state counts.
func (c *cacheState) note(from cacheField, value []byte) {
	if from < c.from {
		return
	}
	state := firstWord(lastMember(value))
	if from == cacheStatusField {
		state = statusOf(lastMember(value))
	}
	if !isCacheWord(state) {
		return
	}
	c.from, c.n = from, len(state)
	for i, letter := range state {
		if 'A' <= letter && letter <= 'Z' {
			letter |= 0x20
		}
		c.word[i] = letter
	}
}

// behind appends the state to a Server-Timing value, as its entry cache, where
// it has none.
func (c *cacheState) behind(timing []byte) []byte {
	if c.n == 0 {
		return timing
	}
	var entries [16]record.Timing
	told, _ := record.ParseServerTiming(entries[:0], timing) // a malformed value is counted by its reader
	for _, entry := range told {
		if string(entry.Name) == "cache" {
			return timing
		}
	}
	if len(timing) > 0 {
		timing = append(timing, ", "...)
	}
	timing = append(timing, "cache;desc="...)
	return append(timing, c.word[:c.n]...)
}

// statusOf returns the state that a member of Cache-Status tells: hit, else
// collapsed, else why the request was forwarded; the kinds of miss are one.
func statusOf(member []byte) []byte {
	var state []byte
	for {
		var parameter []byte
		parameter, member = cutOutsideQuotes(member, ';')
		switch name, value, _ := bytes.Cut(trimBlank(parameter), []byte("=")); {
		case string(name) == "hit" && string(value) != "?0":
			return name
		case string(name) == "collapsed" && string(value) != "?0":
			state = name
		case string(name) == "fwd" && string(state) != "collapsed":
			state = value
			if bytes.HasSuffix(value, []byte("-miss")) {
				state = value[len(value)-len("miss"):]
			}
		}
		if len(member) == 0 {
			return state
		}
	}
}

// lastMember returns the last member of a comma-separated list.
func lastMember(list []byte) []byte {
	for {
		member, rest := cutOutsideQuotes(list, ',')
		if len(trimBlank(rest)) == 0 {
			return trimBlank(member)
		}
		list = rest
	}
}

// cutOutsideQuotes cuts s at the first separator that no quoted string holds.
func cutOutsideQuotes(s []byte, separator byte) (before, after []byte) {
	quoted := false
	for i := 0; i < len(s); i++ {
		switch {
		case quoted && s[i] == '\\':
			i++
		case s[i] == '"':
			quoted = !quoted
		case s[i] == separator && !quoted:
			return s[:i], s[i+1:]
		}
	}
	return s, nil
}

// firstWord returns s up to the first blank or semicolon.
func firstWord(s []byte) []byte {
	if i := bytes.IndexAny(s, " \t;"); i >= 0 {
		return s[:i]
	}
	return s
}

func isCacheWord(s []byte) bool {
	if len(s) == 0 || len(s) > maxCacheWord {
		return false
	}
	for _, c := range s {
		if fieldByte[c]&inName == 0 || c == ' ' {
			return false
		}
	}
	return true
}
