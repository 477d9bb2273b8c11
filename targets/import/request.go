package importer

import (
	"bytes"
	"strings"

	"switchback/targets"
)

// cleaner turns entries into targets by the rules for dirt. It notes what it
// found in found.
type cleaner struct {
	host    string // asked where an entry has none
	found   []kind
	hosts   map[string]cleanHost
	known   map[targets.Field]cleanField
	strings pool
	policy  *policy
	path    []byte // room for one
}

// target returns the target of an entry, or why it is dropped.
func (c *cleaner) target(e *entry) (targets.Target, kind) {
	c.found = c.found[:0]
	method, uri, k := c.requestLine(e)
	if k != clean {
		return targets.Target{}, k
	}
	method, k = c.method(method)
	if k != clean {
		return targets.Target{}, k
	}
	host, path, k := c.splitTarget(e, uri)
	if k != clean {
		return targets.Target{}, k
	}
	t := targets.Target{Bytes: -1, Method: c.strings.text(method)}
	if t.Method == "GET" {
		t.Method = ""
	}
	if t.Host, k = c.cleanHost(host); k != clean {
		return t, k
	}
	if path, k = c.cleanPath(path); k != clean {
		return t, k
	}
	t.Header, t.Body = c.fields(e), c.body(e)
	t.Host, t.Path = c.policy.host(t.Host), c.strings.text(c.policy.path(path))
	return t, fits(&t)
}

// requestLine splits METHOD TARGET VERSION, where the entry has not done so.
func (c *cleaner) requestLine(e *entry) (method, uri []byte, k kind) {
	if e.request == nil {
		if len(e.uri) == 0 {
			return nil, nil, noRequest
		}
		return e.method, e.uri, clean
	}
	line := bytes.TrimRight(e.request, " \r\n\t")
	if len(line) == 0 || string(line) == "-" {
		return nil, nil, noRequest
	}
	blank := bytes.IndexByte(line, ' ')
	if isBinary(line[:max(blank, min(len(line), 3))]) {
		return nil, nil, notHTTP
	}
	if blank <= 0 {
		return nil, nil, badRequest
	}
	method, uri = line[:blank], line[blank+1:]
	last := bytes.LastIndexByte(uri, ' ')
	if last >= 0 && bytes.HasPrefix(uri[last+1:], []byte("HTTP/")) {
		uri = uri[:last]
	} else {
		c.found = append(c.found, noVersion)
	}
	return method, uri, clean
}

// isBinary tells whether the begin of a request line is no text.
func isBinary(begin []byte) bool {
	for _, b := range begin {
		if b < ' ' || b >= 0x7f {
			return true
		}
	}
	return false
}

// method checks a method; none is GET.
func (c *cleaner) method(m []byte) ([]byte, kind) {
	if len(m) == 0 {
		return []byte("GET"), clean
	}
	if string(m) == "CONNECT" {
		return nil, tunnel
	}
	for _, b := range m {
		if (b < 'A' || b > 'Z') && b != '-' {
			return nil, badMethod
		}
	}
	if len(m) > 20 {
		return nil, badMethod
	}
	return m, clean
}

// splitTarget returns the hostname and the path of what is asked for. Of a whole
// URL they are its own, without the user and the password.
func (c *cleaner) splitTarget(e *entry, uri []byte) (host, path []byte, k kind) {
	uri = bytes.TrimLeft(uri, " ")
	switch {
	case len(uri) == 0:
		return nil, nil, badTarget
	case uri[0] == '/':
		return e.host, uri, clean
	case string(uri) == "*":
		return nil, nil, asterisk
	}
	rest, ok := cutScheme(uri)
	if !ok {
		return nil, nil, badTarget
	}
	c.found = append(c.found, absoluteURL)
	host, path = cutAuthority(rest)
	return host, path, clean
}

// cutScheme cuts http:// or https:// off, in any letters.
func cutScheme(uri []byte) ([]byte, bool) {
	for _, scheme := range []string{"http://", "https://"} {
		if len(uri) > len(scheme) && strings.EqualFold(string(uri[:len(scheme)]), scheme) {
			return uri[len(scheme):], true
		}
	}
	return nil, false
}

// cutAuthority splits host/path of a URL without its scheme.
func cutAuthority(rest []byte) (host, path []byte) {
	end := bytes.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	host, path = rest[:end], rest[end:]
	if at := bytes.LastIndexByte(host, '@'); at >= 0 {
		host = host[at+1:]
	}
	if len(path) == 0 || path[0] != '/' {
		path = append([]byte{'/'}, path...)
	}
	return host, path
}

// cleanPath makes a path visible ASCII.
func (c *cleaner) cleanPath(path []byte) ([]byte, kind) {
	plain := true
	for i := 0; i < len(path); i++ {
		switch b := path[i]; {
		case b < ' ' || b == 0x7f:
			return nil, control
		case b == '%' && (i+2 >= len(path) || !isHex(path[i+1]) || !isHex(path[i+2])):
			c.find(badEscape)
		case b == ' ', b == '#', b >= 0x80:
			plain = false
		}
	}
	if plain {
		return path, clean
	}
	return c.mendPath(path), clean
}

func (c *cleaner) mendPath(path []byte) []byte {
	const digits = "0123456789ABCDEF"
	out := c.path[:0]
	for _, b := range path {
		switch {
		case b == '#':
			c.find(fragment)
			c.path = out
			return out
		case b == ' ':
			c.find(blanks)
		case b >= 0x80:
			c.find(rawBytes)
		default:
			out = append(out, b)
			continue
		}
		out = append(out, '%', digits[b>>4], digits[b&15])
	}
	c.path = out
	return out
}

// find notes a finding once for a request.
func (c *cleaner) find(k kind) {
	for _, f := range c.found {
		if f == k {
			return
		}
	}
	c.found = append(c.found, k)
}

// Bounds of a target, so that its line in a file of targets is one that is read
// back: at worst all bytes of it are escaped.
const (
	maxText = 24 << 10
	maxBody = 8 << 10
)

// fits drops what is too large. That nothing else could be refused is for the
// rules above to know, and for a fuzz test to try.
func fits(t *targets.Target) kind {
	n := len(t.Host) + len(t.Path)
	for _, f := range t.Header {
		n += len(f.Name) + len(f.Value) + 30
	}
	if n > maxText || len(t.Body) > maxBody {
		return tooLarge
	}
	return clean
}
