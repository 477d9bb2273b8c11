package load

import (
	"strconv"
	"strings"

	"switchback/targets"
)

// render writes requests as text. The text of a target is written once as
// long as the same one is sent: with a single URL, once for all requests.
type render struct {
	last *targets.Target
	text []byte
}

// request returns the text of a request, valid until the next call.
func (r *render) request(target *targets.Target, options *Options) []byte {
	if target == r.last {
		return r.text
	}
	b := append(r.text[:0], method(target)...)
	b = append(b, ' ')
	b = append(b, target.Path...)
	b = append(b, " HTTP/1.1\r\nHost: "...)
	b = append(b, target.Host...)
	b = append(b, "\r\n"...)
	if !hasField(target, userAgentField) {
		b = appendField(b, userAgentField, userAgent)
	}
	for _, f := range target.Header {
		b = appendField(b, f.Name, f.Value)
	}
	if len(target.Body) > 0 || expectsBody(target) {
		b = append(b, "Content-Length: "...)
		b = strconv.AppendInt(b, int64(len(target.Body)), 10)
		b = append(b, "\r\n"...)
	}
	if options.Pooling == PoolNone {
		b = append(b, "Connection: close\r\n"...)
	}
	b = append(b, "\r\n"...)
	b = append(b, target.Body...)
	r.last, r.text = target, b
	return b
}

func appendField(b []byte, name, value string) []byte {
	b = append(b, name...)
	b = append(b, ": "...)
	b = append(b, value...)
	return append(b, "\r\n"...)
}

const (
	userAgentField = "User-Agent"
	userAgent      = "switchback"
)

// method returns the target's method; none is GET.
func method(target *targets.Target) string {
	if target.Method == "" {
		return "GET"
	}
	return target.Method
}

// expectsBody reports whether a request without a body says so (RFC 9110 §8.6).
func expectsBody(target *targets.Target) bool {
	return target.Method == "POST" || target.Method == "PUT" || target.Method == "PATCH"
}

func hasField(target *targets.Target, name string) bool {
	for _, f := range target.Header {
		if strings.EqualFold(f.Name, name) {
			return true
		}
	}
	return false
}
