package record

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"

	hdr "github.com/HdrHistogram/hdrhistogram-go"
)

// The cookies of HdrHistogram's V2 encoding, with words of one byte.
const (
	plainCookie      = uint32(hdr.V2EncodingCookieBase) | 0x10
	compressedCookie = uint32(hdr.V2CompressedEncodingCookieBase) | 0x10
)

// encoder writes histograms in the compressed V2 form of HdrHistogram. It
// keeps its compressor: one for each histogram, as in the library, is 800 KiB
// of garbage each, 70 MB a block.
type encoder struct {
	plain      []byte
	compressed bytes.Buffer
	zlib       *zlib.Writer
}

// append appends the base64 text of h to line.
func (e *encoder) append(line []byte, h *Histogram) ([]byte, error) {
	const header = 40
	e.plain = append(e.plain[:0], make([]byte, header)...)
	e.plain = h.appendCounts(e.plain)
	binary.BigEndian.PutUint32(e.plain[0:], plainCookie)
	binary.BigEndian.PutUint32(e.plain[4:], uint32(len(e.plain)-header))
	binary.BigEndian.PutUint32(e.plain[12:], SignificantDigits) // 8 to 12 is an offset of 0
	binary.BigEndian.PutUint64(e.plain[16:], LowestValue)
	binary.BigEndian.PutUint64(e.plain[24:], HighestValue)
	binary.BigEndian.PutUint64(e.plain[32:], math.Float64bits(1)) // integers count as they are

	e.compressed.Reset()
	e.compressed.Write(make([]byte, 8))
	if e.zlib == nil {
		e.zlib = zlib.NewWriter(&e.compressed)
	} else {
		e.zlib.Reset(&e.compressed)
	}
	if _, err := e.zlib.Write(e.plain); err != nil {
		return nil, fmt.Errorf("compressing a histogram: %w", err)
	}
	if err := e.zlib.Close(); err != nil {
		return nil, fmt.Errorf("compressing a histogram: %w", err)
	}
	out := e.compressed.Bytes()
	binary.BigEndian.PutUint32(out[0:], compressedCookie)
	binary.BigEndian.PutUint32(out[4:], uint32(len(out)-8))
	return base64.StdEncoding.AppendEncode(line, out), nil
}

// appendCounts appends the counts as zig-zag LEB128 numbers, which are Go's
// varints; a run of zeros is one negative number.
func (h *Histogram) appendCounts(b []byte) []byte {
	next := 0
	h.each(func(low, _, count int64) bool {
		i := bucketOf(low)
		switch zeros := i - next; {
		case zeros == 1:
			b = binary.AppendVarint(b, 0)
		case zeros > 1:
			b = binary.AppendVarint(b, -int64(zeros))
		}
		b = binary.AppendVarint(b, count)
		next = i + 1
		return true
	})
	return b
}

// decode reads the text that append writes, or that of another
// implementation; values outside the range are counted as such.
func decode(text []byte) (*Histogram, error) {
	p, err := hdr.DecodePacked(text)
	if err != nil {
		return nil, err
	}
	h := NewHistogram()
	p.ForEachBucket(func(value, count int64) bool {
		if value > HighestValue {
			h.outOfRange += count
		}
		h.add(min(value, HighestValue), count)
		return true
	})
	return h, nil
}
