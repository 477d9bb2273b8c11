package datasets

import (
	"io"

	"github.com/klauspost/compress/zstd"
)

// window bounds the memory of the compression on both sides.
const window = 1 << 20

// Compress compresses as datasets, and the targets over one, are stored.
func Compress(w io.Writer) (*zstd.Encoder, error) {
	return zstd.NewWriter(w, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(window))
}

// Decompress reads what Compress wrote. A stream that needs more than eight times
// its memory is refused.
func Decompress(r io.Reader) (*zstd.Decoder, error) {
	return zstd.NewReader(r, zstd.WithDecoderMaxWindow(8*window), zstd.WithDecoderConcurrency(2))
}
