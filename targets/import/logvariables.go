package importer

import (
	"bytes"
	"net/http"
	"strings"

	"switchback/targets"
)

// setterOf returns what a variable of a log_format sets; nil for one that says
// nothing about the request. It tells whether the value is one of its kind.
func setterOf(name string) func(*entry, []byte) bool {
	switch name {
	case "request":
		return func(e *entry, v []byte) bool { e.request = unescape(v); e.text = e.request; return true }
	case "request_method":
		return func(e *entry, v []byte) bool { e.method = v; return true }
	case "request_uri", "uri":
		return func(e *entry, v []byte) bool { e.uri = unescape(v); e.text = e.uri; return true }
	case "args", "query_string":
		return addQuery
	case "http_host", "host", "server_name":
		return setHost
	case "remote_addr":
		return func(e *entry, v []byte) bool { e.client = v; return true }
	case "time_local":
		return stamped(parseCLF)
	case "time_iso8601":
		return stamped(parseISO)
	case "msec":
		return stamped(parseSeconds)
	case "request_time":
		return setTook
	case "status":
		return setStatus
	case "body_bytes_sent", "bytes_sent":
		return setSize
	}
	if field, ok := strings.CutPrefix(name, "http_"); ok {
		return fieldSetter(http.CanonicalHeaderKey(strings.ReplaceAll(field, "_", "-")))
	}
	return nil
}

// setHost takes the first hostname that a line has.
func setHost(e *entry, v []byte) bool {
	if len(e.host) == 0 || string(e.host) == "-" {
		e.host = unescape(v)
	}
	return true
}

// addQuery appends a query that is logged apart from its path.
func addQuery(e *entry, v []byte) bool {
	if len(v) > 0 && string(v) != "-" && bytes.IndexByte(e.uri, '?') < 0 {
		e.uri = append(append(bytes.Clone(e.uri), '?'), unescape(v)...)
	}
	return true
}

func stamped(parse func([]byte) (int64, bool)) func(*entry, []byte) bool {
	return func(e *entry, v []byte) bool {
		if string(v) == "-" {
			return true
		}
		at, ok := parse(v)
		if e.at, e.atEnd = at, true; !ok {
			e.at = noTime
		}
		return ok
	}
}

func setTook(e *entry, v []byte) bool {
	took, ok := parseSeconds(v)
	e.took = took
	return ok || string(v) == "-"
}

func setStatus(e *entry, v []byte) bool {
	n, ok := parseDigits(v)
	e.status = int(n)
	return ok && len(v) == 3 || string(v) == "-"
}

func setSize(e *entry, v []byte) bool {
	n, ok := parseDigits(v)
	if ok {
		e.size = n
	}
	return ok || string(v) == "-"
}

// fieldSetter takes a field of the request; a log writes - for none.
func fieldSetter(name string) func(*entry, []byte) bool {
	return func(e *entry, v []byte) bool {
		if len(v) > 0 && string(v) != "-" {
			e.header = append(e.header, targets.Field{Name: name, Value: e.pool.text(unescape(v))})
		}
		return true
	}
}

// unescape undoes what nginx and Apache do to quotes, backslashes and bytes that
// cannot be printed. Without a backslash it returns what it was given.
func unescape(v []byte) []byte {
	at := bytes.IndexByte(v, '\\')
	if at < 0 {
		return v
	}
	out := append(make([]byte, 0, len(v)), v[:at]...)
	for i := at; i < len(v); i++ {
		if v[i] != '\\' || i+1 == len(v) {
			out = append(out, v[i])
			continue
		}
		i++
		switch c := v[i]; {
		case c == 'x' && i+2 < len(v) && isHex(v[i+1]) && isHex(v[i+2]):
			out = append(out, unhex(v[i+1])<<4|unhex(v[i+2]))
			i += 2
		case c == 'u' && i+4 < len(v) && string(v[i+1:i+3]) == "00" && isHex(v[i+3]) && isHex(v[i+4]): // escape=json
			out = append(out, unhex(v[i+3])<<4|unhex(v[i+4]))
			i += 4
		default:
			out = append(out, plainEscape(c))
		}
	}
	return out
}

// plainEscape returns what a letter after a backslash stands for.
func plainEscape(c byte) byte {
	switch c {
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	case 'v':
		return '\v'
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	}
	return c
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func unhex(c byte) byte {
	switch {
	case c <= '9':
		return c - '0'
	case c >= 'a':
		return c - 'a' + 10
	}
	return c - 'A' + 10
}
