package origin

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// MaxBytes bounds a body: a URL must not ask for more.
const MaxBytes = 256 << 20

// errLaw tells of a path that names no body.
var errLaw = errors.New("expected /a/<digest>/<bytes> or /f/<deployment>/<bytes>/<path>")

// body is the content that a path names: the path and a newline, repeated and
// cut to size. It is read without ever being held in memory.
type body struct {
	unit   string // the path and a newline
	size   int64
	offset int64
	cached bool // an asset, not a function's answer
}

// parseBody reads the body law from an escaped path:
//
//	/a/<digest>/<bytes>                      an asset
//	/f/<deployment id>/<bytes>/<any path>    a function's answer
func parseBody(path string) (*body, error) {
	kind, rest, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	name, size, sized := strings.Cut(rest, "/")
	switch {
	case !sized || name == "":
		return nil, errLaw
	case kind == "f":
		var further bool
		if size, _, further = strings.Cut(size, "/"); !further {
			return nil, errLaw
		}
	case kind != "a":
		return nil, errLaw
	}
	n, err := strconv.ParseUint(size, 10, 63)
	if err != nil {
		return nil, errLaw
	}
	if n > MaxBytes {
		return nil, fmt.Errorf("a body of %d bytes is over the limit of %d", n, MaxBytes)
	}
	return &body{unit: path + "\n", size: int64(n), cached: kind == "a"}, nil
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	left := b.size - b.offset
	if left <= 0 {
		return 0, io.EOF
	}
	p = p[:min(int64(len(p)), left)]
	n := copy(p, b.unit[b.offset%int64(len(b.unit)):])
	for n < len(p) {
		n += copy(p[n:], b.unit)
	}
	b.offset += int64(n)
	return n, nil
}

// Seek implements io.Seeker, as ranges need it.
func (b *body) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += b.offset
	case io.SeekEnd:
		offset += b.size
	}
	if offset < 0 {
		return 0, errors.New("seek before the start of a body")
	}
	b.offset = offset
	return offset, nil
}

// etag is a strong validator: the body is a function of the path alone.
func (b *body) etag() string {
	h := fnv.New64a()
	io.WriteString(h, b.unit)
	return `"` + strconv.FormatUint(h.Sum64(), 16) + `"`
}

// serveBody answers with the body that the path names, whole, in ranges, or
// 304 when the requester has it.
func serveBody(w http.ResponseWriter, r *http.Request) {
	b, err := parseBody(r.URL.EscapedPath())
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	if b.cached && r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "an asset is read with GET or HEAD", http.StatusMethodNotAllowed)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	if !b.cached {
		h.Set("Cache-Control", "no-store")
		h.Set("Content-Length", strconv.FormatInt(b.size, 10))
		copyBody(w, r, b)
		return
	}
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("ETag", b.etag())
	http.ServeContent(w, r, "", time.Time{}, b)
}

func copyBody(w http.ResponseWriter, r *http.Request, b *body) {
	if r.Method == http.MethodHead {
		return
	}
	_, _ = io.Copy(w, b) // a requester who went away is no fault of ours
}
