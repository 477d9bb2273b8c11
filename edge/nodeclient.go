package edge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	"switchback/edge/cache"
)

// nodeClient asks listening nodes.
type nodeClient struct{ transport *http.Transport }

// nodeError is a node that gave no answer; the next one is asked.
type nodeError struct{ err error }

// Error implements error.
func (e *nodeError) Error() string { return "cache node: " + e.err.Error() }

// Unwrap returns what went wrong.
func (e *nodeError) Unwrap() error { return e.err }

func newNodeClient(timeout time.Duration) *nodeClient {
	return &nodeClient{&http.Transport{
		DialContext:           (&net.Dialer{Timeout: timeout}).DialContext,
		ResponseHeaderTimeout: timeout,
		DisableCompression:    true,
		MaxIdleConnsPerHost:   64,
		IdleConnTimeout:       time.Minute,
	}}
}

func (c *nodeClient) close() { c.transport.CloseIdleConnections() }

// get asks the node at address. The error is a *nodeError where the node
// failed, an *originError where its origin did.
func (c *nodeClient) get(ctx context.Context, address string, a ask) (*cache.Object, cache.Outcome, error) {
	request := &http.Request{
		Method: http.MethodGet,
		URL:    &url.URL{Scheme: "http", Host: address, Opaque: a.path},
		Host:   a.host,
		Header: http.Header{headerRouter: {a.router}, headerRing: {a.ring}},
	}
	if a.span.exists() {
		request.Header[headerTrace] = a.span.header()
	}
	response, err := c.transport.RoundTrip(request.WithContext(ctx))
	if err != nil {
		return nil, cache.Miss, nodeFailure(ctx, err)
	}
	defer response.Body.Close()
	outcome, ok := cache.ParseOutcome(response.Header.Get(headerCache))
	if !ok {
		return nil, cache.Miss, &nodeError{fmt.Errorf("an answer without %s", headerCache)}
	}
	if response.StatusCode != http.StatusOK {
		return nil, outcome, originFailure(response)
	}
	body, err := readAll(response.Body, response.ContentLength)
	if err != nil {
		return nil, outcome, nodeFailure(ctx, err)
	}
	return &cache.Object{Body: body, ETag: response.Header.Get("ETag")}, outcome, nil
}

// nodeFailure is the node's fault unless the requester left.
func nodeFailure(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return &nodeError{err}
}

// originFailure is what the node says of the origin.
func originFailure(response *http.Response) error {
	text, _ := io.ReadAll(io.LimitReader(response.Body, 512))
	err := errors.New(strings.TrimSpace(strings.TrimPrefix(string(text), "origin: ")))
	return &originError{err: err, timeout: response.StatusCode == http.StatusGatewayTimeout}
}

// fail counts what a node did instead of answering.
func (n *node) fail(err error) {
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		n.refused.Add(1)
	case timedOut(err):
		n.timedOut.Add(1)
	default:
		n.reset.Add(1)
	}
}
