package record

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/parquet-go/parquet-go/format"
)

var errValues = errors.New("a page whose values are malformed")

// checkValues returns an error for values of a page that stand for more than
// the bound: five bytes of a run can say two thousand million.
func checkValues(encoding format.Encoding, values []byte) error {
	switch encoding {
	case format.RLEDictionary:
		if len(values) == 0 {
			return nil // all are absent
		}
		if width := values[0]; width > 32 {
			return errValues
		}
		return checkRuns(values[1:], uint64(values[0]))
	case format.DeltaBinaryPacked, format.DeltaLengthByteArray:
		return checkDelta(values)
	}
	return nil
}

// maxText bounds a text of a dictionary, which is copied for each row that
// names it.
const maxText = 64 << 10

// checkTexts looks at the texts of a dictionary, each after its length.
func checkTexts(texts []byte) error {
	for len(texts) > 0 {
		if len(texts) < 4 {
			return errValues
		}
		length := binary.LittleEndian.Uint32(texts)
		if length > maxText {
			return fmt.Errorf("a text of %d bytes, expected at most %d", length, maxText)
		}
		if texts = texts[4:]; int(length) > len(texts) {
			return errValues
		}
		texts = texts[length:]
	}
	return nil
}

// checkRuns counts the values of the hybrid of runs and packed bits in which
// levels and places in a dictionary are encoded.
func checkRuns(runs []byte, bits uint64) error {
	total := uint64(0)
	for len(runs) > 0 {
		head, n := binary.Uvarint(runs)
		if n <= 0 {
			return errValues
		}
		count, bytes := head>>1, (bits+7)/8
		if count > maxPageValues {
			return tooManyValues(count)
		}
		if head&1 != 0 { // packed: groups of eight
			count, bytes = 8*count, count*bits
		}
		if total += count; total > maxPageValues {
			return tooManyValues(total)
		}
		if runs = runs[n:]; bytes > uint64(len(runs)) {
			return errValues
		}
		runs = runs[bytes:]
	}
	return nil
}

// checkDelta looks at the header of delta-encoded numbers: the size of a block,
// its parts, and how many values there are.
func checkDelta(values []byte) error {
	var header [3]uint64
	for i := range header {
		v, n := binary.Uvarint(values)
		if n <= 0 {
			return errValues
		}
		header[i], values = v, values[n:]
	}
	if header[2] > maxPageValues {
		return tooManyValues(header[2])
	}
	return nil
}

func tooManyValues(n uint64) error {
	return fmt.Errorf("a page of %d values, expected at most %d", n, maxPageValues)
}
