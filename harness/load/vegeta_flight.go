package load

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"hash/crc32"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"switchback/results/record"
)

// flight is one request on its way. The hooks of net/http may be called by
// goroutines that outlive it, so the instants they take are atomics here and
// are copied into the sample once, by finish.
type flight struct {
	attack  *attack
	request Request

	sent, first atomic.Int64 // ns since the start; 0: not yet
	fresh       atomic.Bool  // its connection was dialled for it
	opening     atomic.Int32 // what the dial made for it is doing

	cancel context.CancelCauseFunc
	timer  *time.Timer
	slot   bool

	body   io.ReadCloser // of the answer; the flight itself is the body that vegeta reads
	status int
	proto  record.Protocol
	crc    uint32
	bytes  int64
	done   int64
	err    error
}

// The values of flight.opening.
const (
	notOpening int32 = iota
	connecting
	handshaking
)

// errTimedOut is the cause with which a flight is cancelled by its timer.
var errTimedOut = errors.New("request timed out")

// RoundTrip implements http.RoundTripper for vegeta's client.
func (a *attack) RoundTrip(hit *http.Request) (*http.Response, error) {
	seq, err := strconv.ParseUint(hit.Header.Get("X-Vegeta-Seq"), 10, 64)
	if err != nil {
		return nil, err
	}
	f := a.flightOf(seq)
	if a.closed {
		now := a.since()
		f.request.Sample.Due, f.request.Sample.Released = now, now
	}
	response, err := f.send(hit)
	if err != nil {
		f.fail(err)
		return nil, err
	}
	return response, nil
}

// send makes the request. It is bounded twice: by the time-out while it waits
// for a connection, and by the time-out again from the moment it is sent.
func (f *flight) send(hit *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(f.attack.ctx)
	f.cancel = cancel
	f.timer = time.AfterFunc(f.attack.engine.options.Timeout, func() { cancel(errTimedOut) })
	if slots := f.attack.engine.slots; slots != nil {
		select {
		case slots <- struct{}{}:
			f.slot = true
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	request := hit.WithContext(httptrace.WithClientTrace(ctx, f.trace()))
	f.address(request)
	response, err := f.attack.engine.transport.RoundTrip(request)
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		return nil, err
	}
	return response, f.answered(response)
}

// trace returns the hooks that take the instants.
func (f *flight) trace() *httptrace.ClientTrace {
	hooks := &httptrace.ClientTrace{
		ConnectStart:      func(string, string) { f.opening.Store(connecting) },
		TLSHandshakeStart: func() { f.opening.Store(handshaking) },
		TLSHandshakeDone: func(_ tls.ConnectionState, err error) {
			if err != nil {
				f.attack.engine.opened.Add(-1)
			}
		},
		GotConn: func(info httptrace.GotConnInfo) {
			f.fresh.Store(!info.Reused)
			begin(info.Conn, info.Reused)
			if info.Reused {
				f.attack.reused.Add(1)
			}
		},
		WroteHeaders: func() { // called before the flush: the head leaves now
			f.sent.Store(f.attack.since())
			f.timer.Reset(f.attack.engine.options.Timeout)
		},
		GotFirstResponseByte: func() { f.first.Store(f.attack.since()) },
		Got1xxResponse: func(int, textproto.MIMEHeader) error {
			f.first.Store(0) // only the final answer counts
			return nil
		},
	}
	if f.attack.engine.options.TLS { // HTTP/2 calls WroteHeaders after the write, when the answer may be there already
		hooks.WroteHeaderField = func(string, []string) { f.sent.Store(f.attack.since()) }
		hooks.WroteHeaders = func() { f.timer.Reset(f.attack.engine.options.Timeout) }
	}
	return hooks
}

// address puts the target into vegeta's request.
func (f *flight) address(r *http.Request) {
	options, target := f.attack.engine.options, f.request.Target
	r.Method, r.Host = method(target), target.Host
	r.Header = http.Header{}
	if !hasField(target, userAgentField) {
		r.Header[userAgentField] = []string{UserAgent}
	}
	for _, f := range target.Header {
		key := http.CanonicalHeaderKey(f.Name)
		r.Header[key] = append(r.Header[key], f.Value)
	}
	if id := f.request.Sample.TraceID; id != (record.TraceID{}) {
		r.Header[traceField] = []string{traceParent(id, options)}
	}
	if len(target.Body) > 0 {
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(target.Body)), int64(len(target.Body))
		r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(target.Body)), nil }
	}
	r.URL = &url.URL{Scheme: "http", Host: options.Address, Opaque: target.Path}
	if strings.HasPrefix(target.Path, "//") { // net/url would read a host there
		path, query, _ := strings.Cut(target.Path, "?")
		r.URL.Opaque, r.URL.Path, r.URL.RawQuery = "", path, query
	}
	if options.TLS {
		r.URL.Scheme = "https"
	}
	if options.TLS || options.Pooling == PoolHost {
		r.URL.Host = target.Host
	}
}

