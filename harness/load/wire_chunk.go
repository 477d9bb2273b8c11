package load

import "bytes"

// chunkSize reads the size line of a chunk: hex digits, an extension that is
// ignored, and a CRLF; a bare LF is refused (RFC 9112 §7.1).
func (a *answer) chunkSize(line []byte) error {
	if i := bytes.IndexByte(line, '\r'); i < 0 || i != len(line)-2 {
		return malformed("end of the chunk size line", line)
	}
	a.excess += int64(len(line))
	digits, _, _ := bytes.Cut(trimRightBlank(line[:len(line)-2]), []byte(";"))
	if len(digits) == 0 || len(digits) > 16 {
		return malformed("chunk size", line)
	}
	a.left = 0
	for _, c := range digits {
		d, ok := hexDigit(c)
		if !ok {
			return malformed("chunk size", line)
		}
		a.left = a.left<<4 | uint64(d)
	}
	return a.chunk(line)
}

// chunk begins the data of a chunk; one of size 0 is the last. Framing is
// bounded, so that a sender cannot make a reader busy with next to no data.
func (a *answer) chunk(line []byte) error {
	a.excess = max(a.excess-16-2*int64(a.left), 0)
	a.head = 0
	switch {
	case a.excess > maxExcess:
		return malformed("more chunk framing than data", line)
	case a.left == 0:
		a.phase, a.field.any = inTrailer, false
	default:
		a.phase = inChunk
	}
	return nil
}

func hexDigit(c byte) (byte, bool) {
	switch {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10, true
	}
	return 0, false
}

// trailerLine reads one line after the last chunk; an empty one ends the
// answer. The fields are checked and forgotten.
func (a *answer) trailerLine(line []byte) error {
	if !bytes.HasSuffix(line, []byte("\r\n")) {
		return malformed("end of the trailer line", line)
	}
	line = line[:len(line)-2]
	switch {
	case len(line) == 0:
		a.phase = complete
		return nil
	case isBlank(line[0]):
		if !a.field.any || !validValue(line) {
			return malformed("trailer line", line)
		}
		return nil
	}
	a.field.any = true
	_, _, err := splitField(line)
	return err
}
