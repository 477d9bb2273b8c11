package record

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// Bounds of samples.parquet, beyond what a writer of it makes: a page has a
// quarter of a megabyte, and a dictionary the texts of 32,768 rows.
const (
	maxPageBytes    = 16 << 20
	maxPageValues   = 1 << 20
	maxSamplesBytes = 16 << 30 // decompressed
)

// samplePages looks at each page of a Parquet file before the decoder does. The
// decoder makes what a page says it holds, and a page of a kilobyte can say
// gigabytes.
type samplePages struct {
	file    io.ReaderAt
	left    int64 // bytes of the file that no column has claimed yet
	held    int64 // bytes of the pages so far, decompressed
	decoder *zstd.Decoder
	packed  []byte // scratch
	plain   []byte
}

// checkPages returns an error for a file with a page above the bounds.
func checkPages(file io.ReaderAt, size int64, parsed *parquet.File) error {
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxPageBytes))
	if err != nil {
		return err
	}
	defer decoder.Close()
	p := &samplePages{file: file, left: size, decoder: decoder}
	for i, group := range parsed.Metadata().RowGroups {
		for _, column := range group.Columns {
			if err := p.column(&column.MetaData); err != nil {
				return fmt.Errorf("row group %d, column %q: %w", i, column.MetaData.PathInSchema, err)
			}
		}
	}
	return nil
}

// column checks the pages of a column in one row group.
func (p *samplePages) column(m *format.ColumnMetaData) error {
	from := m.DataPageOffset
	if m.DictionaryPageOffset != 0 {
		from = m.DictionaryPageOffset
	}
	if p.left -= m.TotalCompressedSize; from < 0 || m.TotalCompressedSize < 0 || p.left < 0 {
		return errors.New("columns that lie outside the file, or on each other")
	}
	if m.Codec != format.Zstd && m.Codec != format.Uncompressed {
		return fmt.Errorf("compressed with %s, expected %s", m.Codec, format.Zstd)
	}
	pages := bufio.NewReader(io.NewSectionReader(p.file, from, m.TotalCompressedSize))
	headers := thrift.NewDecoder(new(thrift.CompactProtocol).NewReader(pages))
	for {
		if _, err := pages.Peek(1); err != nil {
			return ended(err)
		}
		header := new(format.PageHeader)
		if err := headers.Decode(header); err != nil {
			return fmt.Errorf("header of a page: %w", err)
		}
		if err := p.page(header, pages, m.Codec == format.Zstd); err != nil {
			return err
		}
	}
}

// ended is nil at the end of a column.
func ended(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// page checks a page and reads past it.
func (p *samplePages) page(h *format.PageHeader, pages io.Reader, compressed bool) error {
	if h.CompressedPageSize < 0 || h.UncompressedPageSize < 0 || max(h.CompressedPageSize, h.UncompressedPageSize) > maxPageBytes {
		return fmt.Errorf("a page of %d bytes, %d compressed: expected at most %d MiB", h.UncompressedPageSize, h.CompressedPageSize, maxPageBytes>>20)
	}
	levels, encoding, err := layoutOf(h)
	if err != nil {
		return err
	}
	p.packed = slices.Grow(p.packed[:0], int(h.CompressedPageSize))[:h.CompressedPageSize]
	if _, err := io.ReadFull(pages, p.packed); err != nil {
		return fmt.Errorf("a page that is cut short: %w", err)
	}
	if levels > len(p.packed) {
		return errors.New("a page whose levels are longer than itself")
	}
	values := p.packed[levels:]
	if flag := h.DataPageHeaderV2.V.IsCompressed; compressed && (!flag.Valid || flag.V) {
		if p.plain, err = p.decoder.DecodeAll(values, p.plain[:0]); err != nil {
			return fmt.Errorf("a page of at most %d MiB: %w", maxPageBytes>>20, err)
		}
		values = p.plain
	}
	if p.held += int64(levels + len(values)); p.held > maxSamplesBytes {
		return fmt.Errorf("more than %d GiB, decompressed", maxSamplesBytes>>30)
	}
	if h.Type == format.DictionaryPage {
		return checkTexts(values)
	}
	return errors.Join(checkRuns(p.packed[:levels], 1), checkValues(encoding, values))
}

// layoutOf returns the bytes of a page before its values and their encoding,
// and an error for a page of a kind that samples are not written with.
func layoutOf(h *format.PageHeader) (levels int, encoding format.Encoding, err error) {
	values := int32(0)
	switch {
	case h.Type == format.DataPageV2 && h.DataPageHeaderV2.Valid:
		d := &h.DataPageHeaderV2.V
		if d.RepetitionLevelsByteLength != 0 || d.DefinitionLevelsByteLength < 0 || d.DefinitionLevelsByteLength > maxPageBytes {
			return 0, 0, errors.New("a page with lists, or with wrong levels")
		}
		values, encoding, levels = d.NumValues, d.Encoding, int(d.DefinitionLevelsByteLength)
	case h.Type == format.DictionaryPage && h.DictionaryPageHeader.Valid:
		values, encoding = h.DictionaryPageHeader.V.NumValues, h.DictionaryPageHeader.V.Encoding
	default:
		return 0, 0, fmt.Errorf("a page of the type %s, expected %s", h.Type, format.DataPageV2)
	}
	if values < 0 || values > maxPageValues {
		return 0, 0, tooManyValues(uint64(values))
	}
	switch encoding {
	case format.Plain, format.RLEDictionary, format.DeltaBinaryPacked, format.DeltaLengthByteArray:
		return levels, encoding, nil
	}
	return 0, 0, fmt.Errorf("a page encoded with %s", encoding)
}
