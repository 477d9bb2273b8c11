package admin

import (
	"context"
	"net/http"
)

// Spans is the answer of POST /spans/flush: counts since the start. Spans that
// did not arrive are lost.
type Spans struct {
	Made      int64 `json:"made"`
	Delivered int64 `json:"delivered"`
	// Error says why spans of this flush did not arrive; "" when all did.
	Error string `json:"error,omitempty"`
}

// flush is the body of POST /spans/flush.
type flush struct {
	Attributes map[string]any `json:"attributes,omitempty"` // of all spans that are sent: texts and whole numbers
}

// FlushSpans makes an edge or an origin send the spans it has, each with the
// attributes, and returns when they have arrived or are lost.
func (c *Client) FlushSpans(ctx context.Context, attributes map[string]any) (Spans, error) {
	var s Spans
	err := c.call(ctx, http.MethodPost, "/spans/flush", flush{Attributes: attributes}, &s)
	return s, err
}
