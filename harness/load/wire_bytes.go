package load

import "bytes"

// The classes of a byte in a header field.
const (
	inName  = 1 << iota // token characters (RFC 9110 §5.6.2), and the space that net/http lets pass
	inValue             // visible characters, blanks and obs-text (RFC 9110 §5.5)
)

// fieldByte holds the classes of every byte: a table, because every byte of
// every head is looked up.
var fieldByte = func() (classes [256]byte) {
	for c := range classes {
		if c >= 0x20 && c != 0x7f || c == '\t' {
			classes[c] |= inValue
		}
		if c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || bytes.IndexByte([]byte(" !#$%&'*+-.^_`|~"), byte(c)) >= 0 {
			classes[c] |= inName
		}
	}
	return classes
}()

func validValue(value []byte) bool {
	all := byte(inValue)
	for _, c := range value {
		all &= fieldByte[c]
	}
	return all != 0
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

func trimRightBlank(s []byte) []byte {
	for len(s) > 0 && isBlank(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

// trimBlank trims spaces and tabs at both ends.
func trimBlank(s []byte) []byte {
	for len(s) > 0 && isBlank(s[0]) {
		s = s[1:]
	}
	return trimRightBlank(s)
}

// trimLineEnd cuts a line's LF or CRLF.
func trimLineEnd(line []byte) []byte {
	line = line[:len(line)-1]
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	return line
}

// foldEqual compares with a text in lower case, ignoring the case of letters.
func foldEqual(s []byte, lower string) bool {
	if len(s) != len(lower) {
		return false
	}
	for i := range s {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}

// hasToken looks for a token in a comma-separated list.
func hasToken(list []byte, lower string) bool {
	for len(list) > 0 {
		var token []byte
		token, list, _ = bytes.Cut(list, []byte(","))
		if foldEqual(trimBlank(token), lower) {
			return true
		}
	}
	return false
}
