package importer

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// The formats of nginx and Apache, as nginx's log_format would write them. In
// the one with hostnames, the port is that of the server.
const (
	combined      = `$remote_addr $remote_ident $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"`
	vhostCombined = `$host:$server_port ` + combined
	common        = `$remote_addr $remote_ident $remote_user [$time_local] "$request" $status $body_bytes_sent`
)

// logFormat reads lines that a log_format of nginx has written.
type logFormat struct {
	begin []byte // text before the first variable
	steps []step
	more  bool // fields may follow at the end
}

// step is a variable and the text that ends it; "" for the rest of the line.
type step struct {
	set  func(*entry, []byte) bool // nil: not needed
	stop []byte
}

// logVariable matches a variable of a log_format.
var logVariable = regexp.MustCompile(`\$(?:\{(\w+)\}|(\w+))`)

// newLogFormat compiles the string of a log_format.
func newLogFormat(format string) (*logFormat, error) {
	found := logVariable.FindAllStringSubmatchIndex(format, -1)
	if len(found) == 0 {
		return nil, errors.New("expected the string of a log_format of nginx, with variables such as $request")
	}
	f := &logFormat{begin: []byte(format[:found[0][0]])}
	asks := false
	for i, at := range found {
		name := strings.Trim(format[at[0]:at[1]], "${}")
		end := len(format)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		if end == at[1] && i+1 < len(found) {
			return nil, fmt.Errorf("$%s: expected text between it and the next variable, which tells where it ends", name)
		}
		f.steps = append(f.steps, step{set: setterOf(name), stop: []byte(format[at[1]:end])})
		asks = asks || name == "request" || name == "request_uri" || name == "uri"
	}
	if !asks {
		return nil, errors.New("expected $request, $request_uri or $uri: without them a line does not say what was asked")
	}
	return f, nil
}

func (f *logFormat) parse(line []byte, e *entry) bool {
	rest, ok := bytes.CutPrefix(line, f.begin)
	if !ok {
		return false
	}
	for i := range f.steps {
		s := &f.steps[i]
		end := endOf(rest, s.stop)
		if end < 0 {
			return false
		}
		if s.set != nil && !s.set(e, rest[:end]) {
			return false
		}
		rest = rest[end+len(s.stop):]
	}
	return len(rest) == 0 || f.more && rest[0] == ' '
}

// endOf finds the text that ends a value. A quote that is escaped does not end
// it, nor does a colon inside the brackets of an address.
func endOf(rest, stop []byte) int {
	if len(stop) == 0 {
		return len(rest)
	}
	from := 0
	if stop[0] == ':' && len(rest) > 0 && rest[0] == '[' {
		from = max(0, bytes.IndexByte(rest, ']'))
	}
	for {
		at := indexOf(rest[from:], stop)
		if at < 0 {
			return -1
		}
		if at += from; stop[0] != '"' || !isEscaped(rest, at) {
			return at
		}
		from = at + 1
	}
}

// indexOf is bytes.Index, which is slower for what ends a field in most lines.
func indexOf(text, stop []byte) int {
	if len(stop) == 1 {
		return bytes.IndexByte(text, stop[0])
	}
	return bytes.Index(text, stop)
}

// isEscaped tells whether an odd number of backslashes is before a place.
func isEscaped(text []byte, at int) bool {
	n := 0
	for at-n > 0 && text[at-n-1] == '\\' {
		n++
	}
	return n%2 == 1
}
