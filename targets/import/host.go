package importer

import (
	"net/netip"
	"strings"

	"golang.org/x/net/idna"

	"switchback/targets"
)

// cleanHost is a hostname as it is asked, with what was found, or why it is
// dropped.
type cleanHost struct {
	name    string
	found   []kind
	dropped kind
}

// cleanHost returns a hostname in its one spelling. Logs repeat hostnames, so
// each is looked at once.
func (c *cleaner) cleanHost(logged []byte) (string, kind) {
	h, ok := c.hosts[string(logged)]
	if !ok {
		h = cleanName(strings.TrimSpace(string(logged)))
		if h.dropped == noHost && c.host != "" {
			if h = (cleanHost{name: c.host}); len(logged) > 0 {
				h.found = []kind{givenHost} // the format has hostnames, this line does not
			}
		}
		if len(c.hosts) >= interned || c.hosts == nil {
			c.hosts = make(map[string]cleanHost)
		}
		c.hosts[string(logged)] = h
	}
	c.found = append(c.found, h.found...)
	return h.name, h.dropped
}

func cleanName(s string) (h cleanHost) {
	if s == "" || s == "-" || s == "_" { // _ is nginx's name for a server that has none
		return cleanHost{dropped: noHost}
	}
	if strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return cleanHost{dropped: control}
	}
	if a, err := netip.ParseAddr(s); err == nil && a.Is6() && a.Zone() == "" {
		return cleanHost{name: "[" + a.String() + "]", found: []kind{bareIPv6}}
	}
	s = h.cutPort(s)
	if lower := strings.ToLower(s); lower != s {
		s = lower
		h.found = append(h.found, capitals)
	}
	name, port := splitPort(s)
	if cut, ok := strings.CutSuffix(name, "."); ok {
		name = cut
		h.found = append(h.found, trailingDot)
	}
	if ascii, ok := toASCII(name); !ok {
		return cleanHost{dropped: badHost}
	} else if ascii != name {
		name = ascii
		h.found = append(h.found, international)
	}
	if strings.Contains(name, "_") {
		h.found = append(h.found, underscore)
	}
	if h.name = name + port; !targets.IsHost(h.name) {
		return cleanHost{dropped: badHost}
	}
	return h
}

// cutPort cuts a default port off.
func (h *cleanHost) cutPort(s string) string {
	name, port := splitPort(s)
	switch port {
	case "":
		return s
	case ":80", ":443":
		h.found = append(h.found, defaultPort)
		return name
	}
	h.found = append(h.found, otherPort)
	return s
}

// splitPort splits name and :port; the colons of an address in brackets are not
// its own.
func splitPort(s string) (name, port string) {
	at := strings.LastIndexByte(s, ':')
	if at < 0 || at < strings.LastIndexByte(s, ']') {
		return s, ""
	}
	return s[:at], s[at:]
}

// toASCII writes the labels of a name outside ASCII as browsers do.
func toASCII(name string) (string, bool) {
	for i := range len(name) {
		if name[i] >= 0x80 {
			ascii, err := idna.Lookup.ToASCII(name)
			return ascii, err == nil
		}
	}
	return name, true
}
