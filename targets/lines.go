package targets

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// textLines reads a text file of the user's own line by line: lines end with LF
// or CRLF, the last one with or without. A byte order mark is skipped.
type textLines struct {
	in     *bufio.Reader
	most   int // bytes of a line
	number int // of the line read last
}

func newTextLines(r io.Reader, most int) *textLines {
	in := bufio.NewReaderSize(r, 64<<10)
	if mark, _ := in.Peek(3); bytes.Equal(mark, []byte("\xef\xbb\xbf")) {
		_, _ = in.Discard(len(mark)) // it was peeked
	}
	return &textLines{in: in, most: most}
}

// next returns the next line without its end and without blanks around it. Its
// error is io.EOF after the last line.
func (l *textLines) next() (string, error) {
	l.number++
	var line []byte
	for {
		piece, err := l.in.ReadSlice('\n')
		if len(line)+len(piece) > l.most {
			return "", fmt.Errorf("a line of more than %d bytes", l.most)
		}
		line = append(line, piece...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case err == nil, errors.Is(err, io.EOF) && len(line) > 0:
			return string(bytes.TrimSpace(line)), nil
		default:
			return "", err
		}
	}
}
