package routing

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"switchback/datasets"
)

// maxHostBytes is the longest hostname of RFC 1035, in its written form
// without the trailing dot.
const maxHostBytes = 253

// Canonical returns the one form of a hostname that routes and keys are made
// from: without port and trailing dot, in lower case, in its ASCII form
// (IDNA 2008 with the mapping of UTS 46, as browsers do). It reports false for
// what cannot be a deployment's hostname: an IP literal in brackets, an empty or
// over-long name, an empty label, a malformed port, a character that no hostname
// has. A name that is canonical already comes back as it is, without allocation.
func Canonical(host string) (string, bool) {
	host, ok := withoutPort(host)
	if !ok {
		return "", false
	}
	host = strings.TrimSuffix(host, ".")
	switch shapeOf(host) {
	case plain:
	case upper:
		host = strings.ToLower(host)
	case international:
		if host, ok = ascii(host); !ok {
			return "", false
		}
	case malformed:
		return "", false
	}
	return host, len(host) <= maxHostBytes
}

// withoutPort cuts the port off. It reports false where what follows the first
// colon is not a port, as in an IPv6 literal.
func withoutPort(host string) (string, bool) {
	name, port, found := strings.Cut(host, ":")
	if !found {
		return host, true
	}
	for i := range len(port) {
		if port[i] < '0' || port[i] > '9' {
			return "", false
		}
	}
	return name, len(port) <= len("65535")
}

// shape is what a hostname needs to become canonical.
type shape int

const (
	plain         shape = iota // nothing
	upper                      // ASCII with upper-case letters
	international              // not ASCII
	malformed                  // cannot become canonical
)

// shapeOf returns the shape of host, a name without a trailing dot.
func shapeOf(host string) shape {
	found, previous := plain, byte('.')
	for i := range len(host) {
		c := host[i]
		switch {
		case c == '.' && previous == '.':
			return malformed
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '.', c == '-', c == '_':
		case 'A' <= c && c <= 'Z':
			found = max(found, upper)
		case c >= 0x80:
			found = international
		default:
			return malformed
		}
		previous = c
	}
	if previous == '.' {
		return malformed // the empty name too
	}
	return found
}

// maxInternationalBytes bounds the work on a hostname that is not ASCII: UTF-8
// takes at most four bytes for what takes at least one in ASCII form.
const maxInternationalBytes = 4 * maxHostBytes

// ascii returns the ASCII form of an international hostname, by UTS 46. The
// mapping may yield characters and empty labels that no canonical name has: those
// are refused.
func ascii(host string) (string, bool) {
	if len(host) > maxInternationalBytes || !utf8.ValidString(host) {
		return "", false
	}
	host, err := idna.Lookup.ToASCII(host)
	return host, err == nil && shapeOf(host) == plain
}

// projectOf returns the project whose hostnames host could be one of: the
// label in front of datasets.Suffix. It reports false for a custom domain.
func projectOf(host string) (string, bool) {
	under, ok := strings.CutSuffix(host, datasets.Suffix)
	if !ok {
		return "", false
	}
	return under[strings.LastIndexByte(under, '.')+1:], true
}

// relative returns the name of a canonical host in the table of its project,
// relative to the project's own domain as in a zone file: the label of a
// hostname below it, @ for the domain itself, anything else in full.
func relative(host, project string) string {
	under, own := strings.CutSuffix(host, datasets.Suffix)
	if !own {
		return host
	}
	label, below := strings.CutSuffix(under, "."+project)
	switch {
	case under == project:
		return "@"
	case below && strings.IndexByte(label, '.') < 0:
		return label
	}
	return host
}
