package importer

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// maxLine bounds a line. A longer one is dropped while it is read, so that it
// does not eat memory.
const maxLine = 64 << 10

// lines reads a text file line by line. Lines end with LF or CRLF.
type lines struct {
	in     *bufio.Reader // its buffer holds a whole line
	number int64         // of the line read last
	cut    bool          // the file ended before its compressed data did
}

func newLines(r io.Reader) *lines {
	in := bufio.NewReaderSize(r, maxLine+2)
	if mark, _ := in.Peek(3); bytes.Equal(mark, []byte("\xef\xbb\xbf")) {
		_, _ = in.Discard(len(mark)) // it was peeked
	}
	return &lines{in: in}
}

// next returns the next line without its end; it is valid until the next call.
// A line that is empty but for blanks is skipped. The error is io.EOF at the end.
func (l *lines) next() ([]byte, kind, error) {
	for {
		l.number++
		line, err := l.in.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			return line[:80], tooLong, l.skip()
		case errors.Is(err, io.ErrUnexpectedEOF) && !l.cut: // a cut .gz or .zst: the rest of the line is not known
			l.cut = true
			return line, cutShort, nil
		case errors.Is(err, io.EOF) && len(line) == 0, l.cut:
			return nil, clean, io.EOF
		case err != nil && !errors.Is(err, io.EOF):
			return nil, clean, err
		}
		if line = bytes.TrimRight(line, "\r\n"); len(bytes.TrimLeft(line, " \t")) > 0 {
			return line, clean, nil
		}
	}
}

// skip reads to the end of a line.
func (l *lines) skip() error {
	for {
		_, err := l.in.ReadSlice('\n')
		if !errors.Is(err, bufio.ErrBufferFull) {
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				return nil // the next call tells
			}
			return err
		}
	}
}
