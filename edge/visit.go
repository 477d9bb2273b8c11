package edge

import (
	"net/http"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"switchback/edge/cache"
	"switchback/edge/routing"
)

// visit is the note of one sampled request: the spans edge, route, ring and
// cache. Its methods do nothing on a nil visit, which is what every other
// request has.
type visit struct {
	spans  *spans
	end    func()
	parent spanRef // the requester's
	self   spanRef // the span edge
	whole  interval

	method, host, path string
	status             int
	flags              int64

	route  interval
	router string
	answer routing.Answer
	found  error

	ring     interval
	ringName string
	tries    []try
}

// try is one node that was asked.
type try struct {
	self    spanRef
	when    interval
	node    string
	outcome cache.Outcome
	err     error
}

// begin starts the note of a request, if its trace is sampled.
func (s *spans) begin(r *http.Request) *visit {
	parent, end := s.parent(r)
	if end == nil {
		return nil
	}
	return &visit{
		spans: s, end: end, parent: parent, self: spanRef{parent.trace, newSpanID()}, whole: interval{began: time.Now()},
		method: r.Method, host: r.Host, path: r.URL.EscapedPath(),
	}
}

// ref returns the span edge.
func (v *visit) ref() spanRef {
	if v == nil {
		return spanRef{}
	}
	return v.self
}

// routed notes the look-up of the route.
func (v *visit) routed(began time.Time, q *request, err error) {
	if v != nil {
		v.route, v.router, v.answer, v.found = since(began, q.routeTime), q.router.name, q.routing, err
	}
}

// chose notes the look-up in the ring.
func (v *visit) chose(began time.Time, q *request) {
	if v != nil {
		v.ring, v.ringName = since(began, q.ringTime), q.ring.name
	}
}

// try begins the span of a node that is asked.
func (v *visit) try(node string, began time.Time) spanRef {
	if v == nil {
		return spanRef{}
	}
	t := try{self: spanRef{v.self.trace, newSpanID()}, node: node, when: interval{began: began}}
	v.tries = append(v.tries, t)
	return t.self
}

// tried ends the span of the node asked last.
func (v *visit) tried(outcome cache.Outcome, err error) {
	if v != nil {
		t := &v.tries[len(v.tries)-1]
		t.when.ended, t.outcome, t.err = time.Now(), outcome, err
	}
}

// answered ends the span edge: the answer is known and about to be written.
// The requester may have all of it before the handler returns.
func (v *visit) answered() {
	if v != nil {
		v.whole.ended = time.Now()
	}
}

// close keeps the note.
func (v *visit) close(q *request, status int) {
	if v != nil {
		v.status, v.flags = status, q.state.flags.Version
		v.spans.notes.Keep(v.made)
		v.end()
	}
}

// made appends the spans. Attributes of HTTP follow the semantic conventions.
func (v *visit) made(to []*tracepb.Span) []*tracepb.Span {
	edge := newSpan("edge", v.parent, v.self.span, v.whole,
		text("http.request.method", v.method), text("server.address", v.host), text("url.path", v.path),
		whole("http.response.status_code", int64(v.status)), text("switchback.colo", v.spans.colo), whole("switchback.flags", v.flags))
	edge.Kind = tracepb.Span_SPAN_KIND_SERVER
	if v.status >= http.StatusInternalServerError {
		failed(edge, http.StatusText(v.status))
	}
	to = append(to, edge)
	if v.router != "" {
		to = append(to, v.routeSpan())
	}
	if v.ringName != "" {
		to = append(to, newSpan("ring", v.self, newSpanID(), v.ring, text("switchback.ring", v.ringName)))
	}
	for _, t := range v.tries {
		to = append(to, t.span(v.self))
	}
	return to
}

func (v *visit) routeSpan() *tracepb.Span {
	span := newSpan("route", v.self, newSpanID(), v.route, text("switchback.router", v.router))
	if v.answer.TableBytes > 0 {
		span.Attributes = append(span.Attributes,
			whole("switchback.table.bytes", int64(v.answer.TableBytes)), whole("switchback.table.position", int64(v.answer.Tried)),
			seconds("switchback.table.decode", v.answer.Decode), seconds("switchback.table.match", v.answer.Match))
	}
	if v.found != nil {
		failed(span, v.found.Error())
	}
	return span
}

func (t *try) span(parent spanRef) *tracepb.Span {
	span := newSpan("cache", parent, t.self.span, t.when, text("switchback.node", t.node), text("switchback.cache", t.outcome.String()))
	if t.err != nil {
		failed(span, t.err.Error())
	}
	return span
}