// answered takes the head of the answer and puts the flight between its body
// and vegeta. An answer that changes the protocol (101) has no body: what
// net/http gives instead is the connection, which no time-out reaches.
func (f *flight) answered(response *http.Response) error {
	if f.first.Load() == 0 {
		f.first.Store(f.attack.since())
	}
	f.status, f.proto = response.StatusCode, record.ProtocolOf(response.ProtoMajor, response.ProtoMinor)
	if f.status < 200 {
		_ = response.Body.Close()
		return malformed("an answer that nobody asked for", []byte(response.Status))
	}
	f.request.Sample.ServerTiming = appendTiming(f.request.Sample.ServerTiming, response.Header)
	f.body, response.Body = response.Body, f
	return nil
}

// appendTiming appends the Server-Timing fields of an answer to timing, joined
// by ", ", and the cache state.
func appendTiming(timing []byte, header http.Header) []byte {
	for i, value := range header["Server-Timing"] {
		if i > 0 {
			timing = append(timing, ", "...)
		}
		timing = append(timing, value...)
	}
	var cache cacheState
	for from, name := range cacheFields {
		for _, value := range header[name] {
			cache.note(cacheField(from), []byte(value))
		}
	}
	return cache.behind(timing)
}

// Read implements io.Reader over the body of the answer.
func (f *flight) Read(p []byte) (int, error) {
	n, err := f.body.Read(p)
	f.crc = crc32.Update(f.crc, castagnoli, p[:n])
	f.bytes += int64(n)
	switch {
	case err == io.EOF:
		f.done = f.attack.since()
		f.release()
	case err != nil:
		f.fail(err)
	}
	return n, err
}

// Close implements io.Closer.
func (f *flight) Close() error { return f.body.Close() }

// fail records why the request ended; vegeta keeps no more than its text.
func (f *flight) fail(err error) {
	f.done, f.err = f.attack.since(), err
	f.release()
}

// release gives back what the flight holds, once.
func (f *flight) release() {
	f.timer.Stop()
	f.cancel(nil)
	if f.slot {
		f.slot = false
		<-f.attack.engine.slots
	}
}

// finish fills the sample.
func (f *flight) finish() {
	s := f.request.Sample
	s.Sent, s.FirstByte, s.Done = reached(f.sent.Load()), reached(f.first.Load()), f.done
	s.NewConn, s.Status = f.fresh.Load(), int16(f.status)
	s.Protocol, s.Bytes, s.BodyHash = f.proto, f.bytes, f.crc
	if f.err != nil {
		s.Error = f.kind()
		s.RightStatus = rightStatus(f.request.Target, f.status)
		if s.Error == record.ErrDial || s.Error == record.ErrLimit {
			s.Sent = record.Never // of a connection before, which was lost
		}
		f.attack.failed.failedFor(s.Error, f.reason(s.Error), 1)
		return
	}
	s.Error = judge(f.request.Target, s)
}

// reached returns an instant, or record.Never for one not taken.
func reached(at int64) int64 {
	if at == 0 {
		return record.Never
	}
	return at
}
