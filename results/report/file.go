package report

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
)

// HTMLFile is the name of a run's page in its folder.
const HTMLFile = "report.html"

// WriteFile writes a file: readers see all of it or what was there before. What
// is no plain file, such as a device, a pipe or a link, is written into and stays.
func WriteFile(path string, write func(io.Writer) error) error {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return writeInto(path, write)
	}
	var whole bytes.Buffer
	if err := write(&whole); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	if err := renameio.WriteFile(path, whole.Bytes(), 0o644, renameio.WithTempDir(filepath.Dir(path))); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return nil
}

// writeInto writes into what is there.
func writeInto(path string, write func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return fmt.Errorf("writing: %w", err)
	}
	w := bufio.NewWriter(file)
	if err = write(w); err == nil {
		err = w.Flush()
	}
	if err := errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return nil
}
