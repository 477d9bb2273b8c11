package edge

import (
	"strconv"
	"time"

	"switchback/edge/pipeline"
)

// serverTiming says what the request took, in the web's own format (W3C Server
// Timing; dur in milliseconds):
//
//	route;dur=…;desc=legacy, decode;dur=…, match;dur=…, ring;dur=…;desc="v2:16", node;desc=n3, cache;desc=hit, origin;dur=…, flags;desc=7
//
// Phases that did not happen are left out. Written by hand: the formatted
// way cost more than the look-ups it reports.
func (q *request) serverTiming() string {
	buffer := make([]byte, 0, 256)
	if q.router != nil {
		buffer = duration(buffer, "route", q.routeTime)
		buffer = append(append(buffer, ";desc="...), q.router.name...)
	}
	if q.routing.Decode != 0 {
		buffer = duration(buffer, ", decode", q.routing.Decode)
	}
	if q.routing.Match != 0 {
		buffer = duration(buffer, ", match", q.routing.Match)
	}
	if q.ring != nil {
		buffer = duration(buffer, ", ring", q.ringTime)
		buffer = append(append(append(buffer, `;desc="`...), q.ring.name...), '"')
	}
	if q.node != nil {
		buffer = append(append(buffer, ", node;desc="...), q.node.name...)
		buffer = append(append(buffer, ", cache;desc="...), q.outcome.String()...)
	} else if q.stage == pipeline.StageFunctions {
		buffer = append(buffer, ", cache;desc=bypass"...)
	}
	if q.retries > 0 {
		buffer = strconv.AppendInt(append(buffer, ", retries;desc="...), int64(q.retries), 10)
	}
	if q.originTime != 0 {
		buffer = duration(buffer, ", origin", q.originTime)
	}
	if len(buffer) > 0 {
		buffer = append(buffer, ", "...)
	}
	buffer = append(buffer, "flags;desc="...)
	return string(strconv.AppendInt(buffer, q.state.flags.Version, 10))
}

// duration appends name;dur=MILLISECONDS, exact to the nanosecond.
func duration(buffer []byte, name string, d time.Duration) []byte {
	buffer = append(append(buffer, name...), ";dur="...)
	buffer = strconv.AppendInt(buffer, int64(d/time.Millisecond), 10)
	rest := int64(d%time.Millisecond) + int64(time.Millisecond) // the leading 1 keeps the zeros
	at := len(buffer)
	buffer = strconv.AppendInt(buffer, rest, 10)
	buffer[at] = '.'
	return buffer
}
