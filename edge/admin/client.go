package admin

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"switchback/edge/rollout"
)

// maxAnswerBytes bounds what the client reads: the stats of 65,536 nodes and
// 20,000 hostnames fit.
const maxAnswerBytes = 64 << 20

// StatusError is an answer of the admin API that is not a success.
type StatusError struct {
	Status int
	Reason string // as the server gave it
}

// Error implements error.
func (e *StatusError) Error() string { return fmt.Sprintf("status %d: %s", e.Status, e.Reason) }

// Client calls one admin API, an edge's or an origin's. It is safe for
// concurrent use. Every call ends with its context.
type Client struct {
	base  string
	token string
	http  *http.Client
}

// NewClient returns a client of the admin API at address (host:port). The
// token is "" for a listener on loopback.
func NewClient(address, token string) *Client {
	return &Client{base: "http://" + address, token: token, http: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 2}}}
}

// Close ends the client's idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Health returns nil when the server answers GET /healthz.
func (c *Client) Health(ctx context.Context) error {
	return c.call(ctx, http.MethodGet, "/healthz", nil, nil)
}

// Stats returns an edge's counters.
func (c *Client) Stats(ctx context.Context) (Stats, error) {
	var s Stats
	err := c.call(ctx, http.MethodGet, "/stats", nil, &s)
	if err == nil && s.Schema != StatsSchema {
		err = fmt.Errorf("GET /stats: schema %q, expected %q", s.Schema, StatsSchema)
	}
	return s, err
}

// OriginStats returns an origin's counters.
func (c *Client) OriginStats(ctx context.Context) (OriginStats, error) {
	var s OriginStats
	err := c.call(ctx, http.MethodGet, "/stats", nil, &s)
	if err == nil && s.Schema != OriginStatsSchema {
		err = fmt.Errorf("GET /stats: schema %q, expected %q", s.Schema, OriginStatsSchema)
	}
	return s, err
}

// Flags returns the flags in force.
func (c *Client) Flags(ctx context.Context) (rollout.Flags, error) {
	var f rollout.Flags
	err := c.call(ctx, http.MethodGet, "/flags", nil, &f)
	return f, err
}

// PutFlags changes both parts of the flags and returns those now in force. A
// *StatusError with 400 tells why they were refused; the old ones stay.
func (c *Client) PutFlags(ctx context.Context, flags rollout.Flags) (rollout.Flags, error) {
	return c.UpdateFlags(ctx, FlagsUpdate{Router: &flags.Router, Ring: &flags.Ring})
}

// UpdateFlags changes the parts that the update has. With a version in the
// update it is only taken while that version is in force (else 412).
func (c *Client) UpdateFlags(ctx context.Context, update FlagsUpdate) (rollout.Flags, error) {
	var match []string
	if update.Version != 0 {
		match = []string{"If-Match", strconv.Quote(strconv.FormatInt(update.Version, 10))}
	}
	var now rollout.Flags
	err := c.call(ctx, http.MethodPut, "/flags", update, &now, match...)
	return now, err
}

// SetNode marks a node up or down.
func (c *Client) SetNode(ctx context.Context, name string, up bool) error {
	return c.UpdateNode(ctx, name, NodeUpdate{Up: &up})
}

// UpdateNode changes a node's state or its fault.
func (c *Client) UpdateNode(ctx context.Context, name string, update NodeUpdate) error {
	return c.call(ctx, http.MethodPut, "/nodes/"+name, update, nil)
}

// Checkpoint makes dir, which must not exist, a copy of the edge's store. It
// lies below the folder exchange of the store's directory.
func (c *Client) Checkpoint(ctx context.Context, dir string) error {
	return c.call(ctx, http.MethodPost, "/store/checkpoint", Checkpoint{Dir: dir}, nil)
}

// Ingest takes sorted tables into the edge's store; the files lie below
// the folder exchange of the store's directory, and move.
func (c *Client) Ingest(ctx context.Context, files []string) error {
	return c.call(ctx, http.MethodPost, "/store/ingest", Ingest{Files: files}, nil)
}

// call makes one request; in and out are JSON, or nil; header is pairs.
func (c *Client) call(ctx context.Context, method, path string, in, out any, header ...string) error {
	request, err := c.request(ctx, method, path, in)
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	response, err := c.http.Do(request)
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxAnswerBytes+1))
	if err == nil {
		err = decode(response.StatusCode, answer, out)
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	return nil
}

func (c *Client) request(ctx context.Context, method, path string, in any) (*http.Request, error) {
	var body io.Reader
	if in != nil {
		raw, err := json.Marshal(in)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(raw)
	}
	request, err := http.NewRequestWithContext(ctx, method, c.base+path, body)
	if err != nil {
		return nil, err
	}
	if in != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if c.token != "" {
		request.Header.Set("Authorization", "Bearer "+c.token)
	}
	return request, nil
}

func decode(status int, answer []byte, out any) error {
	if len(answer) > maxAnswerBytes {
		return fmt.Errorf("the answer is over %d bytes", maxAnswerBytes)
	}
	if status >= 300 {
		var refusal Refusal
		if json.Unmarshal(answer, &refusal) != nil || refusal.Error == "" {
			refusal.Error = strings.TrimSpace(string(answer[:min(len(answer), 512)]))
		}
		return &StatusError{Status: status, Reason: refusal.Error}
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(answer, out)
}
