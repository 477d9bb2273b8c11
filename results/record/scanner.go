package record

import (
	"bytes"
	"fmt"
)

// scanner reads the parts of a header's value.
type scanner struct {
	in []byte
	at int
}

func (s *scanner) done() bool { return s.at == len(s.in) }

// space skips optional white space.
func (s *scanner) space() {
	for !s.done() && (s.in[s.at] == ' ' || s.in[s.at] == '\t') {
		s.at++
	}
}

// take consumes c if it comes next.
func (s *scanner) take(c byte) bool {
	if s.done() || s.in[s.at] != c {
		return false
	}
	s.at++
	return true
}

// token reads the longest token, RFC 9110 §5.6.2; it may be empty.
func (s *scanner) token() []byte {
	from := s.at
	for !s.done() && isTokenByte(s.in[s.at]) {
		s.at++
	}
	return s.in[from:s.at]
}

func isTokenByte(c byte) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		return true
	}
	return bytes.IndexByte([]byte("!#$%&'*+-.^_`|~"), c) >= 0
}

// value reads "= value" of a parameter: a token or a quoted string; nil where
// there is no "=".
func (s *scanner) value() ([]byte, error) {
	s.space()
	if !s.take('=') {
		return nil, nil
	}
	s.space()
	if s.take('"') {
		return s.quoted()
	}
	v := s.token()
	if len(v) == 0 {
		return nil, s.expected("a value")
	}
	return v, nil
}

// quoted reads a quoted string after its opening quote, RFC 9110 §5.6.4.
func (s *scanner) quoted() ([]byte, error) {
	from, escaped := s.at, false
	for ; !s.done(); s.at++ {
		switch c := s.in[s.at]; {
		case c == '"':
			v := s.in[from:s.at]
			s.at++
			if escaped {
				v = unescape(v)
			}
			return v, nil
		case isControl(c):
			return nil, s.expected("a printable character")
		case c == '\\' && s.at+1 < len(s.in) && !isControl(s.in[s.at+1]):
			s.at++
			escaped = true
		}
	}
	return nil, s.expected("a closing quote")
}

func isControl(c byte) bool { return c < ' ' && c != '\t' || c == 0x7f }

func unescape(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		if b[i] == '\\' && i+1 < len(b) {
			i++
		}
		out = append(out, b[i])
	}
	return out
}

func (s *scanner) expected(what string) error {
	return fmt.Errorf("%w: expected %s at byte %d", ErrServerTiming, what, s.at)
}
