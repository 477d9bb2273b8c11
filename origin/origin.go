// Package origin is a fake origin server. Its bodies are a law of the URL, so
// that whoever asks can check what came back; its delays and faults follow a
// law and a seed; and it counts every request that reaches it, by hostname and
// by what the edge says of the request (router, ring, node, colo).
//
// It keeps no content, forwards nothing and knows nothing of datasets.
package origin

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
)

// Options of an origin; the zero value answers at once, without faults and
// without a limit.
type Options struct {
	Delay       Delay   // waited before each answer
	Errors      float64 // share of requests answered 503, from 0 to 1
	Concurrency int     // requests served at once, the others wait for a place; 0: no limit
	Seed        uint64  // of the delays and the faults
}

// Origin answers content requests as an http.Handler. Close ends it.
type Origin struct {
	options  Options
	clock    *clock
	slots    chan struct{} // nil without a limit
	sequence atomic.Uint64 // numbers the requests; draws are made from it
	counts   *counts
}

// New starts an origin. The error is for options out of range, or the
// system's refusal of a timer.
func New(options Options) (*Origin, error) {
	if options.Errors < 0 || options.Errors > 1 {
		return nil, fmt.Errorf("share of errors is %v, must lie between 0 and 1", options.Errors)
	}
	if options.Concurrency < 0 {
		return nil, fmt.Errorf("concurrency is %d, must not be negative", options.Concurrency)
	}
	c, err := newClock()
	if err != nil {
		return nil, err
	}
	o := &Origin{options: options, clock: c, counts: newCounts()}
	if options.Concurrency > 0 {
		o.slots = make(chan struct{}, options.Concurrency)
	}
	return o, nil
}

// Close stops the origin's clock; requests that still wait are answered at
// once. It waits for the clock to end.
func (o *Origin) Close() { o.clock.close() }

// ServeHTTP answers one content request: 404 for a path outside the body law,
// 503 for the drawn share of faults, else the body.
func (o *Origin) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	count := o.counts.arrived(r)
	defer count.left()
	n := o.sequence.Add(1)
	if !o.enter(r.Context()) {
		return
	}
	defer o.leave()
	delay := o.options.Delay.Draw(draw(o.options.Seed, n, forDelay))
	if err := o.clock.wait(r.Context(), delay); err != nil && !errors.Is(err, errClosed) {
		return
	}
	if unit(draw(o.options.Seed, n, forFault)) < o.options.Errors {
		count.answered(http.StatusServiceUnavailable, 0)
		http.Error(w, "fault drawn", http.StatusServiceUnavailable)
		return
	}
	answer := &answerWriter{ResponseWriter: w, status: http.StatusOK}
	serveBody(answer, r)
	count.answered(answer.status, answer.bytes)
}

// enter waits for a place and says whether there was one before the requester
// went away.
func (o *Origin) enter(ctx context.Context) bool {
	if o.slots == nil {
		return true
	}
	select {
	case o.slots <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

func (o *Origin) leave() {
	if o.slots != nil {
		<-o.slots
	}
}
