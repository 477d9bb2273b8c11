package record

import (
	"encoding/binary"
	"encoding/hex"

	"switchback/splitmix"
)

// TraceID names the trace of a request (W3C Trace Context); the zero value is
// none. What a trace needs beside it is derived from it, so that a sample holds
// nothing else and a request costs no draw.
type TraceID [16]byte

// TraceParentBytes is the length of a traceparent value.
const TraceParentBytes = 55

// SpanID returns the id of the client's span in its trace. It is never zero.
func (id TraceID) SpanID() [8]byte {
	x := binary.BigEndian.Uint64(id[:8]) ^ binary.BigEndian.Uint64(id[8:])*splitmix.Gamma
	var span [8]byte
	binary.BigEndian.PutUint64(span[:], max(splitmix.Mix(x), 1))
	return span
}

// Sampled reports whether the trace is in a share of all traces, 0 to 1. The
// rule is that of OpenTelemetry's TraceIDRatioBased: a trace in a share is in
// every larger one too, and a server that samples by ratio agrees.
func (id TraceID) Sampled(share float64) bool {
	return binary.BigEndian.Uint64(id[8:])>>1 < uint64(share*(1<<63))
}

// PutParent writes the value of traceparent (version 00) for a request of this
// trace into b, which has TraceParentBytes.
func (id TraceID) PutParent(b []byte, sampled bool) {
	_ = b[TraceParentBytes-1]
	span := id.SpanID()
	b[0], b[1], b[2], b[35], b[52], b[53], b[54] = '0', '0', '-', '-', '-', '0', '0'
	hex.Encode(b[3:35], id[:])
	hex.Encode(b[36:52], span[:])
	if sampled {
		b[54] = '1'
	}
}

// String returns 32 hex digits, "" without a trace.
func (id TraceID) String() string {
	if id == (TraceID{}) {
		return ""
	}
	return hex.EncodeToString(id[:])
}
