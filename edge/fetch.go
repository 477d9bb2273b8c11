package edge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"switchback/edge/cache"
)

// maxObjectBytes bounds what is read from the origin into memory.
const maxObjectBytes = 64 << 20

// The headers by which the origin knows how a request came.
const (
	headerRouter = "X-Switchback-Router"
	headerRing   = "X-Switchback-Ring"
	headerNode   = "X-Switchback-Node"
	headerColo   = "X-Switchback-Colo"
)

// originClient fetches from the one origin of the edge.
type originClient struct {
	base      *url.URL
	colo      string
	timeout   time.Duration
	transport *http.Transport
	spans     *spans

	requests, errors, bytes, nanoseconds atomic.Int64
}

// originError is an origin that gave no answer to pass on.
type originError struct {
	err     error
	timeout bool
}

// Error implements error.
func (e *originError) Error() string { return "origin: " + e.err.Error() }

// Unwrap returns what went wrong.
func (e *originError) Unwrap() error { return e.err }

func newOrigin(options Options, spans *spans) (*originClient, error) {
	base, err := parseOrigin(options.Origin)
	if err != nil {
		return nil, err
	}
	return &originClient{
		base:    base,
		colo:    options.Colo,
		timeout: options.OriginTimeout,
		spans:   spans,
		transport: &http.Transport{
			DisableCompression:  true,
			MaxIdleConnsPerHost: 256,
			IdleConnTimeout:     time.Minute,
		},
	}, nil
}

func (o *originClient) close() { o.transport.CloseIdleConnections() }

// ask is what a fetch asks for and what the origin is told of it.
type ask struct {
	method, host, path string
	body               io.Reader
	length             int64 // of body; -1: not known
	router, ring, node string
	span               spanRef // under which it is fetched; in a fetch, its own
}

// fetch returns the origin's answer, which must have the status 200, within
// the time-out. The error is an *originError.
func (o *originClient) fetch(ctx context.Context, a ask) (*cache.Object, error) {
	ctx, cancel := context.WithTimeout(ctx, o.timeout)
	defer cancel()
	o.requests.Add(1)
	parent := a.span
	if parent.exists() {
		a.span.span = newSpanID()
	}
	began := time.Now()
	object, err := o.exchange(ctx, a)
	o.nanoseconds.Add(int64(time.Since(began)))
	o.spans.noteFetch(parent, a, began, err)
	if err != nil {
		o.errors.Add(1)
		return nil, &originError{err: err, timeout: timedOut(err)}
	}
	o.bytes.Add(int64(len(object.Body)))
	return object, nil
}

// fetching returns fetch as a cache node calls it.
func (o *originClient) fetching(a ask) func(context.Context) (*cache.Object, error) {
	return func(ctx context.Context) (*cache.Object, error) { return o.fetch(ctx, a) }
}

func (o *originClient) exchange(ctx context.Context, a ask) (*cache.Object, error) {
	response, err := o.transport.RoundTrip(o.request(ctx, a))
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		_, _ = io.CopyN(io.Discard, response.Body, 4096) // so that the connection can be used again
		return nil, fmt.Errorf("status %d for %s", response.StatusCode, a.path)
	}
	body, err := readAll(response.Body, response.ContentLength)
	if err != nil {
		return nil, err
	}
	return &cache.Object{Body: body, ETag: response.Header.Get("ETag")}, nil
}

// request builds the request by hand: the path goes out exactly as it is.
func (o *originClient) request(ctx context.Context, a ask) *http.Request {
	header := make(http.Header, 6)
	header[headerColo] = []string{o.colo}
	header[headerRouter] = []string{a.router}
	if a.ring != "" {
		header[headerRing] = []string{a.ring}
		header[headerNode] = []string{a.node}
	}
	if a.span.exists() {
		header[headerTrace] = a.span.header()
	}
	r := &http.Request{
		Method: a.method,
		URL:    &url.URL{Scheme: o.base.Scheme, Host: o.base.Host, Opaque: a.path},
		Host:   a.host,
		Header: header,
	}
	if a.body != nil {
		r.Body, r.ContentLength = io.NopCloser(a.body), a.length
	}
	return r.WithContext(ctx)
}

// readAll reads a body of a known length without growing, or of an unknown
// one, up to maxObjectBytes.
func readAll(r io.Reader, length int64) ([]byte, error) {
	if length > maxObjectBytes {
		return nil, fmt.Errorf("a body of %d bytes is over the limit of %d", length, maxObjectBytes)
	}
	if length >= 0 {
		body := make([]byte, length)
		_, err := io.ReadFull(r, body)
		return body, err
	}
	body, err := io.ReadAll(io.LimitReader(r, maxObjectBytes+1))
	if err == nil && len(body) > maxObjectBytes {
		err = fmt.Errorf("a body is over the limit of %d bytes", maxObjectBytes)
	}
	return body, err
}

// timedOut says whether an error is one of waiting too long.
func timedOut(err error) bool {
	var waited interface{ Timeout() bool }
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &waited) && waited.Timeout()
}
