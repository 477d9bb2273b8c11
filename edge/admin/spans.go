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

// FlushSpans makes an edge or an origin send the spans it has, and returns
// when they have arrived or are lost.
func (c *Client) FlushSpans(ctx context.Context) (Spans, error) {
	var s Spans
	err := c.call(ctx, http.MethodPost, "/spans/flush", nil, &s)
	return s, err
}
