package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
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
	f, err := renameio.NewPendingFile(path, renameio.WithPermissions(0o666))
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	defer f.Cleanup()
	progress := &progressWriter{ctx: cmd.Context(), to: f, log: cmd.ErrOrStderr(), next: time.Now().Add(progressEvery)}
	if err := write(progress); err != nil {
		return err
	}
	if err := f.CloseAtomicallyReplace(); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return nil
}

// progressEvery is the time between two lines of progress.
const progressEvery = 10 * time.Second

// progressWriter tells how much was written, and stops when its context does.
type progressWriter struct {
	ctx  context.Context
	to   io.Writer
	log  io.Writer
	next time.Time
	sum  int64
}

func (w *progressWriter) Write(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := w.to.Write(p)
	w.sum += int64(n)
	if now := time.Now(); now.After(w.next) {
		fmt.Fprintf(w.log, "%d MiB written\n", w.sum>>20)
		w.next = now.Add(progressEvery)
	}
	return n, err
}
