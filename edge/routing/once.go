package routing

import (
	"regexp"
	"strings"
)

// matchOnce reports whether expression matches host, for an expression that is
// compiled for this one match. Of an expression that begins with ^ package
// regexp also makes a one-pass program, which takes as long again as the rest of
// compiling (8 µs against 4) and is never earned back here; so the anchor is taken off
// and the position of the match is looked at.
func matchOnce(expression, host string) (bool, error) {
	rest, ok := withoutAnchor(expression)
	if !ok {
		return regexp.MatchString(expression, host)
	}
	compiled, err := regexp.Compile(rest)
	if err != nil {
		return regexp.MatchString(expression, host) // for the error of the whole
	}
	// The leftmost match begins at 0 exactly if there is one that does.
	at := compiled.FindStringIndex(host)
	return at != nil && at[0] == 0, nil
}

// withoutAnchor cuts off the ^ that an expression begins with. It reports false
// where that could change more than where a match begins: in front of an
// operator, or of an alternative that the ^ is no part of. Of what it does not
// understand it assumes the worst.
func withoutAnchor(expression string) (string, bool) {
	rest, ok := strings.CutPrefix(expression, "^")
	if !ok || rest == "" || strings.IndexByte("*+?{", rest[0]) >= 0 {
		return "", false
	}
	depth := 0
	for i := 0; i < len(rest); i++ {
		switch rest[i] {
		case '\\':
			if i++; i < len(rest) && rest[i] == 'Q' {
				return "", false // text up to \E
			}
		case '(':
			depth++
		case ')':
			depth--
		case '|':
			if depth <= 0 {
				return "", false
			}
		case '[':
			return "", false // a class may hold any of these characters
		}
	}
	return rest, true
}
