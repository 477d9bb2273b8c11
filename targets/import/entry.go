package importer

import (
	"math"

	"switchback/targets"
)

// entry is one request as a source has it, before any rule. Its bytes are valid
// until the next one is read.
type entry struct {
	line int64
	text []byte // what is shown of it

	request     []byte // METHOD TARGET VERSION, or nil: method and uri are given
	method, uri []byte
	host        []byte
	header      []targets.Field
	body        []byte
	client      []byte // address

	at     int64 // microseconds since 1970; noTime
	took   int64 // microseconds
	atEnd  bool  // at is when the request ended
	status int   // 0: not known
	size   int64 // of the answer's body; -1: not known

	pool *pool // of the values of fields
}

// noTime is before every stamp.
const noTime = math.MinInt64

// reset empties an entry and keeps its memory.
func (e *entry) reset(line int64) {
	*e = entry{line: line, header: e.header[:0], at: noTime, size: -1, pool: e.pool}
}

// source yields the requests of one file.
type source interface {
	// next reads a request. A kind other than clean tells why the line holds
	// none. The error is io.EOF at the end; another one ends the import.
	next(e *entry) (kind, error)
}

// lineParser reads a request out of one line; it tells whether the line is of
// its format.
type lineParser interface {
	parse(line []byte, e *entry) bool
}

// lineSource is a file with a request a line.
type lineSource struct {
	lines  *lines
	parser lineParser
	mended bool // NUL bytes were cut off the line read last
}

func (s *lineSource) next(e *entry) (kind, error) {
	line, k, err := s.lines.next()
	e.reset(s.lines.number)
	e.text = line
	if err != nil || k != clean {
		return k, err
	}
	line, s.mended = withoutNUL(line)
	if len(line) == 0 {
		return malformed, nil
	}
	if !s.parser.parse(line, e) {
		return malformed, nil
	}
	if s.mended {
		return nulBytes, nil
	}
	return clean, nil
}

// withoutNUL cuts NUL bytes off: a log that is truncated while its writer has it
// open begins with a hole.
func withoutNUL(line []byte) ([]byte, bool) {
	n := 0
	for n < len(line) && line[n] == 0 {
		n++
	}
	return line[n:], n > 0
}
