package kv

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/record"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// manifestPrefix begins the names of Pebble's manifests: which tables there are.
const manifestPrefix = "MANIFEST-"

// Verify opens the store in dir, and reads the records of its manifests and the blocks
// of all its tables, whose checksums Pebble compares. The error is ErrDamaged if the
// content is not what was written; ErrInUse, ctx's and the system's errors say
// nothing about that.
func Verify(ctx context.Context, dir string) error {
	err := verify(ctx, dir)
	if isDamage(err) {
		err = fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if err != nil {
		return fmt.Errorf("verifying store %s: %w", dir, err)
	}
	return nil
}

// isDamage tells errors about what is on disk from errors of reading it.
func isDamage(err error) bool {
	var system syscall.Errno
	switch {
	case err == nil, errors.Is(err, ErrInUse), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return false
	case errors.As(err, &system):
		return system == syscall.ENOENT // a table is missing
	}
	return true
}

func verify(ctx context.Context, dir string) error {
	options := Options{ReadOnly: true}
	store, err := open(dir, options)
	if err != nil {
		return err
	}
	return errors.Join(verifyFiles(ctx, dir, options), store.Close())
}

// verifyFiles reads every manifest and table in dir.
func verifyFiles(ctx context.Context, dir string, options Options) error {
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	to, err := options.pebble(newFaults(nil))
	if err != nil {
		return err
	}
	defer to.Cache.Unref()
	for _, file := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		path := filepath.Join(dir, file.Name())
		switch {
		case strings.HasSuffix(path, tableSuffix):
			err = verifyTable(ctx, path, to)
		case strings.HasPrefix(file.Name(), manifestPrefix):
			err = verifyManifest(path)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file.Name(), err)
		}
	}
	return nil
}

// verifyManifest reads all records of a manifest. Pebble itself takes a damaged
// record for the end, which a crash may have cut.
func verifyManifest(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	records := record.NewReader(file, 0)
	for {
		content, err := records.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if _, err := io.Copy(io.Discard, content); err != nil {
			return err
		}
	}
}

// verifyTable reads all blocks of a table.
func verifyTable(ctx context.Context, path string, options *pebble.Options) error {
	file, err := vfs.Default.Open(path)
	if err != nil {
		return err
	}
	readable, err := sstable.NewSimpleReadable(file)
	if err != nil {
		return errors.Join(err, file.Close())
	}
	table, err := sstable.NewReader(ctx, readable, options.MakeReaderOptions())
	if err != nil {
		return err // NewReader has closed the file
	}
	return errors.Join(table.ValidateBlockChecksums(), table.Close())
}
