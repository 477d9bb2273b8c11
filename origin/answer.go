package origin

import (
	"io"
	"net/http"
)

// answerWriter notes the status and the bytes of the body that pass through.
type answerWriter struct {
	http.ResponseWriter
	status int
	bytes  int64
}

// WriteHeader implements http.ResponseWriter.
func (a *answerWriter) WriteHeader(status int) {
	a.status = status
	a.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (a *answerWriter) Write(p []byte) (int, error) {
	n, err := a.ResponseWriter.Write(p)
	a.bytes += int64(n)
	return n, err
}

// ReadFrom lets io.Copy use the server's own pooled buffers.
func (a *answerWriter) ReadFrom(src io.Reader) (int64, error) {
	n, err := io.Copy(a.ResponseWriter, src)
	a.bytes += n
	return n, err
}
