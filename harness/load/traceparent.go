package load

import "switchback/results/record"

// traceField is the header of W3C Trace Context. A request whose sample has
// the id of a trace carries it, in place of one that its target has.
const traceField = "Traceparent"

// traceParent returns the header's value.
func traceParent(id record.TraceID, options Options) string {
	b := make([]byte, record.TraceParentBytes)
	id.PutParent(b, id.Sampled(options.TraceShare))
	return string(b)
}

// appendTrace appends the header with a value that is written over for each
// request, and returns where that is.
func appendTrace(b []byte) (head []byte, at int) {
	b = append(b, traceField+": "...)
	at = len(b)
	b = append(b, "00-00000000000000000000000000000000-0000000000000000-00\r\n"...)
	return b, at
}
