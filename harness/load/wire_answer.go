package load

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"math"

	"switchback/results/record"
)

// Limits of what the wire engine reads; an answer beyond them is malformed.
const (
	maxHead      = 64 << 10 // bytes of status lines and header fields, those of 1xx answers included
	maxChunkLine = 4 << 10  // bytes of a chunk's size line, CRLF included
	maxTrailer   = 4 << 10  // bytes of trailer fields
	maxExcess    = 16 << 10 // bytes of chunk framing beyond 16 a chunk and twice the data
)

// errMalformed is wrapped by every error of an answer's form.
var errMalformed = errors.New("malformed answer")

func malformed(what string, line []byte) error {
	return fmt.Errorf("%w: %s: %.80q", errMalformed, what, line)
}

// errCut means that the connection ended in the middle of an answer.
var errCut = errors.New("connection ended before the answer")

// phase is what an answer reads next.
type phase uint8

const (
	inStatus    phase = iota // the status line
	inFields                 // header fields
	inLength                 // a body of known length
	inUntilEOF               // a body that ends with the connection
	inChunkSize              // the size line of a chunk
	inChunk                  // the data of a chunk
	inChunkEnd               // the CRLF after it
	inTrailer                // trailer fields
	complete
)

// answer reads one HTTP/1.x answer from pieces of any size, as RFC 9112 says
// and as strictly as net/http does. It keeps what the engine needs (status,
// length, checksum, Server-Timing, the cache's state, whether the connection may
// be used again) and allocates only when a line is split or a limit of its
// buffers grows.
type answer struct {
	phase     phase
	bodyless  bool  // the request was HEAD
	begun     bool  // a byte of the final answer was read
	firstByte int64 // the instant given with that byte

	status   int
	minor    int // of HTTP/1.minor
	close    bool
	bytes    int64
	checksum uint32
	timing   []byte // Server-Timing fields, joined by ", ", and the cache state
	cache    cacheState

	line   []byte // the part read of a line that is split between pieces
	head   int    // bytes of lines read
	field  fields
	left   uint64 // bytes left of the body or the chunk
	excess int64  // chunk framing, see maxExcess
}

// reset makes a ready for the next answer; its buffers are kept.
func (a *answer) reset(bodyless bool) {
	a.line, a.timing = a.line[:0], a.timing[:0]
	*a = answer{bodyless: bodyless, line: a.line, timing: a.timing, field: fields{value: a.field.value[:0]}}
}

// protocol returns the version that the status line said.
func (a *answer) protocol() record.Protocol {
	if a.status == 0 {
		return record.NoProtocol
	}
	return record.ProtocolOf(1, a.minor)
}

// feed reads from p, which arrived at now, and returns how many bytes it
// used. It stops where the answer is complete; what follows is not its own.
func (a *answer) feed(p []byte, now int64) (int, error) {
	used := 0
	for used < len(p) && a.phase != complete {
		if !a.begun {
			a.begun, a.firstByte = true, now
		}
		n, err := a.step(p[used:])
		used += n
		if err != nil {
			return used, err
		}
	}
	return used, nil
}

// step reads one line, or one stretch of body.
func (a *answer) step(p []byte) (int, error) {
	switch a.phase {
	case inLength, inUntilEOF, inChunk:
		return a.body(p), nil
	}
	n := bytes.IndexByte(p, '\n') + 1
	whole := n > 0
	if !whole {
		n = len(p)
	}
	a.head += n
	if a.head > maxHead {
		return n, malformed("head too long", nil)
	}
	line := p[:n]
	if !whole || len(a.line) > 0 {
		a.line = append(a.line, line...)
		line = a.line
	}
	if err := a.limit(line); err != nil || !whole {
		return n, err
	}
	err := a.read(line)
	a.line = a.line[:0]
	return n, err
}

// limit bounds the lines of a chunked body.
func (a *answer) limit(line []byte) error {
	switch {
	case a.phase == inChunkSize && len(line) > maxChunkLine:
		return malformed("chunk size line too long", line)
	case a.phase == inChunkEnd && !bytes.HasPrefix([]byte("\r\n"), line):
		return malformed("chunk without its end", line)
	case a.phase == inTrailer && a.head > maxTrailer:
		return malformed("trailer too long", line)
	}
	return nil
}

// read takes one line, its line end included.
func (a *answer) read(line []byte) error {
	switch a.phase {
	case inStatus:
		return a.statusLine(trimLineEnd(line))
	case inFields:
		return a.fieldLine(trimLineEnd(line))
	case inChunkSize:
		return a.chunkSize(line)
	case inChunkEnd:
		a.phase = inChunkSize
		return nil
	default:
		return a.trailerLine(line)
	}
}

// body counts and checks a stretch of body and returns its length.
func (a *answer) body(p []byte) int {
	if uint64(len(p)) > a.left {
		p = p[:a.left]
	}
	a.checksum = crc32.Update(a.checksum, castagnoli, p)
	a.bytes += int64(len(p))
	a.left -= uint64(len(p))
	if a.left == 0 {
		switch a.phase {
		case inLength:
			a.phase = complete
		case inChunk:
			a.phase = inChunkEnd
		}
	}
	return len(p)
}

// end is called when the connection has ended: nil when that ends the answer.
func (a *answer) end() error {
	if a.phase == inUntilEOF {
		a.phase = complete
		return nil
	}
	return errCut
}

// begin chooses how the body is read, once the fields are over (RFC 9112 §6.3).
func (a *answer) begin() error {
	length, err := a.field.contentLength()
	if err != nil {
		return err
	}
	chunked, err := a.field.chunked(a.minor)
	if err != nil {
		return err
	}
	a.close = a.field.close || a.minor == 0 && !a.field.keepAlive
	a.timing = a.cache.behind(a.timing)
	switch {
	case a.status == 101:
		return malformed("a change of the protocol that nobody asked for", nil)
	case a.status < 200:
		a.informational()
	case a.bodyless, a.status == 204, a.status == 304:
		a.phase = complete
	case chunked:
		a.phase, a.head = inChunkSize, 0
	case length > 0:
		a.phase, a.left = inLength, uint64(length)
	case length == 0:
		a.phase = complete
	default:
		a.phase, a.close, a.left = inUntilEOF, true, math.MaxUint64
	}
	return nil
}

// informational forgets a 1xx answer: the final one follows.
func (a *answer) informational() {
	head := a.head
	a.reset(a.bodyless)
	a.head = head
}
