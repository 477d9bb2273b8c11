package trace

import (
	"encoding/binary"
	"math/rand/v2"
	"strings"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
)

// Attributes of a span that are ours; the others are OpenTelemetry's semantic
// conventions.
const (
	attributeRun           = "switchback.run"
	attributeArm           = "switchback.arm"
	attributePair          = "switchback.pair"
	attributeBlock         = "switchback.block" // place of the block in its pair
	attributeCell          = "switchback.cell"
	attributeReconstructed = "switchback.reconstructed"
)

// text makes an attribute of a text. One byte that is not UTF-8, as a server
// may send, would make a whole message unreadable.
func text(key, value string) *commonpb.KeyValue {
	value = strings.ToValidUTF8(value, "\uFFFD")
	return &commonpb.KeyValue{Key: key, Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: value}}}
}

func whole(key string, value int64) *commonpb.KeyValue {
	return &commonpb.KeyValue{Key: key, Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_IntValue{IntValue: value}}}
}

func yes(key string) *commonpb.KeyValue {
	return &commonpb.KeyValue{Key: key, Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_BoolValue{BoolValue: true}}}
}

// newSpanID draws the id of a span.
func newSpanID() []byte { return binary.BigEndian.AppendUint64(nil, max(rand.Uint64(), 1)) }
