package datasets

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
)

// A dataset ends with a checksum of the compressed bytes before it, in a frame
// that readers of zstd skip: the frame's magic number, the length of the rest,
// a tag and the SHA-256.
const (
	checksumMagic = 0x184D2A5D
	checksumTag   = "swb/sum1"
	checksumBytes = 8 + len(checksumTag) + sha256.Size
)

// errNoChecksum is about a dataset that was cut short, or that an earlier version wrote.
var errNoChecksum = errors.New("the dataset does not end with a checksum")

// errDamaged: the bytes of the dataset are not the bytes that were written.
var errDamaged = errors.New("the dataset is damaged: its checksum does not match")

// IsDamage tells errors of Verify about what is in a file from errors of reading it.
func IsDamage(err error) bool { return errors.Is(err, errNoChecksum) || errors.Is(err, errDamaged) }

// summing passes on what is written, and can end it with its checksum.
type summing struct {
	to  io.Writer
	sum hash.Hash
}

func newSumming(to io.Writer) *summing { return &summing{to: to, sum: sha256.New()} }

// Write implements io.Writer.
func (s *summing) Write(p []byte) (int, error) {
	n, err := s.to.Write(p)
	s.sum.Write(p[:n])
	return n, err
}

// finish writes the checksum.
func (s *summing) finish() error {
	_, err := s.to.Write(checksumFrame(s.sum.Sum(nil)))
	return err
}

// checksumFrame returns the frame that holds a checksum.
func checksumFrame(sum []byte) []byte {
	frame := binary.LittleEndian.AppendUint32(nil, checksumMagic)
	frame = binary.LittleEndian.AppendUint32(frame, uint32(len(checksumTag)+len(sum)))
	frame = append(frame, checksumTag...)
	return append(frame, sum...)
}

// Verify compares the dataset of a file with the checksum at its end. The error
// names the file; IsDamage tells whether the content is wrong or could not be read.
func Verify(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("reading dataset: %w", err)
	}
	defer f.Close()
	if err := verify(f); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// verify compares a file with its checksum. It leaves the offset as it is.
func verify(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	before := info.Size() - int64(checksumBytes)
	if !info.Mode().IsRegular() || before < 0 {
		return errNoChecksum
	}
	frame := make([]byte, checksumBytes)
	if _, err := f.ReadAt(frame, before); err != nil {
		return err
	}
	if !bytes.HasPrefix(frame, checksumFrame(make([]byte, sha256.Size))[:checksumBytes-sha256.Size]) {
		return errNoChecksum
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(f, 0, before)); err != nil {
		return err
	}
	if !bytes.Equal(frame, checksumFrame(sum.Sum(nil))) {
		return errDamaged
	}
	return nil
}
