package targets

import (
	"fmt"
	"slices"
	"strings"
)

// Bounds of a target in a stream.
const (
	maxHost   = 1024
	maxPath   = 32 << 10
	maxBytes  = 1 << 40
	maxSize   = 10 // digits
	maxDigest = 100
)

// Check refuses what could not be sent as written: it keeps control
// characters and spaces out of request lines and headers.
func (t *Target) Check() error {
	switch {
	case t.Host == "" || len(t.Host) > maxHost || !isVisible(t.Host):
		return fmt.Errorf("host %.80q: expected visible ASCII", t.Host)
	case !strings.HasPrefix(t.Path, "/") || len(t.Path) > maxPath || !isVisible(t.Path):
		return fmt.Errorf("path %.80q: expected visible ASCII after a slash", t.Path)
	case len(t.Method) > 20 || strings.Trim(t.Method, "ABCDEFGHIJKLMNOPQRSTUVWXYZ-") != "":
		return fmt.Errorf("method %.80q: expected capital letters", t.Method)
	case t.Status != 0 && (t.Status < 100 || t.Status > 599):
		return fmt.Errorf("status %d: expected 0 or 100 to 599", t.Status)
	case t.Bytes < -1 || t.Bytes > maxBytes:
		return fmt.Errorf("bytes %d: expected -1 to %d", t.Bytes, int64(maxBytes))
	case len(t.Size) > maxSize || strings.Trim(t.Size, "0123456789") != "":
		return fmt.Errorf("size %.80q: expected a number", t.Size)
	case t.Position != "" && !slices.Contains([]string{First, Middle, Last, Unknown, None}, t.Position):
		return fmt.Errorf("position %.80q: expected %s, %s, %s, %s or %s", t.Position, First, Middle, Last, Unknown, None)
	case t.At < 0:
		return fmt.Errorf("at_us %d: expected microseconds from the first request", t.At)
	case t.View < 0 || (t.Document && t.View == 0):
		return fmt.Errorf("view %d: expected a number from 1, or 0 for a single request", t.View)
	}
	return t.Message.check()
}

// check refuses fields that could not be sent as written.
func (m *Message) check() error {
	for _, f := range m.Header {
		if f.Name == "" || !isVisible(f.Name) || strings.ContainsAny(f.Name, separators) {
			return fmt.Errorf("header field %.80q: expected a token", f.Name)
		}
		if IsHopByHop(f.Name) || strings.EqualFold(f.Name, "Host") {
			return fmt.Errorf("header field %s: the engine writes its own", f.Name)
		}
		if strings.ContainsFunc(f.Value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
			return fmt.Errorf("header field %s: value %.80q: control characters", f.Name, f.Value)
		}
	}
	return nil
}

// separators are the visible characters that a token may not have (RFC 9110).
const separators = "\"(),/:;<=>?@[\\]{}"

// isVisible is true for ASCII without spaces and control characters.
func isVisible(s string) bool {
	for _, c := range []byte(s) {
		if c <= ' ' || c > '~' {
			return false
		}
	}
	return true
}
