package kv

import (
	"errors"
	"strings"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// errStopped is what Pebble gets for a table that nobody wants any more.
var errStopped = errors.New("the store is being closed")

// stoppable is a file system on which tables can be written until it is stopped: a
// merge of a large store would take minutes to end by itself.
type stoppable struct {
	vfs.FS
	stopped atomic.Bool
}

func (s *stoppable) stop() { s.stopped.Store(true) }

// Create implements vfs.FS.
func (s *stoppable) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	file, err := s.FS.Create(name, category)
	if err != nil || !strings.HasSuffix(name, tableSuffix) {
		return file, err
	}
	return stoppableFile{file, s}, nil
}

// stoppableFile is a table that is being written.
type stoppableFile struct {
	vfs.File
	fs *stoppable
}

// Write implements vfs.File.
func (f stoppableFile) Write(p []byte) (int, error) {
	if f.fs.stopped.Load() {
		return 0, errStopped
	}
	return f.File.Write(p)
}
