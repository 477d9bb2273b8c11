package record

import (
	"bytes"
	"fmt"
	"io"
)

// Bounds of what a reader of a run folder accepts; what is above them is
// refused. A folder may come from anywhere, and a few bytes of it, above all
// compressed ones, can stand for gigabytes.
const (
	maxLineBytes   = 4 << 20   // of a line of any file; blocks have 100 kB
	maxFileBytes   = 64 << 20  // of a file of one JSON object
	maxLinesBytes  = 1 << 30   // of a file of lines
	maxSecondBytes = 64 << 10  // of a line of series.csv.zst
	maxSeriesBytes = 256 << 20 // of series.csv.zst, decompressed
	maxWindowBytes = 64 << 20  // of the decompressor of series.csv.zst
)

// boundedLines passes on the bytes of a reader until a line of them, or all of
// them, are longer than is allowed. Its zero bounds allow nothing.
type boundedLines struct {
	from        io.Reader
	line, whole int64 // bytes allowed
	open, read  int64 // bytes of the line that has not ended, and of all
}

// Read implements io.Reader.
func (b *boundedLines) Read(p []byte) (int, error) {
	n, err := b.from.Read(p)
	if n <= 0 {
		return n, err
	}
	b.read += int64(n)
	if b.read > b.whole {
		return 0, fmt.Errorf("the file is larger than %d MiB", b.whole>>20)
	}
	if !b.fits(p[:n]) {
		return 0, fmt.Errorf("line longer than %d KiB", b.line>>10)
	}
	return n, err
}

// fits reports whether no line is too long, with more bytes.
func (b *boundedLines) fits(more []byte) bool {
	for {
		end := bytes.IndexByte(more, '\n')
		if end < 0 {
			b.open += int64(len(more))
			return b.open <= b.line
		}
		if b.open+int64(end) > b.line {
			return false
		}
		b.open, more = 0, more[end+1:]
	}
}
