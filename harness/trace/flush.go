package trace

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
)

// Bounds of a call of POST /spans/flush.
const (
	maxFlushBytes      = 64 << 10
	maxFlushAttributes = 32
)

// flushCall is the body of POST /spans/flush, which may be left out.
type flushCall struct {
	Attributes map[string]any `json:"attributes"` // of all spans that are sent: texts and whole numbers
}

// flushAnswer is the answer: counts since the start.
type flushAnswer struct {
	Made      int64  `json:"made"`
	Delivered int64  `json:"delivered"`
	Error     string `json:"error,omitempty"` // why spans of this flush did not arrive
}

// Admin adds POST /spans/flush to a server's admin API.
func (n *Notes) Admin(api http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", api)
	mux.HandleFunc("POST /spans/flush", n.postFlush)
	return mux
}

func (n *Notes) postFlush(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	answer := json.NewEncoder(w)
	attributes, err := readFlush(http.MaxBytesReader(w, r.Body, maxFlushBytes))
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		_ = answer.Encode(map[string]string{"error": "body: " + err.Error()}) // the requester went away
		return
	}
	count, err := n.Flush(r.Context(), attributes)
	now := flushAnswer{Made: count.Made, Delivered: count.Delivered}
	if err != nil {
		now.Error = err.Error()
	}
	_ = answer.Encode(now) // as above
}

// readFlush reads the attributes in the body of a flush.
func readFlush(body io.Reader) ([]*commonpb.KeyValue, error) {
	decoder := json.NewDecoder(body)
	decoder.DisallowUnknownFields()
	decoder.UseNumber()
	var call flushCall
	if err := decoder.Decode(&call); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	if n := len(call.Attributes); n > maxFlushAttributes {
		return nil, fmt.Errorf("%d attributes; expected at most %d", n, maxFlushAttributes)
	}
	return attributesOf(call.Attributes)
}

// attributesOf makes attributes, in the order of their names, of texts and
// whole numbers.
func attributesOf(values map[string]any) (all []*commonpb.KeyValue, err error) {
	for _, key := range slices.Sorted(maps.Keys(values)) {
		switch value := values[key].(type) {
		case string:
			all = append(all, text(key, value))
		case int:
			all = append(all, whole(key, int64(value)))
		case json.Number:
			n, err := value.Int64()
			if err != nil {
				return nil, fmt.Errorf("attribute %q is %s: expected a text or a whole number", key, value)
			}
			all = append(all, whole(key, n))
		default:
			return nil, fmt.Errorf("attribute %q is %T: expected a text or a whole number", key, value)
		}
	}
	return all, nil
}
