package edge

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"

	"switchback/edge/cache"
	"switchback/edge/pipeline"
	"switchback/edge/routing"
)

// headers are header values that never change, made once.
type headers struct {
	text, immutable, noStore []string
}

func newHeaders() headers {
	return headers{
		text:      []string{"text/plain; charset=utf-8"},
		immutable: []string{"public, max-age=31536000, immutable"},
		noStore:   []string{"no-store"},
	}
}

// statusClientGone is counted, never sent, for a requester who left: nginx's
// number for it.
const statusClientGone = 499

// write sends the answer and returns its status.
func (q *request) write(w http.ResponseWriter, object *cache.Object, err error) int {
	header := w.Header()
	header["Server-Timing"] = []string{q.serverTiming()}
	if err != nil {
		return refuse(w, err)
	}
	header["Content-Type"] = q.edge.headers.text
	if q.stage == pipeline.StageFunctions {
		header["Cache-Control"] = q.edge.headers.noStore
		return q.whole(w, object)
	}
	header["Cache-Control"] = q.edge.headers.immutable
	if object.ETag != "" {
		header["Etag"] = []string{object.ETag}
	}
	if conditional(q.http.Header) {
		sent := &statusWriter{ResponseWriter: w, status: http.StatusOK}
		http.ServeContent(sent, q.http, "", time.Time{}, bytes.NewReader(object.Body))
		return sent.status
	}
	return q.whole(w, object)
}

// whole sends all of a body.
func (q *request) whole(w http.ResponseWriter, object *cache.Object) int {
	w.Header()["Content-Length"] = []string{strconv.Itoa(len(object.Body))}
	if q.http.Method == http.MethodHead {
		w.WriteHeader(http.StatusOK)
		return http.StatusOK
	}
	_, _ = w.Write(object.Body) // a requester who went away is no error of ours
	return http.StatusOK
}

// conditional says whether the answer may be other than the whole body.
func conditional(h http.Header) bool {
	return h["Range"] != nil || h["If-None-Match"] != nil || h["If-Match"] != nil || h["If-Range"] != nil
}

// refuse answers an error in plain text and returns its status.
func refuse(w http.ResponseWriter, err error) int {
	status := statusOf(err)
	if status == statusClientGone {
		return status
	}
	message := http.StatusText(status)
	if status < 500 {
		message = err.Error()
	}
	if status == http.StatusMethodNotAllowed {
		w.Header().Set("Allow", "GET, HEAD")
	}
	http.Error(w, message, status)
	return status
}

func statusOf(err error) int {
	var fromOrigin *originError
	var fromNode *nodeError
	switch {
	case errors.Is(err, routing.ErrUnknownHost), errors.Is(err, pipeline.ErrNoAnswer):
		return http.StatusNotFound
	case errors.Is(err, errMethod):
		return http.StatusMethodNotAllowed
	case errors.Is(err, context.Canceled):
		return statusClientGone
	case errors.As(err, &fromOrigin) && fromOrigin.timeout:
		return http.StatusGatewayTimeout
	case errors.As(err, &fromOrigin), errors.As(err, &fromNode):
		return http.StatusBadGateway
	case errors.Is(err, errNoNode):
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// statusWriter notes the status of an answer that http.ServeContent chooses.
type statusWriter struct {
	http.ResponseWriter
	status int
}

// WriteHeader implements http.ResponseWriter.
func (s *statusWriter) WriteHeader(status int) {
	s.status = status
	s.ResponseWriter.WriteHeader(status)
}

// ReadFrom lets io.Copy use the server's own pooled buffers.
func (s *statusWriter) ReadFrom(src io.Reader) (int64, error) { return io.Copy(s.ResponseWriter, src) }
