package load

import (
	"bytes"
	"math"
)

// fields keeps what the header fields of an answer say about its body and its
// connection. A field may be continued on the next line, so the value of one
// that matters is kept until the line after it has begun.
type fields struct {
	open  name // the field whose lines are being read
	any   bool // a field line was read
	value []byte

	length    int64 // of Content-Length
	lengths   int
	encodings int
	isChunked bool
	close     bool // Connection: close
	keepAlive bool // Connection: keep-alive
}

// name is a field that matters.
type name uint8

const (
	otherField name = iota
	contentLength
	transferEncoding
	connection
	serverTiming
	xCache
	xCacheStatus
	cacheStatus
)

var colon = []byte(":")

// statusLine reads "HTTP/1.1 200 OK".
func (a *answer) statusLine(line []byte) error {
	version, rest, ok := bytes.Cut(line, []byte(" "))
	if !ok || len(version) != 8 || string(version[:7]) != "HTTP/1." || version[7] < '0' || version[7] > '9' {
		return malformed("status line", line)
	}
	code, _, _ := bytes.Cut(bytes.TrimLeft(rest, " "), []byte(" "))
	if len(code) != 3 {
		return malformed("status line", line)
	}
	a.minor = int(version[7] - '0')
	for _, c := range code {
		if c < '0' || c > '9' {
			return malformed("status line", line)
		}
		a.status = a.status*10 + int(c-'0')
	}
	if a.status < 100 {
		return malformed("status line", line)
	}
	a.phase = inFields
	return nil
}

// fieldLine reads one line of the header; an empty one ends it.
func (a *answer) fieldLine(line []byte) error {
	if len(line) > 0 && isBlank(line[0]) {
		return a.continuation(line)
	}
	if err := a.commit(); err != nil {
		return err
	}
	if len(line) == 0 {
		return a.begin()
	}
	key, value, err := splitField(line)
	if err != nil {
		return err
	}
	a.field.any = true
	a.field.open = nameOf(key)
	if a.field.open != otherField {
		a.field.value = append(a.field.value[:0], value...)
	}
	return nil
}

// continuation joins a line to the field before it (RFC 9112 §5.2).
func (a *answer) continuation(line []byte) error {
	if !a.field.any || !validValue(line) {
		return malformed("header line", line)
	}
	if a.field.open != otherField {
		a.field.value = append(a.field.value, ' ')
		a.field.value = append(a.field.value, trimBlank(line)...)
	}
	return nil
}

// splitField returns the name and the value of a field line. A space before
// the colon makes another name of it, as in net/http.
func splitField(line []byte) (key, value []byte, err error) {
	key, value, ok := bytes.Cut(line, colon)
	if !ok || len(key) == 0 || !validValue(value) {
		return nil, nil, malformed("header line", line)
	}
	for _, c := range key {
		if fieldByte[c]&inName == 0 {
			return nil, nil, malformed("header line", line)
		}
	}
	return key, trimBlank(value), nil
}

func nameOf(key []byte) name {
	switch {
	case len(key) == 14 && foldEqual(key, "content-length"):
		return contentLength
	case len(key) == 17 && foldEqual(key, "transfer-encoding"):
		return transferEncoding
	case len(key) == 10 && foldEqual(key, "connection"):
		return connection
	case len(key) == 13 && foldEqual(key, "server-timing"):
		return serverTiming
	case len(key) == 7 && foldEqual(key, "x-cache"):
		return xCache
	case len(key) == 14 && foldEqual(key, "x-cache-status"):
		return xCacheStatus
	case len(key) == 12 && foldEqual(key, "cache-status"):
		return cacheStatus
	}
	return otherField
}

// commit takes the value of the field that has just ended.
func (a *answer) commit() error {
	f := &a.field
	value := bytes.TrimLeft(f.value, " \t")
	open := f.open
	f.open = otherField
	switch open {
	case contentLength:
		return f.addLength(trimBlank(value))
	case transferEncoding:
		f.encodings++
		f.isChunked = foldEqual(value, "chunked")
	case connection:
		f.close = f.close || hasToken(value, "close")
		f.keepAlive = f.keepAlive || hasToken(value, "keep-alive")
	case serverTiming:
		if len(a.timing) > 0 {
			a.timing = append(a.timing, ", "...)
		}
		a.timing = append(a.timing, value...)
	case xCache:
		a.cache.note(xCacheField, value)
	case xCacheStatus:
		a.cache.note(xCacheStatusField, value)
	case cacheStatus:
		a.cache.note(cacheStatusField, value)
	}
	return nil
}

// addLength takes a Content-Length: digits, and the same in every field.
func (f *fields) addLength(value []byte) error {
	var n int64
	for _, c := range value {
		if c < '0' || c > '9' || n > (math.MaxInt64-int64(c-'0'))/10 {
			return malformed("Content-Length", value)
		}
		n = n*10 + int64(c-'0')
	}
	if len(value) == 0 || f.lengths > 0 && n != f.length {
		return malformed("Content-Length", value)
	}
	f.length = n
	f.lengths++
	return nil
}

// contentLength returns the length the fields give, -1 for none.
func (f *fields) contentLength() (int64, error) {
	if f.lengths == 0 {
		return -1, nil
	}
	return f.length, nil
}

// chunked reports whether the body is chunked, the one encoding there is.
// HTTP/1.0 has none, and the field means nothing there.
func (f *fields) chunked(minor int) (bool, error) {
	if f.encodings == 0 || minor == 0 {
		return false, nil
	}
	if f.encodings > 1 || !f.isChunked {
		return false, malformed("Transfer-Encoding", f.value)
	}
	return true, nil
}
