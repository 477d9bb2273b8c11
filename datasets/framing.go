package datasets

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// lengthBytes is the size of a record's length, a little-endian integer.
const lengthBytes = 4

// readHeader reads the first line.
func (r *Reader) readHeader() error {
	text, err := r.stream.ReadSlice('\n')
	if err != nil {
		return fmt.Errorf("not a dataset: %w", cut(err))
	}
	r.digest.Write(text)
	var head header
	if err := json.Unmarshal(bytes.TrimSpace(text), &head); err != nil || head.Schema == "" {
		return errors.New("not a dataset: the first line is no header")
	}
	if head.Schema != Schema {
		return fmt.Errorf("schema is %.80q, expected %q", head.Schema, Schema)
	}
	if err := head.Settings.Check(); err != nil {
		return err
	}
	r.info = Info{Schema: Schema, Seed: head.Seed, Settings: head.Settings}
	return nil
}

// readRecord reads the next record; its payload is copied once, into the
// memory that the texts of the decoded record share.
func (r *Reader) readRecord() (*decoder, error) {
	r.records++
	r.record = append(r.record[:0], make([]byte, lengthBytes)...)
	if _, err := io.ReadFull(r.stream, r.record); err != nil {
		return nil, cut(err)
	}
	length := binary.LittleEndian.Uint32(r.record)
	if length > maxRecord {
		return nil, fmt.Errorf("%d bytes, at most %d", length, maxRecord)
	}
	r.record = append(r.record, make([]byte, length)...)
	if _, err := io.ReadFull(r.stream, r.record[lengthBytes:]); err != nil {
		return nil, cut(err)
	}
	r.digest.Write(r.record)
	return &decoder{rest: string(r.record[lengthBytes:])}, nil
}

// cut says of an early end what it means.
func cut(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the stream is cut short")
	}
	return err
}
