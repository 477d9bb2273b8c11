package targets

import (
	"net/netip"
	"strconv"
	"strings"
)

// IsHost tells whether a text can be asked as a hostname: labels of letters,
// digits, - and _ with single dots between them, or an address; with or without
// a dot at the end and a port.
func IsHost(s string) bool {
	name, port, has := cutPort(s)
	if len(s) > maxHost || has && !isPort(port) {
		return false
	}
	if inner, ok := strings.CutPrefix(name, "["); ok {
		inner, ok = strings.CutSuffix(inner, "]")
		address, err := netip.ParseAddr(inner)
		return ok && err == nil && address.Is6() && address.Zone() == ""
	}
	for label := range strings.SplitSeq(strings.TrimSuffix(name, "."), ".") {
		if label == "" || strings.ContainsFunc(label, func(c rune) bool { return !isLabelRune(c) }) {
			return false
		}
	}
	return true
}

// cutPort cuts the port off a host; the colons of an address in brackets are not
// its own.
func cutPort(s string) (name, port string, has bool) {
	at := strings.LastIndexByte(s, ':')
	if at < 0 || at < strings.LastIndexByte(s, ']') {
		return s, "", false
	}
	return s[:at], s[at+1:], true
}

func isPort(s string) bool {
	n, err := strconv.ParseUint(s, 10, 16)
	return err == nil && n > 0 && s[0] != '+'
}

func isLabelRune(c rune) bool {
	return c == '-' || c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
