package importer

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// maxWindow bounds the memory that a compressed file may ask for: the window of
// zstd's --long.
const maxWindow = 128 << 20

// decompressed reads what is in a .gz or .zst, and anything else as it is. What
// a file is its first bytes tell. close frees the reader.
func decompressed(r io.Reader) (plain io.Reader, close func(), err error) {
	in := bufio.NewReaderSize(r, 64<<10)
	begin, _ := in.Peek(4)
	switch {
	case bytes.HasPrefix(begin, []byte{0x1f, 0x8b}):
		gz, err := gzip.NewReader(in)
		if err != nil {
			return nil, nil, fmt.Errorf("gzip: %w", err)
		}
		return gz, func() { gz.Close() }, nil
	case bytes.HasPrefix(begin, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		zst, err := zstd.NewReader(in, zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderConcurrency(1))
		if err != nil {
			return nil, nil, fmt.Errorf("zstd: %w", err)
		}
		return zst, zst.Close, nil
	}
	return in, func() {}, nil
}
