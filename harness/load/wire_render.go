package load

import (
	"strconv"
	"strings"

	"switchback/results/record"
	"switchback/targets"
)

// render writes requests as text. The text of a target is written once as
// long as the same one is sent: with a single URL, once for all requests.
type render struct {
	last  *targets.Target
	text  []byte
	trace int // where the value of traceparent is in text; 0 without one
}

// request returns the text of a request, valid until the next call. The id of
// its trace, if it has one, is written into the text that is there.
func (r *render) request(target *targets.Target, id record.TraceID, options *Options) []byte {
	traced := id != (record.TraceID{})
	if target != r.last || traced != (r.trace > 0) {
		r.write(target, traced, options)
	}
	if traced {
		id.PutParent(r.text[r.trace:], id.Sampled(options.TraceShare))
	}
	return r.text
}

// write renders a target.
func (r *render) write(target *targets.Target, traced bool, options *Options) {
	b := append(r.text[:0], method(target)...)
	b = append(b, ' ')
	b = append(b, target.Path...)
	b = append(b, " HTTP/1.1\r\nHost: "...)
	b = append(b, target.Host...)
	b = append(b, "\r\n"...)
	if !hasField(target, userAgentField) {
		b = appendField(b, userAgentField, UserAgent)
	}
	r.trace = 0
	if traced {
		b, r.trace = appendTrace(b)
	}
	for _, f := range target.Header {
		if !traced || !strings.EqualFold(f.Name, traceField) {
			b = appendField(b, f.Name, f.Value)
		}
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
}

func appendField(b []byte, name, value string) []byte {
	b = append(b, name...)
	b = append(b, ": "...)
	b = append(b, value...)
	return append(b, "\r\n"...)
}

const userAgentField = "User-Agent"

// UserAgent is what requests say they are from, unless their target says something else.
const UserAgent = "switchback"

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
