package importer

import (
	"bytes"
	"net/http"
	"net/netip"
	"strings"
)

// policy says what of a request may enter the file. Client addresses, cookies
// and authorisation do not unless they are named; the values of queries enter as
// keyed hashes of equal length.
type policy struct {
	mask      *mask
	query     bool            // values of queries are kept
	body      bool            // bodies are kept
	client    bool            // the client's address is kept, as X-Forwarded-For
	named     map[string]bool // fields that are kept as they are
	pseudonym bool            // hostnames and paths are hashed too
}

func newPolicy(s Settings, key []byte) *policy {
	p := &policy{mask: newMask(key), query: s.KeepQuery, body: s.KeepBody, client: s.KeepClient, pseudonym: s.Pseudonymise, named: map[string]bool{}}
	for _, name := range s.KeepHeaders {
		p.named[http.CanonicalHeaderKey(name)] = true
	}
	return p
}

// isPrivate tells whether a field holds a client's address, a cookie or
// authorisation, by the words that such names have.
func isPrivate(name string) bool {
	name = strings.ToLower(name)
	for _, word := range []string{"cookie", "auth", "token", "secret", "api-key", "apikey", "session", "csrf", "xsrf", "password", "signature",
		"forwarded", "client-ip", "clientip", "real-ip", "connecting-ip", "remote-addr", "remote-ip", "remote-user", "client-cert", "via"} {
		if strings.Contains(name, word) && name != ":authority" {
			return true
		}
	}
	return false
}

// isPlain tells whether a field's value says nothing about hosts and paths.
func isPlain(name string) bool {
	switch name {
	case "Accept", "Accept-Encoding", "Accept-Language", "Cache-Control", "Content-Type", "Content-Encoding", "Dnt", "If-Match", "If-Modified-Since",
		"If-None-Match", "If-Range", "If-Unmodified-Since", "Pragma", "Range", "Sec-Gpc", "Upgrade-Insecure-Requests", "User-Agent", "X-Requested-With":
		return true
	}
	return strings.HasPrefix(name, "Sec-Ch-") || strings.HasPrefix(name, "Sec-Fetch-")
}

// field returns what of a field's value enters the file, and whether any does.
func (p *policy) field(name, value string) (string, bool) {
	name = http.CanonicalHeaderKey(name)
	switch {
	case p.named[name]:
		return value, true
	case name == "Referer", name == "Origin":
		return p.url(value)
	case isPrivate(name), p.pseudonym && !isPlain(name):
		return "", false
	}
	return value, true
}

// url treats a URL in a field as those that are asked.
func (p *policy) url(value string) (string, bool) {
	if strings.HasPrefix(value, "/") {
		return string(p.path([]byte(value))), true
	}
	rest, ok := cutScheme([]byte(value))
	if !ok {
		return "", false
	}
	scheme := value[:len(value)-len(rest)]
	host, path := cutAuthority(rest)
	if len(path) == 1 && !strings.HasSuffix(value, "/") {
		path = nil
	}
	if fragment := bytes.IndexByte(path, '#'); fragment >= 0 {
		path = path[:fragment]
	}
	return scheme + p.host(string(host)) + string(p.path(path)), true
}

// host returns a hostname as it enters the file.
func (p *policy) host(name string) string {
	if !p.pseudonym {
		return name
	}
	name, port := splitPort(name)
	if strings.HasPrefix(name, "[") {
		return p.mask.address(name) + port
	}
	labels := strings.Split(name, ".")
	for i, label := range labels {
		labels[i] = p.mask.text(label)
	}
	return strings.Join(labels, ".") + port
}

// path returns a path and its query as they enter the file.
func (p *policy) path(path []byte) []byte {
	at := bytes.IndexByte(path, '?')
	if at < 0 && !p.pseudonym || at >= 0 && p.query && !p.pseudonym {
		return path
	}
	query := []byte(nil)
	if at >= 0 {
		path, query = path[:at], path[at+1:]
	}
	out := make([]byte, 0, len(path)+len(query)+1)
	if p.pseudonym {
		out = p.appendSegments(out, string(path))
	} else {
		out = append(out, path...)
	}
	if at < 0 {
		return out
	}
	if out = append(out, '?'); p.query {
		return append(out, query...)
	}
	return p.appendQuery(out, string(query))
}

// appendQuery keeps names and hashes values. What has no = is a value.
func (p *policy) appendQuery(out []byte, query string) []byte {
	for i, pair := range strings.Split(query, "&") {
		if i > 0 {
			out = append(out, '&')
		}
		name, value, ok := strings.Cut(pair, "=")
		if ok {
			out = append(append(out, name...), '=')
		} else {
			value = name
		}
		out = append(out, p.mask.text(value)...)
	}
	return out
}

// appendSegments hashes each segment of a path; the extension of the last one is
// kept.
func (p *policy) appendSegments(out []byte, path string) []byte {
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		if i > 0 {
			out = append(out, '/')
		}
		stem, extension := segment, ""
		if dot := strings.LastIndexByte(segment, '.'); i == len(segments)-1 && dot > 0 && isExtension(segment[dot+1:]) {
			stem, extension = segment[:dot], segment[dot:]
		}
		out = append(append(out, p.mask.text(stem)...), extension...)
	}
	return out
}

func isExtension(s string) bool {
	return s != "" && len(s) <= 5 && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}

// address replaces an IPv6 address in brackets. Its length is not kept: an
// address is written in one way alone.
func (m *mask) address(name string) string {
	a, err := netip.ParseAddr(strings.Trim(name, "[]"))
	if err != nil {
		return m.text(name)
	}
	bytes := a.As16()
	sum := m.round(0, bytes[:])
	return "[" + netip.AddrFrom16([16]byte(sum[:16])).String() + "]"
}
