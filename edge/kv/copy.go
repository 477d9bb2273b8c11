package kv

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// tableSuffix ends the names of Pebble's tables, which never change.
const tableSuffix = ".sst"

// lockFile is the file by which Pebble locks a store.
const lockFile = "LOCK"

// Copy makes dir, which must not exist, a store with the content of another one that
// is closed, and stays closed until Copy returns. The tables are shared by hard links
// where the file system has them.
func Copy(ctx context.Context, from, dir string) error {
	files, err := os.ReadDir(from)
	if err == nil {
		err = os.Mkdir(dir, 0o755)
	}
	if err != nil {
		return fmt.Errorf("copying store %s: %w", from, err)
	}
	for _, file := range files {
		if file.Name() == lockFile {
			continue
		}
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("copying store %s: %w", from, context.Cause(ctx))
		}
		take := vfs.Copy
		if strings.HasSuffix(file.Name(), tableSuffix) {
			take = vfs.LinkOrCopy
		}
		if err := take(vfs.Default, filepath.Join(from, file.Name()), filepath.Join(dir, file.Name())); err != nil {
			return fmt.Errorf("copying store %s: %w", from, err)
		}
	}
	return nil
}
