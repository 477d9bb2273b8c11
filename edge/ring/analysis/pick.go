package analysis

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"switchback/edge/ring"
)

// maxKeyBytes bounds a key, which is one line.
const maxKeyBytes = 1 << 20

// Picker writes the servers of keys.
type Picker struct {
	Ring     *ring.Ring
	Servers  []ring.Server // that the ring was made of
	Down     ring.ServerSet
	Distinct int // different servers to write for a key; 0: one
}

// Run reads keys, a line each, of any bytes but a newline, and writes the line
// key,server[,server…] for each, quoted by RFC 4180 where it must be. What it
// has read it has written whenever it must wait for more.
func (p *Picker) Run(in io.Reader, out io.Writer) error {
	names := make([][]byte, len(p.Servers))
	for i, s := range p.Servers {
		names[i] = s.Addr.AppendTo([]byte{','})
	}
	from, to := bufio.NewReaderSize(in, maxKeyBytes), bufio.NewWriterSize(out, 1<<16)
	var walk ring.Distinct
	for line := 1; ; line++ {
		key, err := from.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			return fmt.Errorf("key %d is longer than %d bytes", line, maxKeyBytes-1)
		}
		if err != nil && (!errors.Is(err, io.EOF) || len(key) == 0) {
			return flushed(to, err)
		}
		key = bytes.TrimSuffix(key, []byte{'\n'})
		writeField(to, key)
		walk.Start(p.Ring, ring.Hash(key), p.Down)
		for range max(p.Distinct, 1) {
			server, ok := walk.Next()
			if !ok {
				break
			}
			to.Write(names[server])
		}
		to.WriteByte('\n')
		if from.Buffered() == 0 {
			if err := to.Flush(); err != nil {
				return err
			}
		}
	}
}

// flushed ends a run: with nothing when the input was at its end.
func flushed(to *bufio.Writer, err error) error {
	if errors.Is(err, io.EOF) {
		return to.Flush()
	}
	return errors.Join(fmt.Errorf("reading keys: %w", err), to.Flush())
}

// writeField writes a key as a CSV field.
func writeField(to *bufio.Writer, key []byte) {
	if !bytes.ContainsAny(key, "\",\r") {
		to.Write(key)
		return
	}
	to.WriteByte('"')
	for _, b := range key {
		if b == '"' {
			to.WriteByte('"')
		}
		to.WriteByte(b)
	}
	to.WriteByte('"')
}
