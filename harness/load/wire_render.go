package load

import "switchback/targets"

// render writes requests as text. The text of one target after another equal
// one is written once: with a single URL, once for all requests.
type render struct {
	last *targets.Target
	text []byte
}

// request returns the text of a request, valid until the next call.
func (r *render) request(target *targets.Target, options *Options) []byte {
	if target == r.last {
		return r.text
	}
	method := target.Method
	if method == "" {
		method = "GET"
	}
	b := append(r.text[:0], method...)
	b = append(b, ' ')
	b = append(b, target.Path...)
	b = append(b, " HTTP/1.1\r\nHost: "...)
	b = append(b, target.Host...)
	b = append(b, "\r\nUser-Agent: switchback\r\n"...)
	if options.Pooling == PoolNone {
		b = append(b, "Connection: close\r\n"...)
	}
	b = append(b, "\r\n"...)
	r.last, r.text = target, b
	return b
}
