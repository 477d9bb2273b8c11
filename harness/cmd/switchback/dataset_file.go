package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/google/renameio/v2"
	"github.com/spf13/cobra"
)

// writeNewFile writes a file that must not exist yet. It appears under its
// name when it is whole; after an error or an interrupt nothing is left.
func writeNewFile(cmd *cobra.Command, path string, write func(io.Writer) error) error {
	if path == "" {
		return usagef("--out is missing: it names the file to write")
	}
	if _, err := os.Lstat(path); err == nil {
		return usagef("--out %s: exists already", path)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := renameio.NewPendingFile(path, renameio.WithPermissions(0o666), renameio.WithTempDir(filepath.Dir(path)))
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	defer f.Cleanup()
	progress := newProgressWriter(cmd, f)
	err = write(progress)
	progress.erase()
	if err != nil {
		return err
	}
	if err := f.CloseAtomicallyReplace(); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return nil
}

// progressWriter tells how much was written, and stops when its context does.
type progressWriter struct {
	ctx      context.Context
	to       io.Writer
	log      io.Writer
	terminal bool
	every    time.Duration
	told     time.Time
	sum      int64
}

// newProgressWriter tells of its progress in a live line on a terminal, else
// in a line every 10 s.
func newProgressWriter(cmd *cobra.Command, to io.Writer) *progressWriter {
	w := &progressWriter{ctx: cmd.Context(), to: to, log: cmd.ErrOrStderr(), every: 10 * time.Second, told: time.Now()}
	if _, w.terminal = terminal(w.log); w.terminal {
		w.every = 200 * time.Millisecond
	}
	return w
}

func (w *progressWriter) Write(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := w.to.Write(p)
	w.sum += int64(n)
	if now := time.Now(); now.Sub(w.told) > w.every {
		w.told = now
		w.erase()
		fmt.Fprintf(w.log, "%d MiB written%s", w.sum>>20, w.lineEnd())
	}
	return n, err
}

// lineEnd keeps a live line open.
func (w *progressWriter) lineEnd() string {
	if w.terminal {
		return ""
	}
	return "\n"
}

// erase clears the live line.
func (w *progressWriter) erase() {
	if w.terminal {
		fmt.Fprint(w.log, "\r\033[K")
	}
}
