package ring

import "fmt"

// DefaultMaxPoints is the bound on the points of a ring when Options names
// none: about 200 MB of v3, 500 MB of v1.
const DefaultMaxPoints = 64_000_000

// maxMaxPoints is what the directory of a v3 ring can number.
const maxMaxPoints = 1 << 28

// Options of a ring; the zero value is the default.
type Options struct {
	Ties      Ties  // who owns a point that servers share; default TiesAddress
	Names     Names // the text that is hashed; default NamesAddress
	MaxPoints int   // bound on the points of a ring, up to 2²⁸; default DefaultMaxPoints
}

func (o Options) maxPoints() (int, error) {
	if o.MaxPoints < 0 || o.MaxPoints > maxMaxPoints {
		return 0, fmt.Errorf("a bound of %d points on a ring, want 1 to %d", o.MaxPoints, maxMaxPoints)
	}
	if o.MaxPoints == 0 {
		return DefaultMaxPoints, nil
	}
	return o.MaxPoints, nil
}

// Ties is the rule for a point that two servers share.
type Ties int

const (
	// TiesAddress gives the point to the lowest address (IPv4 before IPv6,
	// then address, then port), as pingora-ketama v2 does; with
	// NamesDirective to the first of the list, as nginx does. The lower
	// servers gain by it: on large rings the spread grows with every point.
	TiesAddress Ties = iota
	// TiesHashed gives the point to the server with the least
	// fmix64(CRC of its prefix << 32 | point), so that every server wins as
	// often as it loses.
	TiesHashed
)

// ParseTies reads "address" or "hashed".
func ParseTies(text string) (Ties, error) {
	switch text {
	case "address":
		return TiesAddress, nil
	case "hashed":
		return TiesHashed, nil
	}
	return 0, fmt.Errorf("tie rule %q: want address or hashed", text)
}

// String returns the word that ParseTies reads.
func (t Ties) String() string {
	if t == TiesHashed {
		return "hashed"
	}
	return "address"
}

// Names is the text of a server that is hashed.
type Names int

const (
	// NamesAddress hashes the address in RFC 5952 form without brackets or
	// zone, as pingora-ketama does.
	NamesAddress Names = iota
	// NamesDirective hashes the text of nginx's server line, where an IPv6
	// address has brackets.
	NamesDirective
)

// ParseNames reads "address" or "directive".
func ParseNames(text string) (Names, error) {
	switch text {
	case "address":
		return NamesAddress, nil
	case "directive":
		return NamesDirective, nil
	}
	return 0, fmt.Errorf("names %q: want address or directive", text)
}

// String returns the word that ParseNames reads.
func (n Names) String() string {
	if n == NamesDirective {
		return "directive"
	}
	return "address"
}
